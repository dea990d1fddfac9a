//! The optimiser: Adam (Kingma and Ba, 2014, <https://arxiv.org/abs/1412.6980>), with the constants
//! that its authors propose.

use rayon::prelude::*;

use super::limits;
use vato_engine::network::Aligned;

/// Decay of the mean of the gradients (β₁).
const FIRST_DECAY: f32 = 0.9;
/// Decay of the mean of their squares (β₂).
const SECOND_DECAY: f32 = 0.999;
/// Added to the divisor to avoid division by zero (ε).
const EPSILON: f32 = 1e-8;

/// Parameters whose gradients are summed together.
const BLOCK: usize = 256;
/// Blocks per work item of a thread, at least.
const BLOCKS: usize = 16;

pub(super) struct Adam {
    pub(super) steps: u64,
    /// The running means of the gradients.
    pub(super) first: Aligned<f32>,
    /// The running means of their squares.
    pub(super) second: Aligned<f32>,
}

impl Adam {
    pub(super) fn new(parameters: usize) -> Adam {
        Adam {
            steps: 0,
            first: Aligned::zeros(parameters),
            second: Aligned::zeros(parameters),
        }
    }

    /// Moves the parameters against the sum of the gradients, which are added in their order, and
    /// keeps them within their limits.
    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        gradients: &[&[f32]],
        learning_rate: f32,
    ) {
        self.steps += 1;
        let correction = |decay: f32| 1.0 - f64::from(decay).powf(self.steps as f64);
        let rate = (f64::from(learning_rate) / correction(FIRST_DECAY)) as f32;
        let second_correction = (1.0 / correction(SECOND_DECAY)) as f32;
        for (range, limit) in limits::OF_NUMBERS {
            parameters[range.clone()]
                .par_chunks_mut(BLOCK)
                .zip(self.first[range.clone()].par_chunks_mut(BLOCK))
                .zip(self.second[range.clone()].par_chunks_mut(BLOCK))
                .enumerate()
                .with_min_len(BLOCKS)
                .for_each(|(block, ((parameters, first), second))| {
                    let start = range.start + block * BLOCK;
                    let mut sums = [0.0_f32; BLOCK];
                    for gradient in gradients {
                        let gradient = &gradient[start..start + parameters.len()];
                        for (sum, part) in sums.iter_mut().zip(gradient) {
                            *sum += part;
                        }
                    }
                    for (((parameter, first), second), gradient) in
                        parameters.iter_mut().zip(first).zip(second).zip(sums)
                    {
                        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
                        *second =
                            SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * (gradient * gradient);
                        let size = (*second * second_correction).sqrt() + EPSILON;
                        *parameter = (*parameter - rate * *first / size).clamp(-limit, limit);
                    }
                });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::network::{
        BUCKETS, HIDDEN, INPUT_WEIGHTS, MOST_WINDOW_WEIGHT, PARAMETERS, WINDOW_WEIGHTS,
    };

    /// The first step goes by the learning rate against the sign of the sum of the gradients, whatever
    /// its size; the second is that of the paper.
    #[test]
    fn steps_are_those_of_the_paper() {
        let count = PARAMETERS;
        let mut parameters = Aligned::zeros(count);
        let mut adam = Adam::new(count);
        let half: Vec<f32> = (0..count).map(|place| place as f32 - 1_000.5).collect();
        adam.step(&mut parameters, &[&half, &half], 0.01);
        for (parameter, gradient) in parameters.iter().zip(&half) {
            assert!((parameter + 0.01 * gradient.signum()).abs() < 1e-7);
        }
        let before = parameters.clone();
        let ones = vec![1.0; count];
        adam.step(&mut parameters, &[&ones], 0.01);
        for place in 0..count {
            let gradient = 2.0 * f64::from(half[place]);
            let first = (0.9 * 0.1 * gradient + 0.1) / (1.0 - 0.81);
            let second = (0.999 * 0.001 * gradient * gradient + 0.001) / (1.0 - 0.998_001);
            let wanted = f64::from(before[place]) - 0.01 * first / second.sqrt();
            assert!((f64::from(parameters[place]) - wanted).abs() < 1e-6);
        }
    }

    #[test]
    fn weights_stay_within_their_limits() {
        let count = PARAMETERS;
        let mut parameters = Aligned::zeros(count);
        let mut adam = Adam::new(count);
        let up = vec![-1.0; count];
        for _ in 0..20 {
            adam.step(&mut parameters, &[&up], 1.0);
        }
        let buckets = INPUT_WEIGHTS + HIDDEN;
        let (windows, others) = parameters[..buckets].split_at(WINDOW_WEIGHTS);
        assert!(windows.iter().all(|&weight| weight == MOST_WINDOW_WEIGHT));
        assert!(others.iter().all(|&weight| weight == 8.0));
        let weights = &parameters[buckets..count - BUCKETS];
        assert!(weights.iter().all(|&weight| weight == 127.0 / 64.0));
        assert!(parameters[count - 1] > 19.0);
    }
}
