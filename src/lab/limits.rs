//! How large weights may be for the quantised network to hold them and their sums.
//!
//! Quantised, a weight of a window is 8 bits with 153 for 1.0; a hidden sum is 16 bits with 153 for 1.0, so
//! that it has to stay within ±214; bucket weights are 8 bits with 64 for 1.0; an output is 32 bits with
//! 153 · 153 · 64 for 1.0, so that it has to stay within ±1,433.

use std::ops::Range;

use super::pass::Layers;
use vato_engine::network::{
    BUCKETS, FeatureGroup, HIDDEN, INPUT_WEIGHTS, MOST_WINDOW_WEIGHT, PARAMETERS, WINDOW_WEIGHTS,
    feature_groups,
};

/// The limit of other input weights and hidden biases.
const INPUT: f32 = 8.0;
/// The limit of bucket weights.
const HEAD: f32 = 127.0 / 64.0;
/// The limit of the buckets' biases.
const HEAD_BIAS: f32 = 500.0;

/// The most of hidden sums, with a reserve for rounding: a hundred weights are off by 0.3 at most.
const HIDDEN_SUM: f32 = 210.0;
/// What outputs may come to, with a reserve for rounding: a thousand weights are off by 8 at most.
const OUTPUT: f32 = 500.0;

/// The numbers of a network in ranges, and the limit of each either way.
pub(super) const OF_NUMBERS: [(Range<usize>, f32); 4] = [
    (0..WINDOW_WEIGHTS, MOST_WINDOW_WEIGHT),
    (WINDOW_WEIGHTS..INPUT_WEIGHTS + HIDDEN, INPUT),
    (INPUT_WEIGHTS + HIDDEN..PARAMETERS - BUCKETS, HEAD),
    (PARAMETERS - BUCKETS..PARAMETERS, HEAD_BIAS),
];

/// Shrinks the weights of every hidden unit and bucket for which some position could lead to a sum that
/// is too large. Hardly ever does anything: units react between 0 and 1 only.
pub(super) fn limit_sums(parameters: &mut [f32]) {
    let layers = Layers::of_mut(parameters);
    let groups = feature_groups();
    for unit in 0..HIDDEN {
        let weight = |feature: usize| layers.inputs[feature][unit];
        let bias = layers.biases[unit];
        let most = largest_sum(&groups, bias, weight);
        let least = largest_sum(&groups, -bias, |feature| -weight(feature));
        let size = most.max(least);
        if size > HIDDEN_SUM {
            let factor = HIDDEN_SUM / size;
            layers.biases[unit] *= factor;
            for row in &mut layers.inputs {
                row[unit] *= factor;
            }
        }
    }
    for (bucket, bias) in layers.buckets.iter_mut().zip(&mut layers.output_biases) {
        let size = bucket.iter().map(|weight| weight.abs()).sum::<f32>() + bias.abs();
        if size > OUTPUT {
            let factor = OUTPUT / size;
            *bias *= factor;
            bucket.iter_mut().for_each(|weight| *weight *= factor);
        }
    }
}

/// An upper bound of a hidden sum over all positions, partial sums included.
fn largest_sum(groups: &[FeatureGroup], bias: f32, weight: impl Fn(usize) -> f32) -> f32 {
    let largest = |group: &FeatureGroup| {
        let weights = group.features.iter().map(|&feature| weight(feature.into()));
        weights.fold(0.0, f32::max)
    };
    groups.iter().map(largest).sum::<f32>() + bias.max(0.0)
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::pass::tests::random_stones;
    use crate::trainer::initial_parameters;
    use vato_engine::network::{Active, FEATURES, Header, Network, WdlModel, active_features};

    #[test]
    fn no_position_has_a_larger_sum_than_the_bound() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let weights: Vec<f32> = (0..FEATURES)
            .map(|_| random.random_range(-1.0..1.0))
            .collect();
        let bound = largest_sum(&feature_groups(), 0.25, |feature| weights[feature]);
        for _ in 0..300 {
            let [own, other] = random_stones(&mut random);
            let mut active = Active::new();
            active_features(own, other, &mut active);
            let sum: f32 = active.iter().map(|&on| weights[usize::from(on)]).sum();
            assert!(sum + 0.25 <= bound);
        }
    }

    /// The network itself looks at sums once more: with the largest weights of either sign, nothing but
    /// the limits keeps them from overflowing.
    #[test]
    fn what_was_limited_can_be_quantised() {
        for sign in [1.0, -1.0] {
            let mut parameters = initial_parameters(1);
            parameters[..WINDOW_WEIGHTS].fill(sign * MOST_WINDOW_WEIGHT);
            parameters[WINDOW_WEIGHTS..INPUT_WEIGHTS].fill(sign * INPUT);
            let network = |parameters: &[f32]| {
                let header = Header::new(300.0, 100.0, WdlModel::CLASSICAL, String::new());
                Network::quantise(header, parameters)
            };
            assert!(network(&parameters).is_err());
            limit_sums(&mut parameters);
            assert!(network(&parameters).is_ok());
        }
    }

    #[test]
    fn only_what_is_too_large_shrinks() {
        let small = initial_parameters(1);
        let mut parameters = small.clone();
        limit_sums(&mut parameters);
        assert_eq!(small[..], parameters[..]);

        let buckets = INPUT_WEIGHTS + HIDDEN;
        for number in &mut parameters[..buckets] {
            *number *= 1_000.0;
        }
        let last = parameters.len() - 1;
        parameters[last] = -9_000.0;
        limit_sums(&mut parameters);
        let groups = feature_groups();
        for unit in 0..HIDDEN {
            let bias = parameters[INPUT_WEIGHTS + unit];
            let weight = |feature: usize| parameters[feature * HIDDEN + unit];
            assert!(largest_sum(&groups, bias, weight) <= HIDDEN_SUM + 0.01);
            assert!(largest_sum(&groups, -bias, |feature| -weight(feature)) <= HIDDEN_SUM + 0.01);
        }
        assert!(parameters[last] >= -500.0);
        // The other buckets stay.
        assert_eq!(parameters[buckets], small[buckets]);
    }
}
