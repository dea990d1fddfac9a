//! Engines: starting them, talking to them, and what can go wrong with them.
//!
//! Everything that is said goes through the types of [`crate::protocol`], from the other side.

mod affinity;
mod inbox;
mod player;
mod process;
mod rules_support;
mod start;
mod traffic;

use std::time::Duration;

pub(super) use affinity::available as available_processors;
pub(super) use player::Player;
pub(super) use start::Launch;
pub use start::StartError;
pub(super) use traffic::Traffic;

use crate::notation::pgn::Termination;
use crate::protocol::{BestMove, Info};

/// The answer to `go`.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    /// The move.
    pub(super) best: BestMove,
    /// The line that said so.
    pub(super) line: String,
    /// From the command to its answer.
    pub(super) elapsed: Duration,
    /// The last `info` with a score (of the best line).
    pub(super) info: Option<Info>,
    /// The last line of play.
    pub(super) pv: Vec<String>,
    /// An `info` line that does not read, and what is wrong with it.
    pub(super) bad_info: Option<String>,
}

/// What an engine did that costs it the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Of which kind.
    pub(super) termination: Termination,
    /// What happened, as the end of a sentence that begins with the engine's name.
    pub(super) what: String,
    /// The line that shows it.
    pub(super) line: Option<String>,
}

/// Why a talk with an engine came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The engine's fault.
    Fault(Fault),
    /// The match is to stop now.
    Interrupted,
}
