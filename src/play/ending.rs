//! How a game ended: by the rules, or otherwise.

use std::fmt;

use crate::board::Side;
use crate::notation::pgn::Termination;
use crate::rules::Outcome;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// This side has resigned.
    Resigned(Side),
    /// This side has no time left.
    TimeUp(Side),
}

impl Ending {
    /// The winner, `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(side) | Ending::TimeUp(side) => Some(!side),
        }
    }

    /// The value of the tag `Termination` in a record; `None` for an end by the rules.
    #[must_use]
    pub fn termination(self) -> Option<&'static str> {
        match self {
            Ending::Rules(_) => None,
            Ending::Resigned(_) => Some("resignation"),
            Ending::TimeUp(_) => Some(Termination::TimeLoss.pgn()),
        }
    }
}

impl fmt::Display for Ending {
    /// A plain sentence such as `White wins: Black has resigned`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ending::Rules(outcome) => outcome.fmt(f),
            Ending::Resigned(side) => write!(f, "{} wins: {side} has resigned", !side),
            Ending::TimeUp(side) => write!(f, "{} wins: {side} has no time left", !side),
        }
    }
}
