//! A network as an evaluation.

use super::Evaluator;
use crate::board::Position;
use crate::network::{Accumulators, Network};

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
