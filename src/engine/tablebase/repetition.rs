//! Wins that the game before leaves: tables do not know which positions end it by repetition when they come again.
//!
//! A winner who plays by the tables is nearer to the conversion with every move, so it does not come back to a position
//! itself. Only positions that have occurred often enough before can spoil the win, and only those nearer than where it
//! stands. Between them and the game the moves of both sides are tried out: a position is won if some move of the winner
//! is followed only by won positions, however the loser replies. The way round may be longer than the no-capture limit
//! allows, so the plies to the conversion are counted.

use rustc_hash::{FxHashMap, FxHashSet};

use super::probe::{Tablebases, ended};
use super::value::{Value, Wdl};
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, legal_moves};

/// Positions with the winner to move that are tried out, in some milliseconds; where there are more, the win stays open.
const MOST: usize = 200;

/// Positions with the winner to move, of which the loser chooses one.
#[derive(Clone, Default)]
struct Choice {
    /// The most plies to the conversion from those that are certain to be won.
    certain: u32,
    /// The nodes of the others.
    places: Vec<usize>,
}

/// A position with the winner to move.
#[derive(Clone)]
struct Node {
    position: Position,
    /// The least plies to the conversion, if it is won, as far as known.
    plies: Option<u32>,
    /// The winner's moves that no reply answers by the end of the game: the plies of move and reply, and what follows.
    moves: Vec<(u32, Choice)>,
}

/// The wins of one side from a position of a game in which a repeated position is a draw.
#[derive(Clone)]
pub(super) struct Avoidance<'a> {
    tables: &'a Tablebases,
    rules: &'a Rules,
    /// The keys of the positions that end the game when they come again.
    ends: FxHashSet<u64>,
    /// The plies to the conversion from the nearest of them.
    nearest: u32,
    /// Whether the winner plays only moves that lead to the conversion as soon as can be.
    is_direct: bool,
    nodes: Vec<Node>,
    /// How many of them have their moves.
    tried: usize,
    places: FxHashMap<u64, usize>,
}

impl<'a> Avoidance<'a> {
    /// For a winner who takes the shortest way, which is soon tried out, and for one who takes any; `None` if no position
    /// that is won by the tables ends the game when it comes again.
    pub(super) fn of(tables: &'a Tablebases, game: &'a Game) -> Option<[Avoidance<'a>; 2]> {
        let (rules, again) = (game.rules(), game.ending_keys());
        let (mut ends, mut nearest) = (FxHashSet::default(), u32::MAX);
        let mut position = *game.start();
        for mv in game.moves().iter().map(Some).chain([None]) {
            let key = rules.key(&position);
            if again.contains(&key)
                && let Some(value) = tables.value(&position)
                && value.wdl != Wdl::Draw
            {
                ends.insert(key);
                nearest = nearest.min(value.plies);
            }
            if let Some(&mv) = mv {
                position = position.play(mv);
            }
        }
        if ends.is_empty() {
            return None;
        }
        let direct = Avoidance {
            tables,
            rules,
            ends,
            nearest,
            is_direct: true,
            nodes: Vec::new(),
            tried: 0,
            places: FxHashMap::default(),
        };
        let other = Avoidance {
            is_direct: false,
            ..direct.clone()
        };
        Some([direct, other])
    }

    /// The plies in which the side to move wins at a position that the tables say is won: `Some(None)` if it does not,
    /// `None` if that stays open.
    pub(super) fn wins(&mut self, position: &Position) -> Option<Option<u32>> {
        let choice = self.place(position);
        choice.map_or(Some(None), |choice| self.settle(&choice))
    }

    /// The same for the side not to move at a position that the tables say is lost.
    pub(super) fn loses(&mut self, position: &Position) -> Option<Option<u32>> {
        let Some(choice) = self.replies(position) else {
            return Some(None);
        };
        self.settle(&choice)
            .map(|plies| plies.map(|plies| 1 + plies))
    }

    /// The most plies to the conversion from these positions, as [`Avoidance::wins`].
    fn settle(&mut self, choice: &Choice) -> Option<Option<u32>> {
        while self.tried < self.nodes.len().min(MOST) {
            let position = self.nodes[self.tried].position;
            self.nodes[self.tried].moves = self.winning_moves(&position);
            self.tried += 1;
        }
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            // Later ones are nearer to the end.
            for place in (0..self.nodes.len()).rev() {
                let moves = self.nodes[place].moves.iter();
                let plies = moves.filter_map(|(plies, choice)| Some(plies + self.most(choice)?));
                let least = plies.chain(self.nodes[place].plies).min();
                is_changed |= least != self.nodes[place].plies;
                self.nodes[place].plies = least;
            }
        }
        let most = self.most(choice);
        (most.is_some() || self.nodes.len() <= MOST).then_some(most)
    }

    /// The most plies to the conversion as far as known; `None` if a position is not won.
    fn most(&self, choice: &Choice) -> Option<u32> {
        let mut plies = choice.places.iter().map(|&place| self.nodes[place].plies);
        plies.try_fold(choice.certain, |most, plies| Some(most.max(plies?)))
    }

    /// The moves of the winner after which the game goes on or has converted.
    fn winning_moves(&mut self, position: &Position) -> Vec<(u32, Choice)> {
        let plies = self.tables.value(position).map_or(0, |value| value.plies);
        let mut found = Vec::new();
        for &mv in legal_moves(self.rules, position).iter() {
            let after = position.play(mv);
            let Some((value, converts)) = self.after(&after, mv) else {
                continue;
            };
            if value.wdl != Wdl::Loss || self.is_direct && value.before(converts).plies > plies {
                continue;
            }
            if converts {
                found.push((1, Choice::default()));
            } else if !self.ends.contains(&self.rules.key(&after))
                && let Some(choice) = self.replies(&after)
            {
                found.push((2, choice));
            }
        }
        found
    }

    /// The positions after the replies of the loser; `None` if one ends the game.
    fn replies(&mut self, position: &Position) -> Option<Choice> {
        let mut found = Choice::default();
        for &mv in legal_moves(self.rules, position).iter() {
            let after = position.play(mv);
            if let Some((_, false)) = self.after(&after, mv) {
                let reply = self.place(&after)?;
                found.certain = found.certain.max(reply.certain);
                found.places.extend(reply.places);
            }
        }
        Some(found)
    }

    /// The value of the position after a move, and whether the move converts.
    fn after(&self, position: &Position, mv: Move) -> Option<(Value, bool)> {
        let over = ended(self.rules, position);
        let converts = mv.is_capture() || over.is_some();
        let value = over.or_else(|| self.tables.value(position))?;
        Some((value, converts))
    }

    /// A position with the winner to move, a node if something can spoil its win; `None` if it ends the game.
    fn place(&mut self, position: &Position) -> Option<Choice> {
        let key = self.rules.key(position);
        if self.ends.contains(&key) {
            return None;
        }
        let certain = self
            .tables
            .value(position)
            .map_or(u32::MAX, |value| value.plies);
        let choice = |certain, places| Some(Choice { certain, places });
        if certain < self.nearest {
            return choice(certain, Vec::new());
        }
        let next = self.nodes.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.nodes.push(Node {
                position: *position,
                plies: None,
                moves: Vec::new(),
            });
        }
        choice(0, vec![place])
    }
}
