//! The static evaluation, behind one interface.
//!
//! There are two: a network, and a hand-made one for rules that no network suits. Both count in internal
//! units of the search, about a hundred per stone.
//!
//! Depends on the board, the networks and, for mobility and captures, the rules.

mod evaluation;
mod handmade;

pub use evaluation::{Evaluation, EvaluationKind, Explanation, Parts, network_suits};
pub(crate) use handmade::HandMade;

use crate::board::Position;
use crate::network::{Accumulators, Network};

/// The largest static evaluation, either way.
pub(crate) const MOST_EVALUATION: i32 = 20_000;

/// The static evaluation: all that the search needs of it.
pub(crate) trait Evaluator {
    /// The score of `position` for the side to move, in internal units, within ±[`MOST_EVALUATION`].
    ///
    /// `ply` is the distance from the root, by which an incremental evaluation stores its state. The score
    /// does not depend on it.
    ///
    /// Called at quiet positions and at positions where the side to move can capture; there the score
    /// should include the worth of the capture, because quiescence stands pat on it. Both sides have
    /// stones.
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32;
}

/// The evaluation by a network, with its state.
impl Evaluator for (&Network, &mut Accumulators) {
    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.1.evaluate(self.0, position, ply)
    }
}
