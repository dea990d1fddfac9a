//! How a game ended.

use std::fmt;

use crate::board::Side;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A side has no stones left.
    NoStones,
    /// The player to move has no legal move.
    Blocked,
    /// A position occurred for the last time that the rules allow.
    Repetition,
    /// No capture for as many plies as the rules allow.
    Limit,
}

/// The end of a game: who won, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
}

impl fmt::Display for Outcome {
    /// A plain sentence such as `White wins: Black has no stones`.
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
