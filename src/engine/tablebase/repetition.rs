//! Wins that the game before leaves: tables do not know which positions end it by repetition when they come again.
//!
//! A winner who plays by the tables is nearer to the conversion with every move, so it does not come back to a position
//! itself. Only positions that have occurred often enough before can spoil the win, and only those nearer than where it
//! stands. Between them and the game the moves of both sides are tried out: a position is won if some move of the winner
//! is followed only by won positions, however the loser replies.

use rustc_hash::{FxHashMap, FxHashSet};

use super::probe::{Tablebases, ended};
use super::value::{Value, Wdl};
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, legal_moves};

/// Positions with the winner to move that are tried out, in some milliseconds; where there are more, the win stays open.
const MOST: usize = 200;

/// What may follow a move of the winner: positions in which it is to move again.
type Replies = Vec<usize>;

/// A position with the winner to move.
#[derive(Clone)]
struct Node {
    position: Position,
    is_won: bool,
    /// The winner's moves that no reply answers by the end of the game.
    moves: Vec<Replies>,
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

    /// Whether the side to move wins at a position that the tables say is won; `None` if that stays open.
    pub(super) fn wins(&mut self, position: &Position) -> Option<bool> {
        let place = self.place(position);
        place.map_or(Some(false), |place| self.settle(&place))
    }

    /// Whether the side to move loses at a position that the tables say is lost; `None` if that stays open.
    pub(super) fn loses(&mut self, position: &Position) -> Option<bool> {
        let replies = self.replies(position);
        replies.map_or(Some(false), |replies| self.settle(&replies))
    }

    /// Whether all these nodes are won; `None` if that stays open.
    fn settle(&mut self, places: &[usize]) -> Option<bool> {
        while self.tried < self.nodes.len().min(MOST) {
            let position = self.nodes[self.tried].position;
            self.nodes[self.tried].moves = self.winning_moves(&position);
            self.tried += 1;
        }
        let is_open = self.nodes.len() > MOST;
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            // Later ones are nearer to the end.
            for place in (0..self.nodes.len()).rev() {
                let is_won = |place: &usize| self.nodes[*place].is_won;
                let mut moves = self.nodes[place].moves.iter();
                let is_now = moves.any(|replies| replies.iter().all(is_won));
                is_changed |= is_now && !self.nodes[place].is_won;
                self.nodes[place].is_won |= is_now;
            }
        }
        let are_won = places.iter().all(|&place| self.nodes[place].is_won);
        (are_won || !is_open).then_some(are_won)
    }

    /// The moves of the winner after which the game goes on or has converted.
    fn winning_moves(&mut self, position: &Position) -> Vec<Replies> {
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
                found.push(Vec::new());
            } else if !self.ends.contains(&self.rules.key(&after))
                && let Some(replies) = self.replies(&after)
            {
                found.push(replies);
            }
        }
        found
    }

    /// The positions after the replies of the loser in which the win is not certain; `None` if one ends the game.
    fn replies(&mut self, position: &Position) -> Option<Replies> {
        let mut found = Vec::new();
        for &mv in legal_moves(self.rules, position).iter() {
            let after = position.play(mv);
            if let Some((_, false)) = self.after(&after, mv) {
                found.extend(self.place(&after)?);
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

    /// The node of a position with the winner to move, if anything can spoil its win; `None` if it ends the game.
    fn place(&mut self, position: &Position) -> Option<Replies> {
        let key = self.rules.key(position);
        if self.ends.contains(&key) {
            return None;
        }
        let value = self.tables.value(position);
        if value.is_none_or(|value| value.plies < self.nearest) {
            return Some(Vec::new());
        }
        let next = self.nodes.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.nodes.push(Node {
                position: *position,
                is_won: false,
                moves: Vec::new(),
            });
        }
        Some(vec![place])
    }
}
