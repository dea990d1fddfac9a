//! The evaluation, behind one interface: what a position is worth without looking ahead.
//!
//! There are two: a network, and one made by hand for rules that no network suits. Both count in units of
//! the search, about a hundred to a stone.
//!
//! Knows the board, the networks and, for what a side may do on the board, the rules.

mod evaluation;
mod explanation;
mod handmade;
mod regions;
mod weights;
mod win_rate;

pub use evaluation::{Evaluation, EvaluationKind, UnknownEvaluation, network_suits};
pub use explanation::{Explanation, Parts};
pub(crate) use handmade::HandMade;
pub use win_rate::WinRate;

use crate::board::Position;
use crate::network::{Accumulators, Network};

/// What a position is worth without looking ahead: all that the search asks of an evaluation.
pub(crate) trait Evaluator {
    /// The worth of `position` for the side to move, in units of the search, within ±20,000.
    ///
    /// `ply` says how far from the root it is: an evaluation that goes from one position to the next
    /// remembers by ply. What it says does not depend on it.
    ///
    /// Called at quiet positions and at those where the side to move can capture; there it should
    /// tell what having the captures is worth, for quiescence stands pat on it. Both sides have
    /// stones.
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32;
}

/// The evaluation by a network, for one search thread.
pub(crate) struct NetworkEvaluator<'a> {
    network: &'a Network,
    accumulators: &'a mut Accumulators,
}

impl<'a> NetworkEvaluator<'a> {
    /// The evaluation by `network`, which remembers in `accumulators`.
    pub(crate) fn new(
        network: &'a Network,
        accumulators: &'a mut Accumulators,
    ) -> NetworkEvaluator<'a> {
        NetworkEvaluator {
            network,
            accumulators,
        }
    }
}

impl Evaluator for NetworkEvaluator<'_> {
    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.accumulators.evaluate(self.network, position, ply)
    }
}
