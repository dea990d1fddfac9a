//! The evaluation, behind one interface: what a position is worth without looking ahead.
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

/// What a position is worth without looking ahead: all that the search asks of an evaluation.
pub(crate) trait Evaluator {
    /// The worth of `position` for the side to move, in centi-stones, within ±20,000.
    ///
    /// Called at quiet positions and at those where the side to move can capture; there it should
    /// tell what having the captures is worth, for quiescence stands pat on it. Both sides have
    /// stones.
    fn evaluate(&self, position: &Position) -> i32;
}
