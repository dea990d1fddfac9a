//! Quantised weights, and the check against overflow.
//!
//! All sums are taken modulo 2^16 and 2^32, so that neither the order of the terms nor what a part of
//! them comes to matters: it is enough that the sum of all terms fits, for every position. That holds
//! for hidden sums that are changed feature by feature, off before on or on before off, and for
//! outputs that are added up in lanes. (The products that make up an output fit by themselves: 153 ×
//! 127 into 16 bits, two of 153 × 153 × 127 into 32.)
//!
//! The weights of windows, of which an evaluation reads some fifty rows, are bytes: with twice the bytes
//! the second-level cache is what the evaluation waits for.

use super::aligned::Aligned;
use super::architecture::ACTIVATION_ONE;
use super::features::{VICTIMS, feature_groups};
use super::simd::{Inputs, Row};
use super::{BUCKETS, HIDDEN, INPUT_WEIGHTS, OUTPUT_WEIGHTS, WINDOW_WEIGHTS};

/// The largest absolute weight of the state of a window, as a real number.
pub const MOST_WINDOW_WEIGHT: f32 = i8::MAX as f32 / ACTIVATION_ONE as f32;
pub(super) const MOST_OUTPUT_WEIGHT: i16 = 127;

/// The integers, in the order of the [parameters](super::PARAMETERS).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// One row of hidden units for each state of each window; 153 is 1.
    pub(super) windows: Aligned<i8>,
    /// One row of hidden units for each of the other features; 153 is 1.
    pub(super) victims: Aligned<i16>,
    /// One for each hidden unit; 153 is 1.
    pub(super) hidden_biases: Aligned<i16>,
    /// For each output bucket the weights of the side to move, then those of the other side; 64 is 1.
    pub(super) outputs: Aligned<i16>,
    /// One for each output bucket; 153 × 153 × 64 is 1.
    pub(super) output_biases: [i32; BUCKETS],
}

impl Weights {
    pub(super) fn zeros() -> Weights {
        Weights {
            windows: Aligned::zeros(WINDOW_WEIGHTS),
            victims: Aligned::zeros(INPUT_WEIGHTS - WINDOW_WEIGHTS),
            hidden_biases: Aligned::zeros(HIDDEN),
            outputs: Aligned::zeros(BUCKETS * OUTPUT_WEIGHTS),
            output_biases: [0; BUCKETS],
        }
    }

    /// The first layer's rows, one for each feature.
    #[inline(always)]
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs {
            windows: self.windows.as_chunks().0,
            victims: self.victims.as_chunks().0,
        }
    }

    fn input(&self, feature: usize, unit: usize) -> i16 {
        match feature.checked_sub(VICTIMS[0]) {
            None => self.windows[feature * HIDDEN + unit].into(),
            Some(victim) => self.victims[victim * HIDDEN + unit],
        }
    }

    /// The weights of an output bucket for the side to move, and for the other.
    #[inline(always)]
    pub(super) fn output(&self, bucket: usize) -> [&Row; 2] {
        let rows = self.outputs.as_chunks().0;
        [&rows[2 * bucket], &rows[2 * bucket + 1]]
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.check_hidden()?;
        self.check_outputs()
    }

    fn check_hidden(&self) -> Result<(), String> {
        let mut lowest: Vec<i32> = self.hidden_biases.iter().copied().map(i32::from).collect();
        let mut highest = lowest.clone();
        for group in feature_groups() {
            let (mut low, mut high) = if group.can_be_off {
                ([0; HIDDEN], [0; HIDDEN])
            } else {
                ([i16::MAX; HIDDEN], [i16::MIN; HIDDEN])
            };
            for feature in group.features {
                for unit in 0..HIDDEN {
                    let weight = self.input(feature.into(), unit);
                    low[unit] = low[unit].min(weight);
                    high[unit] = high[unit].max(weight);
                }
            }
            for unit in 0..HIDDEN {
                lowest[unit] += i32::from(low[unit]);
                highest[unit] += i32::from(high[unit]);
            }
        }
        for (unit, (low, high)) in std::iter::zip(lowest, highest).enumerate() {
            require_bits(16, [low.into(), high.into()], || {
                format!("hidden unit {unit}")
            })?;
        }
        Ok(())
    }

    fn check_outputs(&self) -> Result<(), String> {
        let square = i64::from(ACTIVATION_ONE) * i64::from(ACTIVATION_ONE);
        let outputs = self.outputs.chunks(OUTPUT_WEIGHTS);
        for (bucket, (weights, &bias)) in std::iter::zip(outputs, &self.output_biases).enumerate() {
            let (mut lowest, mut highest) = (i64::from(bias), i64::from(bias));
            for &weight in weights {
                if !(-MOST_OUTPUT_WEIGHT..=MOST_OUTPUT_WEIGHT).contains(&weight) {
                    return Err(format!(
                        "a weight of output bucket {bucket} is {weight}: expected at most \
                         {MOST_OUTPUT_WEIGHT} either way"
                    ));
                }
                lowest += square * i64::from(weight.min(0));
                highest += square * i64::from(weight.max(0));
            }
            require_bits(32, [lowest, highest], || format!("output bucket {bucket}"))?;
        }
        Ok(())
    }
}

/// Checks that the sums of `what` fit into so many bits.
fn require_bits(bits: u32, sums: [i64; 2], what: impl Fn() -> String) -> Result<(), String> {
    match sums
        .iter()
        .find(|&&sum| sum != sum << (64 - bits) >> (64 - bits))
    {
        Some(sum) => Err(format!(
            "{} could come to {sum}, which does not fit into {bits} bits",
            what()
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::network::features::FEATURES;
    use crate::network::samples::header;
    use crate::network::{Network, PARAMETERS, SimdLevel};

    /// With this weight for each of `features` at unit 5, or as much of it as that of a window can be, and this
    /// bias there.
    type Checked = Result<(), String>;

    fn hidden_sum(on: impl Iterator<Item = usize>, weight: i16, bias: i16) -> Checked {
        let mut weights = Weights::zeros();
        for feature in on {
            match feature.checked_sub(VICTIMS[0]) {
                None => weights.windows[feature * HIDDEN + 5] = weight.clamp(-127, 127) as i8,
                Some(victim) => weights.victims[victim * HIDDEN + 5] = weight,
            }
        }
        weights.hidden_biases[5] = bias;
        weights.check()
    }

    #[test]
    fn hidden_sums_may_just_reach_the_end() {
        // All windows and a victim on each point.
        let weight = 400;
        let most = i16::MAX - 32 * 127 - 45 * weight;
        let sum = |weight, bias| hidden_sum(0..FEATURES, weight, bias);
        assert!(sum(weight, most).is_ok());
        assert!(sum(-weight, -most - 1).is_ok());
        for (weight, bias, expected) in [
            (weight, most + 1, i32::from(i16::MAX) + 1),
            (-weight, -most - 2, i32::from(i16::MIN) - 1),
        ] {
            let error = sum(weight, bias).expect_err("too much").to_string();
            let expected = format!("hidden unit 5 could come to {expected}, ");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn a_point_counts_once_and_a_window_always() {
        let most = i16::MAX;
        // A weight that all states of a window share is part of every sum.
        let window = 81..162;
        assert!(hidden_sum(window.clone(), -50, most).is_ok());
        assert!(hidden_sum(window.clone(), 50, most).is_err());
        // Beside it, an own or another victim on the first point, or none.
        let victims = [2_592, 2_592 + 45].into_iter();
        let both = || window.clone().chain(victims.clone());
        assert!(hidden_sum(both(), 50, most - 100).is_ok());
        assert!(hidden_sum(both(), 50, most - 99).is_err());
    }

    #[test]
    fn outputs_may_just_reach_the_end() {
        let output = |some: &[(usize, i16)], bucket: usize, bias: i32| {
            let mut weights = Weights::zeros();
            for &(unit, weight) in some {
                weights.outputs[bucket * OUTPUT_WEIGHTS + unit] = weight;
            }
            weights.output_biases[bucket] = bias;
            weights.check()
        };
        let message = |result: Result<(), String>| result.expect_err("too much").to_string();
        let square = 153 * 153;
        for bucket in [0, 7] {
            let weights = [(0, 127), (31, 100), (1, -3)];
            let most = i32::MAX - 227 * square;
            assert!(output(&weights, bucket, most).is_ok());
            let error = message(output(&weights, bucket, most + 1));
            let expected = format!("output bucket {bucket} could come to 2147483648, ");
            assert!(error.starts_with(&expected), "{error}");
            let least = i32::MIN + 3 * square;
            assert!(output(&weights, bucket, least).is_ok());
            assert!(output(&weights, bucket, least - 1).is_err());
            let error = message(output(&[(4, -128)], bucket, 0));
            let expected = format!("a weight of output bucket {bucket} is -128: ");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    /// A network that comes to the very end of 16 and of 32 bits still says what it should.
    #[test]
    fn the_largest_sums_do_not_wrap() {
        let mut parameters = vec![0.0; PARAMETERS];
        let heads = INPUT_WEIGHTS + HIDDEN;
        // 32 windows × 127 = 4,064, the same for every stone; with the bias 32,767.
        parameters[..WINDOW_WEIGHTS].fill(MOST_WINDOW_WEIGHT);
        parameters[INPUT_WEIGHTS..heads].fill(28_703.0 / 153.0);
        // 256 units of the largest weight come to 508; 1,430 × 153² × 64 is not far from the end.
        parameters[heads + 7 * OUTPUT_WEIGHTS..][..OUTPUT_WEIGHTS].fill(127.0 / 64.0);
        parameters[PARAMETERS - 1] = 1_430.0 - 508.0;
        let mut header = header();
        header.search_scale = 10.0;
        let network = Network::quantise(header, &parameters).expect("it just fits");
        for level in SimdLevel::available() {
            let network = network.clone().with_simd(level);
            let score = network.evaluate(Bitboard::LATTICE, Bitboard::EMPTY);
            assert_eq!(score, 14_300, "{level:?}");
        }
    }
}
