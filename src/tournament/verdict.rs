//! How a game of a match ended.

use crate::board::Side;
use crate::notation::pgn::Termination;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner, `None` for a draw.
    pub winner: Option<Side>,
    /// Of which kind the end was.
    pub termination: Termination,
    /// Why, as a plain sentence.
    pub reason: String,
    /// The engine's line that shows it, for a fault.
    pub line: Option<String>,
}
