//! Losses and gradients of many positions, each through the network, forth and back.
//!
//! The first layer is sparse: only rows of features that are on are read, and only their gradients
//! written.

use bytemuck::{Pod, Zeroable};

use super::data_set::{Example, sigmoid};
use vato_engine::board::{Bitboard, BoardSize, Symmetry};
use vato_engine::network::{
    Active, Aligned, BUCKETS, FEATURES, HIDDEN, OUTPUT_WEIGHTS, PARAMETERS, active_features,
    output_bucket,
};
use vato_engine::random::split_mix;

/// Numbers that are worked on at a time: the number of hidden units is a multiple of it.
const BLOCK: usize = 32;
const BLOCKS: usize = HIDDEN / BLOCK;

type Block = [f32; BLOCK];

/// The numbers of a network, or their gradients, by what they are.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Layers {
    /// Weights of the first layer: one row of hidden units for each feature.
    pub(super) inputs: [[f32; HIDDEN]; FEATURES],
    pub(super) biases: [f32; HIDDEN],
    pub(super) buckets: [[f32; OUTPUT_WEIGHTS]; BUCKETS],
    pub(super) output_biases: [f32; BUCKETS],
}

impl Layers {
    #[inline(always)]
    fn of(parameters: &[f32]) -> &Layers {
        bytemuck::from_bytes(bytemuck::cast_slice(parameters))
    }

    #[inline(always)]
    pub(super) fn of_mut(parameters: &mut [f32]) -> &mut Layers {
        bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(parameters))
    }
}

#[inline(always)]
fn blocks(numbers: &[f32]) -> &[Block] {
    numbers.as_chunks().0
}

#[inline(always)]
fn blocks_mut(numbers: &mut [f32]) -> &mut [Block] {
    numbers.as_chunks_mut().0
}

/// What is known of a position on its way through a network; used for one after the other.
pub(super) struct Pass {
    /// The features that are on in each view.
    active: [Active; 2],
    /// The sums of the hidden units, view by view.
    hidden: Aligned<f32>,
    /// The bucket that serves the position.
    bucket: usize,
}

impl Pass {
    pub(super) fn new() -> Pass {
        Pass {
            active: [Active::new(), Active::new()],
            hidden: Aligned::zeros(OUTPUT_WEIGHTS),
            bucket: 0,
        }
    }

    /// The output for these stones: the logit of the points that the side to move can expect.
    #[inline(always)]
    pub(super) fn forward(&mut self, parameters: &[f32], own: Bitboard, other: Bitboard) -> f32 {
        let layers = Layers::of(parameters);
        self.bucket = output_bucket(own.count() + other.count());
        let weights = blocks(&layers.buckets[self.bucket]);
        let hidden = blocks_mut(&mut self.hidden);
        let mut lanes: Block = [0.0; BLOCK];
        for (view, (own, other)) in [(own, other), (other, own)].into_iter().enumerate() {
            let active = &mut self.active[view];
            active_features(own, other, active);
            for block in 0..BLOCKS {
                let mut sums = blocks(&layers.biases)[block];
                for &feature in active.iter() {
                    let row = &blocks(&layers.inputs[usize::from(feature)])[block];
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum += weight;
                    }
                }
                let place = view * BLOCKS + block;
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
        let gradient = Layers::of_mut(gradient);
        let weights = blocks(&Layers::of(parameters).buckets[self.bucket]);
        let weight_gradients = blocks_mut(&mut gradient.buckets[self.bucket]);
        let hidden = blocks(&self.hidden);
        gradient.output_biases[self.bucket] += slope;
        for view in 0..2 {
            for block in 0..BLOCKS {
                let place = view * BLOCKS + block;
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
                let biases = &mut blocks_mut(&mut gradient.biases)[block];
                for (bias, unit) in biases.iter_mut().zip(&slopes) {
                    *bias += unit;
                }
                for &feature in &self.active[view] {
                    let row = &mut blocks_mut(&mut gradient.inputs[usize::from(feature)])[block];
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

    /// Finds the sum of the losses of the part's examples, the squared differences of expected points and target, and the
    /// gradient of that sum times `weight`.
    pub(super) fn differentiate(&mut self, parameters: &[f32], weight: f32) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        for example in &self.examples {
            let output = self.pass.forward(parameters, example.own, example.other);
            let expected = sigmoid(output);
            let error = expected - example.target;
            self.loss += f64::from(error * error);
            let slope = 2.0 * error * expected * (1.0 - expected) * weight;
            self.pass.backward(parameters, slope, &mut self.gradient);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::trainer::initial_parameters;
    use vato_engine::network::INPUT_WEIGHTS;

    /// Stones of both sides, strewn over the board.
    pub(crate) fn random_stones(random: &mut ChaCha8Rng) -> [Bitboard; 2] {
        loop {
            let density: f64 = random.random_range(0.05..0.95);
            let mut stones = [0_u64; 2];
            for bit in 0..49 {
                if random.random_bool(density) {
                    stones[usize::from(random.random_bool(0.5))] |= 1 << bit;
                }
            }
            let stones = stones.map(Bitboard::from_bits);
            if stones.iter().all(|side| !side.is_empty()) {
                return stones;
            }
        }
    }

    /// The output, straight from the definition, in double precision.
    fn defined(parameters: &[f64], stones: [Bitboard; 2]) -> f64 {
        let bucket = output_bucket(stones[0].count() + stones[1].count());
        let output_weights = INPUT_WEIGHTS + HIDDEN + bucket * OUTPUT_WEIGHTS;
        let mut output = parameters[PARAMETERS - BUCKETS + bucket];
        for view in 0..2 {
            let mut active = Active::new();
            active_features(stones[view], stones[1 - view], &mut active);
            for unit in 0..HIDDEN {
                let mut sum = parameters[INPUT_WEIGHTS + unit];
                for &feature in &active {
                    sum += parameters[usize::from(feature) * HIDDEN + unit];
                }
                let activation = sum.clamp(0.0, 1.0).powi(2);
                output += activation * parameters[output_weights + view * HIDDEN + unit];
            }
        }
        output
    }

    #[test]
    fn outputs_are_those_of_the_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let parameters = initial_parameters(11);
        let wide: Vec<f64> = parameters.iter().map(|&number| number.into()).collect();
        let mut pass = Pass::new();
        for _ in 0..100 {
            let stones = random_stones(&mut random);
            let output = pass.forward(&parameters, stones[0], stones[1]);
            let expected = defined(&wide, stones);
            assert!((f64::from(output) - expected).abs() < 1e-5);
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
        let mut parameters = initial_parameters(12);
        // Not all biases the same, and none of the buckets' 0.
        for number in &mut parameters[INPUT_WEIGHTS..] {
            *number += random.random_range(-0.2..0.2);
        }
        let mut wide: Vec<f64> = parameters.iter().map(|&number| number.into()).collect();
        let mut pass = Pass::new();
        let mut checked = 0;
        while checked < 3 {
            let stones = random_stones(&mut random);
            pass.forward(&parameters, stones[0], stones[1]);
            if !is_smooth(&pass) {
                continue;
            }
            checked += 1;
            let mut gradient = Aligned::zeros(PARAMETERS);
            pass.backward(&parameters, 0.5, &mut gradient);
            // Of the input weights a part: of the features that are on, and of others.
            let active = pass.active.clone();
            let on = active.iter().flatten();
            let on = on.map(|&feature| usize::from(feature) * HIDDEN + 5);
            let places = on.chain((0..INPUT_WEIGHTS).step_by(1_999));
            for place in places.chain((INPUT_WEIGHTS..PARAMETERS).step_by(7)) {
                let before = wide[place];
                wide[place] = before + STEP;
                let above = defined(&wide, stones);
                wide[place] = before - STEP;
                let below = defined(&wide, stones);
                wide[place] = before;
                let expected = 0.5 * (above - below) / (2.0 * STEP);
                let found = f64::from(gradient[place]);
                assert!(
                    (found - expected).abs() < 1e-5 + 1e-4 * expected.abs(),
                    "number {place}: {found}, expected {expected}"
                );
            }
        }
    }

    #[test]
    fn gradients_of_several_positions_add_up() {
        let parameters = initial_parameters(13);
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let mut pass = Pass::new();
        let mut together = Aligned::zeros(PARAMETERS);
        let mut sum = vec![0.0; PARAMETERS];
        for _ in 0..5 {
            let [own, other] = random_stones(&mut random);
            pass.forward(&parameters, own, other);
            pass.backward(&parameters, 1.0, &mut together);
            let mut alone = Aligned::zeros(PARAMETERS);
            pass.backward(&parameters, 1.0, &mut alone);
            for (sum, number) in sum.iter_mut().zip(alone.iter()) {
                *sum += number;
            }
        }
        let mut pairs = sum.iter().zip(together.iter());
        assert!(pairs.all(|(sum, number)| (sum - number).abs() < 1e-5));
        assert!(sum.iter().any(|&number| number != 0.0));
    }

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
