//! One position through the network, forth and back.
//!
//! Everything here is compiled into its callers, for the instruction set that they are compiled for.
//! The first layer is sparse: only rows of features that are on are read, and only their gradients
//! written.

use crate::board::Bitboard;
use crate::network::Aligned;
use crate::network::{Active, Architecture};

/// Numbers that are worked on at a time: the number of hidden units is a multiple of it.
const BLOCK: usize = 32;

type Block = [f32; BLOCK];

/// The numbers of a network, or their gradients, by what they are.
struct Layers<'a> {
    /// Weights of the first layer: one row of hidden units for each feature.
    inputs: &'a [Block],
    /// Hidden biases.
    biases: &'a [Block],
    /// Weights of all buckets.
    buckets: &'a [Block],
    output_biases: &'a [f32],
}

struct LayersMut<'a> {
    inputs: &'a mut [Block],
    biases: &'a mut [Block],
    buckets: &'a mut [Block],
    output_biases: &'a mut [f32],
}

#[inline(always)]
fn layers<'a>(architecture: &Architecture, parameters: &'a [f32]) -> Layers<'a> {
    let (inputs, rest) = parameters.split_at(architecture.input_weights());
    let (biases, rest) = rest.split_at(architecture.hidden);
    let weights = architecture.buckets.count() * architecture.output_weights();
    let (buckets, output_biases) = rest.split_at(weights);
    Layers {
        inputs: inputs.as_chunks().0,
        biases: biases.as_chunks().0,
        buckets: buckets.as_chunks().0,
        output_biases,
    }
}

#[inline(always)]
fn layers_mut<'a>(architecture: &Architecture, gradient: &'a mut [f32]) -> LayersMut<'a> {
    let (inputs, rest) = gradient.split_at_mut(architecture.input_weights());
    let (biases, rest) = rest.split_at_mut(architecture.hidden);
    let weights = architecture.buckets.count() * architecture.output_weights();
    let (buckets, output_biases) = rest.split_at_mut(weights);
    LayersMut {
        inputs: inputs.as_chunks_mut().0,
        biases: biases.as_chunks_mut().0,
        buckets: buckets.as_chunks_mut().0,
        output_biases,
    }
}

/// What is known of a position on its way through a network; made once and used for one after the
/// other.
pub(super) struct Pass {
    architecture: Architecture,
    /// The features that are on in each view.
    active: [Active; 2],
    /// The sums of the hidden units, view by view.
    hidden: Aligned<f32>,
    /// The bucket that serves the position.
    bucket: usize,
}

impl Pass {
    pub(super) fn new(architecture: Architecture) -> Pass {
        Pass {
            architecture,
            active: [Active::new(), Active::new()],
            hidden: Aligned::zeros(architecture.output_weights()),
            bucket: 0,
        }
    }

    /// The output for these stones: the logit of the points that the side to move can expect.
    #[inline(always)]
    pub(super) fn forward(&mut self, parameters: &[f32], own: Bitboard, other: Bitboard) -> f32 {
        let architecture = self.architecture;
        let layers = layers(&architecture, parameters);
        let blocks = architecture.hidden / BLOCK;
        let views = architecture.perspectives.count();
        self.bucket = architecture.buckets.bucket(own.count() + other.count());
        let weights = &layers.buckets[self.bucket * views * blocks..][..views * blocks];
        let hidden = self.hidden.as_chunks_mut::<BLOCK>().0;
        let mut lanes: Block = [0.0; BLOCK];
        for view in 0..views {
            let (own, other) = if view == 0 {
                (own, other)
            } else {
                (other, own)
            };
            let active = &mut self.active[view];
            architecture.features.active(own, other, active);
            for block in 0..blocks {
                let mut sums = layers.biases[block];
                for &feature in active.iter() {
                    let row = &layers.inputs[usize::from(feature) * blocks + block];
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum += weight;
                    }
                }
                let place = view * blocks + block;
                hidden[place] = sums;
                for ((lane, sum), weight) in lanes.iter_mut().zip(&sums).zip(&weights[place]) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *lane += clipped * clipped * weight;
                }
            }
        }
        layers.output_biases[self.bucket] + sum_of(lanes)
    }

    /// Adds to `gradient` that of the position that went forth last, where `slope` is the derivative
    /// of the loss by the output.
    #[inline(always)]
    pub(super) fn backward(&self, parameters: &[f32], slope: f32, gradient: &mut [f32]) {
        let architecture = &self.architecture;
        let layers = layers(architecture, parameters);
        let gradient = layers_mut(architecture, gradient);
        let blocks = architecture.hidden / BLOCK;
        let views = architecture.perspectives.count();
        let weights = &layers.buckets[self.bucket * views * blocks..][..views * blocks];
        let weight_gradients =
            &mut gradient.buckets[self.bucket * views * blocks..][..views * blocks];
        let hidden = self.hidden.as_chunks::<BLOCK>().0;
        gradient.output_biases[self.bucket] += slope;
        for view in 0..views {
            for block in 0..blocks {
                let place = view * blocks + block;
                let mut slopes: Block = [0.0; BLOCK];
                for (((unit, sum), weight), weight_gradient) in slopes
                    .iter_mut()
                    .zip(&hidden[place])
                    .zip(&weights[place])
                    .zip(&mut weight_gradients[place])
                {
                    let clipped = sum.clamp(0.0, 1.0);
                    *weight_gradient += slope * (clipped * clipped);
                    // The square clipped ReLU rises between 0 and 1 only.
                    let rise = if *sum < 1.0 { 2.0 * clipped } else { 0.0 };
                    *unit = slope * weight * rise;
                }
                for (bias, unit) in gradient.biases[block].iter_mut().zip(&slopes) {
                    *bias += unit;
                }
                for &feature in &self.active[view] {
                    let row = &mut gradient.inputs[usize::from(feature) * blocks + block];
                    for (weight, unit) in row.iter_mut().zip(&slopes) {
                        *weight += unit;
                    }
                }
            }
        }
    }
}

/// The sum, in an order that suits vectors of any length.
#[inline(always)]
fn sum_of(mut lanes: Block) -> f32 {
    let mut width = BLOCK / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

#[cfg(test)]
pub(super) mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::network::{FeatureSet, OutputBuckets, Perspectives};
    use crate::training::schedule::initial_parameters;

    /// All kinds of small networks.
    fn architectures() -> Vec<Architecture> {
        let mut all = Vec::new();
        for features in FeatureSet::ALL {
            for perspectives in [Perspectives::Single, Perspectives::Double] {
                for buckets in [OutputBuckets::One, OutputBuckets::Stones] {
                    all.push(Architecture {
                        features,
                        hidden: 32,
                        perspectives,
                        buckets,
                    });
                }
            }
        }
        all
    }

    /// Stones of both sides, strewn over the board.
    pub(in crate::training) fn random_stones(random: &mut ChaCha8Rng) -> [Bitboard; 2] {
        loop {
            let density: f64 = random.random_range(0.05..0.95);
            let (mut own, mut other) = (0, 0);
            for bit in 0..49 {
                if random.random_bool(density) {
                    if random.random_bool(0.5) {
                        own |= 1_u64 << bit;
                    } else {
                        other |= 1_u64 << bit;
                    }
                }
            }
            let stones = [own, other].map(Bitboard::from_bits);
            if stones.iter().all(|side| !side.is_empty()) {
                return stones;
            }
        }
    }

    /// The output, straight from the definition, in double precision.
    fn defined(architecture: &Architecture, parameters: &[f64], stones: [Bitboard; 2]) -> f64 {
        let hidden = architecture.hidden;
        let buckets = architecture.input_weights() + hidden;
        let bucket = architecture
            .buckets
            .bucket(stones[0].count() + stones[1].count());
        let output_weights = buckets + bucket * architecture.output_weights();
        let output_biases = buckets + architecture.buckets.count() * architecture.output_weights();
        let mut output = parameters[output_biases + bucket];
        for view in 0..architecture.perspectives.count() {
            let mut active = Active::new();
            let (own, other) = (stones[view], stones[1 - view]);
            architecture.features.active(own, other, &mut active);
            for unit in 0..hidden {
                let mut sum = parameters[architecture.input_weights() + unit];
                for &feature in &active {
                    sum += parameters[usize::from(feature) * hidden + unit];
                }
                let activation = sum.clamp(0.0, 1.0).powi(2);
                output += activation * parameters[output_weights + view * hidden + unit];
            }
        }
        output
    }

    #[test]
    fn outputs_are_those_of_the_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for architecture in architectures() {
            let parameters = initial_parameters(&architecture, 11);
            let wide: Vec<f64> = parameters.iter().map(|&number| number.into()).collect();
            let mut pass = Pass::new(architecture);
            for _ in 0..50 {
                let stones = random_stones(&mut random);
                let output = pass.forward(&parameters, stones[0], stones[1]);
                let wanted = defined(&architecture, &wide, stones);
                assert!(
                    (f64::from(output) - wanted).abs() < 1e-5,
                    "{architecture:?}"
                );
            }
        }
    }

    /// Whether every sum of the hidden units is so far from 0 and 1, where the slope jumps, that the
    /// differences below do not straddle a jump.
    fn is_smooth(pass: &Pass) -> bool {
        let far = |sum: &f32| sum.abs() > 1e-3 && (sum - 1.0).abs() > 1e-3;
        pass.hidden.iter().all(far)
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        const STEP: f64 = 1e-5;
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for architecture in architectures() {
            let mut parameters = initial_parameters(&architecture, 12);
            // Not all biases the same, and none of the buckets' 0.
            for number in &mut parameters[architecture.input_weights()..] {
                *number += random.random_range(-0.2..0.2);
            }
            let mut wide: Vec<f64> = parameters.iter().map(|&number| number.into()).collect();
            let mut pass = Pass::new(architecture);
            let mut checked = 0;
            while checked < 3 {
                let stones = random_stones(&mut random);
                pass.forward(&parameters, stones[0], stones[1]);
                if !is_smooth(&pass) {
                    continue;
                }
                checked += 1;
                let mut gradient = Aligned::zeros(architecture.parameters());
                pass.backward(&parameters, 0.5, &mut gradient);
                for place in 0..wide.len() {
                    // Of the many input weights a part will do.
                    if place < architecture.input_weights() && !place.is_multiple_of(13) {
                        continue;
                    }
                    let before = wide[place];
                    wide[place] = before + STEP;
                    let above = defined(&architecture, &wide, stones);
                    wide[place] = before - STEP;
                    let below = defined(&architecture, &wide, stones);
                    wide[place] = before;
                    let wanted = 0.5 * (above - below) / (2.0 * STEP);
                    let found = f64::from(gradient[place]);
                    assert!(
                        (found - wanted).abs() < 1e-5 + 1e-4 * wanted.abs(),
                        "{architecture:?}, number {place}: {found}, want {wanted}"
                    );
                }
            }
        }
    }

    #[test]
    fn gradients_of_several_positions_add_up() {
        let architecture = Architecture {
            hidden: 64,
            ..Architecture::default()
        };
        let parameters = initial_parameters(&architecture, 13);
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let mut pass = Pass::new(architecture);
        let mut together = Aligned::zeros(architecture.parameters());
        let mut sum = vec![0.0; architecture.parameters()];
        for _ in 0..5 {
            let [own, other] = random_stones(&mut random);
            pass.forward(&parameters, own, other);
            pass.backward(&parameters, 1.0, &mut together);
            let mut alone = Aligned::zeros(architecture.parameters());
            pass.backward(&parameters, 1.0, &mut alone);
            sum.iter_mut()
                .zip(alone.iter())
                .for_each(|(sum, number)| *sum += number);
        }
        assert!(
            sum.iter()
                .zip(together.iter())
                .all(|(a, b)| (a - b).abs() < 1e-5)
        );
        assert!(sum.iter().any(|&number| number != 0.0));
    }
}
