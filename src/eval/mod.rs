//! The evaluation, behind one interface: what a quiet position is worth.
//!
//! Knows the board and, for what a side may do there, the rules.

mod handmade;
mod regions;
mod weights;
mod win_rate;

pub(crate) use handmade::HandMade;
pub use handmade::{evaluate, explain};
pub use win_rate::{WinRate, win_rate};

use crate::board::Position;

/// What a quiet position is worth: the one thing that the search asks of an evaluation.
pub(crate) trait Evaluator {
    /// The worth of `position` for the side to move, in centi-stones.
    ///
    /// Called at positions where the side to move has no capture, and as a first guess elsewhere;
    /// both sides have stones.
    fn evaluate(&self, position: &Position) -> i32;
}
