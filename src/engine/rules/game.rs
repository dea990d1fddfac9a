//! A game: a position, its history and its outcome.

use std::cmp::Ordering;
use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::{Blocked, Rules, Tie, has_move, shortest_path};
use crate::board::{Move, Position, Side};
use crate::text::named_enum;

named_enum! {
    /// Why a game ended.
    pub enum Reason {
        /// A side has no stones left.
        NoStones = "no-stones",
        /// The player to move has no legal move.
        Blocked = "blocked",
        /// A position occurred as often as the rules allow.
        Repetition = "repetition",
        /// As many plies without a capture as the rules allow.
        Limit = "limit",
    }
}

/// The outcome of a game: the winner and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
}

impl fmt::Display for Outcome {
    /// A sentence such as `White wins: Black has no stones`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins: ")?,
            None => write!(f, "draw: ")?,
        }
        match (self.reason, self.winner) {
            (Reason::NoStones, Some(winner)) => write!(f, "{} has no stones", !winner),
            (Reason::NoStones, None) => f.write_str("no stones"),
            (Reason::Blocked, Some(winner)) => write!(f, "{} has no legal move", !winner),
            (Reason::Blocked, None) => f.write_str("the player to move has no legal move"),
            (Reason::Repetition, None) => f.write_str("repetition"),
            (Reason::Limit, None) => f.write_str("no capture for too long"),
            (Reason::Repetition, Some(_)) => f.write_str("more stones after repetition"),
            (Reason::Limit, Some(_)) => f.write_str("more stones after no capture for too long"),
        }
    }
}

/// A game under way or finished: rules, start, every move, and the first ending.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// Keys of all positions, from the start to the current one.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
}

/// A move that is not legal at the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the move is not legal here")]
pub struct IllegalMove;

impl Game {
    /// A game from the start position of `rules`.
    pub fn new(rules: Rules) -> Game {
        Game::from_position(rules, rules.start())
    }

    /// A game from any position on the board of `rules`; the position may be finished.
    pub fn from_position(rules: Rules, start: Position) -> Game {
        let mut game = Game {
            rules,
            start,
            position: start,
            moves: Vec::new(),
            keys: vec![rules.key(&start)],
            outcome: None,
        };
        game.outcome = game.ending();
        game
    }

    /// The game after its first `plies` moves; the whole game if it has fewer.
    pub fn truncated(&self, plies: usize) -> Game {
        let mut game = Game::from_position(self.rules, self.start);
        let moves = self.moves.iter().take(plies);
        moves.for_each(|&mv| game.push(mv));
        game
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The outcome; `None` while the game is in progress. Moves played after an ending by repetition or by
    /// the limit do not change it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The keys ([`Rules::key`]) of the positions since the last capture, oldest first, the current one
    /// last: those that count for repetition. A start position with quiet plies on its counter has no
    /// known predecessors.
    pub fn keys_since_capture(&self) -> &[u64] {
        // A full counter no longer says how many; positions before a capture have other stones.
        let known = match self.position.halfmove_clock() {
            u16::MAX => self.moves.len(),
            quiet => usize::from(quiet).min(self.moves.len()),
        };
        &self.keys[self.keys.len() - 1 - known..]
    }

    /// How often the current position has occurred since the last capture, this occurrence included.
    pub fn occurrences(&self) -> usize {
        let keys = self.keys_since_capture();
        let current = keys[keys.len() - 1];
        keys.iter().filter(|&&key| key == current).count()
    }

    /// The keys of the positions that end the game by repetition when they come again.
    pub(crate) fn ending_keys(&self) -> FxHashSet<u64> {
        let mut counts: FxHashMap<u64, u16> = FxHashMap::default();
        let mut ends = |&key: &u64| {
            let count = counts.entry(key).or_default();
            *count = count.saturating_add(1);
            self.rules.repeat != 0 && *count >= self.rules.repeat - 1
        };
        let keys = self.keys_since_capture().iter();
        keys.copied().filter(|key| ends(key)).collect()
    }

    /// Plays a move. The game may be continued after an ending by repetition or by the limit.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if the move is not legal; the game is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if shortest_path(&self.rules, &self.position, mv).is_none() {
            return Err(IllegalMove);
        }
        self.push(mv);
        Ok(())
    }

    /// Plays a legal move.
    fn push(&mut self, mv: Move) {
        self.position = self.position.play(mv);
        self.moves.push(mv);
        self.keys.push(self.rules.key(&self.position));
        self.outcome = self.outcome.or_else(|| self.ending());
    }

    fn ending(&self) -> Option<Outcome> {
        let rules = &self.rules;
        if let Some(outcome) = position_outcome(rules, &self.position) {
            return Some(outcome);
        }
        let repeated = rules.repeat != 0 && self.occurrences() >= usize::from(rules.repeat);
        let limit_reached = rules.limit != 0 && self.position.halfmove_clock() >= rules.limit;
        let reason = if repeated {
            Reason::Repetition
        } else if limit_reached {
            Reason::Limit
        } else {
            return None;
        };
        Some(Outcome {
            winner: tie_winner(rules, &self.position),
            reason,
        })
    }
}

/// The outcome decided by the position alone: a side without stones, or a blocked player.
pub fn position_outcome(rules: &Rules, position: &Position) -> Option<Outcome> {
    for side in Side::BOTH {
        if position.stones(side).is_empty() {
            return Some(Outcome {
                winner: Some(!side),
                reason: Reason::NoStones,
            });
        }
    }
    if has_move(rules, position) {
        return None;
    }
    Some(Outcome {
        winner: blocked_winner(rules, position),
        reason: Reason::Blocked,
    })
}

/// The winner where the player to move has stones and no legal move.
pub(crate) fn blocked_winner(rules: &Rules, position: &Position) -> Option<Side> {
    let side = position.side();
    let loses = rules.blocked == Blocked::Loss || rules.must_eat(position, side);
    loses.then_some(!side)
}

/// The winner of a game that ends by repetition or by the limit; `None` for a draw.
pub fn tie_winner(rules: &Rules, position: &Position) -> Option<Side> {
    let [white, black] = Side::BOTH.map(|side| position.stones(side).count());
    match (rules.tie, white.cmp(&black)) {
        (Tie::Count, Ordering::Greater) => Some(Side::White),
        (Tie::Count, Ordering::Less) => Some(Side::Black),
        (Tie::Draw, _) | (Tie::Count, Ordering::Equal) => None,
    }
}
