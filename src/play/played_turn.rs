//! A turn that was played.

use crate::board::{Move, Position};
use crate::clock::PlayerClock;
use crate::notation::pgn::Nag;
use crate::rules::Path;

/// A turn that was played.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The position that it was played at.
    pub before: Position,
    /// How it was played.
    pub path: Path,
    /// What it did.
    pub mv: Move,
    /// What a record says about it: `+0.35/12 0.84s` for a move of the engine's.
    pub comment: Option<String>,
    /// What a record thinks of it; nothing unless it was read from one.
    pub annotations: Vec<Nag>,
    /// The clocks before it.
    pub(super) clocks: Option<[PlayerClock; 2]>,
}
