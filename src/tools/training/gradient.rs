//! Losses and gradients of many positions: compiled for several instruction sets, of which the best
//! that the machine has is chosen when it runs. All of them give the same numbers.

use multiversion::multiversion;

use super::data_set::{Example, sigmoid};
use super::pass::Pass;
use vato_engine::board::{BoardSize, Symmetry};
use vato_engine::network::{Aligned, PARAMETERS};
use vato_engine::random::split_mix;

/// The symmetries of the 9x5 board.
const SYMMETRIES: [Symmetry; 4] = [
    Symmetry::IDENTITY,
    Symmetry::HALF_TURN,
    Symmetry::MIRROR_RANKS,
    Symmetry::MIRROR_FILES,
];

/// The symmetry in which an example is seen: from epoch to epoch another one.
fn symmetry(seed: u64, epoch: u32, index: u32) -> Symmetry {
    let random = split_mix(split_mix(seed) ^ (u64::from(epoch) << 32 | u64::from(index)));
    SYMMETRIES[(random >> 62) as usize]
}

/// The part of a batch that is worked on in one go, by one thread.
pub(super) struct Part {
    examples: Vec<Example>,
    pub(super) gradient: Aligned<f32>,
    /// The sum of the squared errors.
    pub(super) loss: f64,
    pass: Pass,
}

impl Part {
    pub(super) fn new(most: usize) -> Part {
        Part {
            examples: Vec::with_capacity(most),
            gradient: Aligned::zeros(PARAMETERS),
            loss: 0.0,
            pass: Pass::new(),
        }
    }

    /// Fetches examples, each in one of its mirror images. Apart from the work on them, so that the
    /// memory can be asked for many at a time.
    pub(super) fn fetch(&mut self, all: &[Example], indices: &[u32], seed: u64, epoch: u32) {
        self.examples.clear();
        self.examples.extend(indices.iter().map(|&index| {
            let example = &all[index as usize];
            let symmetry = symmetry(seed, epoch, index);
            Example {
                own: symmetry.set(BoardSize::STANDARD, example.own),
                other: symmetry.set(BoardSize::STANDARD, example.other),
                ..*example
            }
        }));
    }

    /// Finds the sum of the losses of the part's examples and the gradient of that sum times `weight`.
    pub(super) fn differentiate(&mut self, parameters: &[f32], weight: f32) {
        self.gradient.fill(0.0);
        self.loss = differentiate(
            &mut self.pass,
            parameters,
            &self.examples,
            weight,
            &mut self.gradient,
        );
    }
}

/// The loss is the squared difference of the expected points and the target.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq", "x86_64+avx2"))]
fn differentiate(
    pass: &mut Pass,
    parameters: &[f32],
    examples: &[Example],
    weight: f32,
    gradient: &mut [f32],
) -> f64 {
    let mut loss = 0.0;
    for example in examples {
        let expected = sigmoid(pass.forward(parameters, example.own, example.other));
        let error = expected - example.target;
        loss += f64::from(error * error);
        let slope = 2.0 * error * expected * (1.0 - expected) * weight;
        pass.backward(parameters, slope, gradient);
    }
    loss
}

/// The network's outputs for the examples, in their order; as many as there is room for.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq", "x86_64+avx2"))]
pub(super) fn outputs(
    pass: &mut Pass,
    parameters: &[f32],
    examples: &[Example],
    outputs: &mut [f32],
) {
    for (example, output) in examples.iter().zip(outputs) {
        *output = pass.forward(parameters, example.own, example.other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_symmetries_come_up_and_change_from_epoch_to_epoch() {
        let mut counts = [0; 4];
        let mut changed = 0;
        for index in 0..4_000 {
            let drawn = symmetry(7, 0, index);
            let place = SYMMETRIES.iter().position(|&known| known == drawn);
            counts[place.expect("one of the four")] += 1;
            changed += u32::from(drawn != symmetry(7, 1, index));
        }
        assert!(counts.iter().all(|&count| (900..1_100).contains(&count)));
        assert!((2_850..3_150).contains(&changed), "{changed}");
    }
}
