//! The output layer, trained further while it is used.

use super::aligned::Aligned;
use super::architecture::ACTIVATION_ONE;
use super::quantised::{OUTPUT_ONE, OUTPUT_WEIGHT_ONE};
use super::weights::MOST_OUTPUT_WEIGHT;
use super::{Accumulators, BUCKETS, Network, OUTPUT_WEIGHTS, output_bucket};
use crate::board::Position;

/// A copy of the output layer of a network: real numbers, which are trained, and the integers that they are rounded to,
/// which evaluate.
pub struct LearnedOutputs<'a> {
    network: &'a Network,
    weights: Vec<f32>,
    rounded: Aligned<i16>,
    biases: [f32; BUCKETS],
}

impl<'a> LearnedOutputs<'a> {
    /// The output layer of `network`.
    pub fn new(network: &'a Network) -> LearnedOutputs<'a> {
        let (outputs, biases) = (&network.weights.outputs, network.weights.output_biases);
        let one = f32::from(OUTPUT_WEIGHT_ONE);
        let real = outputs.iter().map(|&weight| f32::from(weight) / one);
        LearnedOutputs {
            network,
            weights: real.collect(),
            rounded: outputs.clone(),
            biases: biases.map(|bias| bias as f32 / OUTPUT_ONE as f32),
        }
    }

    /// [`Accumulators::evaluate`] with this output layer.
    pub fn evaluate(
        &self,
        accumulators: &mut Accumulators,
        position: &Position,
        ply: usize,
    ) -> i32 {
        let bucket = output_bucket(position.occupied().count());
        let bias = (self.biases[bucket] * OUTPUT_ONE as f32) as i32;
        let [own, other] = [0, 1].map(|view| &self.rounded.as_chunks().0[2 * bucket + view]);
        let views = accumulators.views(self.network, position, ply);
        self.network.score_by(views, [own, other], bias)
    }

    /// Adds `step` times the gradient of the output, which is 1 for a score of the network's `search_scale`, at `position` to
    /// weights and bias. `step` may be any number: all stay within the greatest weight, with which no sum overflows.
    pub fn learn(
        &mut self,
        accumulators: &mut Accumulators,
        position: &Position,
        ply: usize,
        step: f32,
    ) {
        let bucket = output_bucket(position.occupied().count());
        let one = f32::from(OUTPUT_WEIGHT_ONE);
        let most = f32::from(MOST_OUTPUT_WEIGHT) / one;
        self.biases[bucket] = (self.biases[bucket] + step).clamp(-most, most);
        let range = bucket * OUTPUT_WEIGHTS..(bucket + 1) * OUTPUT_WEIGHTS;
        let weights = std::iter::zip(&mut self.weights[range.clone()], &mut self.rounded[range]);
        let sums = accumulators.views(self.network, position, ply).into_iter();
        for ((weight, rounded), &sum) in weights.zip(sums.flatten()) {
            // The output is the sum of the weights times the squares of the activations.
            let activation = f32::from(sum.clamp(0, ACTIVATION_ONE)) / f32::from(ACTIVATION_ONE);
            *weight = (*weight + step * activation * activation).clamp(-most, most);
            // To the nearest: of a positive number the cast takes the integer below.
            *rounded = ((*weight + most) * one + 0.5) as i16 - MOST_OUTPUT_WEIGHT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::samples::{network, random_positions};

    #[test]
    fn the_copy_gives_the_scores_of_the_network() {
        let network = network(3);
        let outputs = LearnedOutputs::new(&network);
        let mut accumulators = Accumulators::new(&network, 1);
        for position in random_positions(200) {
            let expected = network.evaluate(position.own(), position.enemy());
            assert_eq!(outputs.evaluate(&mut accumulators, &position, 0), expected);
        }
    }

    #[test]
    fn it_learns_what_it_is_told() {
        let network = network(5);
        let mut outputs = LearnedOutputs::new(&network);
        let mut accumulators = Accumulators::new(&network, 1);
        let positions = random_positions(40);
        let is_right = |score: i32, place: usize| (score > 0) == (place.is_multiple_of(2));
        let score = |position: &Position| network.evaluate(position.own(), position.enemy());
        let before = positions.iter().map(score).enumerate();
        let before = before.filter(|&(place, score)| is_right(score, place));
        assert!(before.count() < 30);
        let mut right = 0;
        for _ in 0..500 {
            right = 0;
            for (place, position) in positions.iter().enumerate() {
                let score = outputs.evaluate(&mut accumulators, position, 0);
                right += usize::from(is_right(score, place));
                let step = f32::from(u8::from(place.is_multiple_of(2)))
                    - 1.0 / (1.0 + (-score as f32 / 250.0).exp());
                outputs.learn(&mut accumulators, position, 0, 0.01 * step);
            }
        }
        assert_eq!(right, positions.len());
    }

    /// The greatest weights cannot overflow a sum.
    #[test]
    fn weights_stay_in_their_range() {
        let network = network(6);
        let mut outputs = LearnedOutputs::new(&network);
        let mut accumulators = Accumulators::new(&network, 1);
        let steps = [1e9, -1e9, 1e30].into_iter().cycle();
        for (position, step) in random_positions(100).iter().zip(steps) {
            outputs.learn(&mut accumulators, position, 0, step);
            let score = outputs.evaluate(&mut accumulators, position, 0);
            assert_eq!(score > 0, step > 0.0, "{score}");
        }
    }
}
