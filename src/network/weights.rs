//! Quantised weights, and the check against overflow.
//!
//! All sums are taken modulo 2^16 and 2^32, so that neither the order of the terms nor what a part of
//! them comes to matters: it is enough that the sum of all terms fits, for every position. That holds
//! for hidden sums that are changed feature by feature, off before on or on before off, and for
//! outputs that are added up in lanes. (The products that make up an output fit by themselves: 255 ×
//! 127 into 16 bits, two of 255 × 255 × 127 into 32.)

use super::aligned::Aligned;
use super::{Architecture, NetworkError};

/// Quantisation scale of input weights, hidden biases and hidden activations.
pub(super) const ACTIVATION_ONE: i16 = 255;
/// The largest absolute output weight.
pub(super) const MOST_OUTPUT_WEIGHT: i16 = 127;

/// The integers, in the order of [`Architecture`]'s parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// One row of hidden units for each feature; 255 is 1.
    pub(super) inputs: Aligned<i16>,
    /// One for each hidden unit; 255 is 1.
    pub(super) hidden_biases: Aligned<i16>,
    /// For each output bucket the weights of the side to move, then those of the other side; 64 is 1.
    pub(super) outputs: Aligned<i16>,
    /// One for each output bucket; 255 × 255 × 64 is 1.
    pub(super) output_biases: Vec<i32>,
}

impl Weights {
    pub(super) fn zeros(architecture: &Architecture) -> Weights {
        let buckets = architecture.buckets.count();
        Weights {
            inputs: Aligned::zeros(architecture.input_weights()),
            hidden_biases: Aligned::zeros(architecture.hidden),
            outputs: Aligned::zeros(buckets * architecture.output_weights()),
            output_biases: vec![0; buckets],
        }
    }

    /// Checks that no position can overflow a sum.
    pub(super) fn check(&self, architecture: &Architecture) -> Result<(), NetworkError> {
        self.check_hidden(architecture)?;
        self.check_outputs(architecture)
    }

    fn check_hidden(&self, architecture: &Architecture) -> Result<(), NetworkError> {
        let hidden = architecture.hidden;
        let mut lowest: Vec<i32> = self.hidden_biases.iter().copied().map(i32::from).collect();
        let mut highest = lowest.clone();
        for group in architecture.features.groups() {
            let (mut low, mut high) = if group.can_be_off {
                (vec![0; hidden], vec![0; hidden])
            } else {
                (vec![i16::MAX; hidden], vec![i16::MIN; hidden])
            };
            for feature in group.features {
                let row = &self.inputs[usize::from(feature) * hidden..][..hidden];
                for (unit, &weight) in row.iter().enumerate() {
                    low[unit] = low[unit].min(weight);
                    high[unit] = high[unit].max(weight);
                }
            }
            for unit in 0..hidden {
                lowest[unit] += i32::from(low[unit]);
                highest[unit] += i32::from(high[unit]);
            }
        }
        for (unit, sums) in std::iter::zip(lowest, highest).enumerate() {
            for sum in <[i32; 2]>::from(sums) {
                if i16::try_from(sum).is_err() {
                    return Err(NetworkError(format!(
                        "hidden unit {unit} could come to {sum}, which does not fit into 16 bits"
                    )));
                }
            }
        }
        Ok(())
    }

    fn check_outputs(&self, architecture: &Architecture) -> Result<(), NetworkError> {
        let square = i64::from(ACTIVATION_ONE) * i64::from(ACTIVATION_ONE);
        let outputs = self.outputs.chunks(architecture.output_weights());
        for (bucket, (weights, &bias)) in std::iter::zip(outputs, &self.output_biases).enumerate() {
            let (mut lowest, mut highest) = (i64::from(bias), i64::from(bias));
            for &weight in weights {
                if !(-MOST_OUTPUT_WEIGHT..=MOST_OUTPUT_WEIGHT).contains(&weight) {
                    return Err(NetworkError(format!(
                        "a weight of output bucket {bucket} is {weight}: expected at most \
                         {MOST_OUTPUT_WEIGHT} either way"
                    )));
                }
                lowest += square * i64::from(weight.min(0));
                highest += square * i64::from(weight.max(0));
            }
            for sum in [lowest, highest] {
                if i32::try_from(sum).is_err() {
                    return Err(NetworkError(format!(
                        "output bucket {bucket} could come to {sum}, which does not fit into 32 bits"
                    )));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::samples::header;
    use crate::network::{FeatureSet, Network, OutputBuckets, Perspectives};

    fn architecture(features: FeatureSet) -> Architecture {
        Architecture {
            features,
            hidden: 32,
            perspectives: Perspectives::Single,
            buckets: OutputBuckets::Stones,
        }
    }

    /// With this weight for each of `features` at unit 5 and this bias there.
    fn hidden_sum(
        set: FeatureSet,
        features: impl Iterator<Item = usize>,
        weight: i16,
        bias: i16,
    ) -> Result<(), NetworkError> {
        let architecture = architecture(set);
        let mut weights = Weights::zeros(&architecture);
        for feature in features {
            weights.inputs[feature * 32 + 5] = weight;
        }
        weights.hidden_biases[5] = bias;
        weights.check(&architecture)
    }

    #[test]
    fn hidden_sums_may_just_reach_the_end() {
        // The features of each set, how many of them can be on, and a weight for each.
        for (set, on, weight) in [
            (FeatureSet::Points, 45, 700),
            (FeatureSet::Threats, 45 + 45, 240),
            (FeatureSet::Tuples, 32, 1_000),
            (FeatureSet::Patterns, 32 + 45, 400),
        ] {
            let most = i16::MAX - on * weight;
            let sum = |weight, bias| hidden_sum(set, 0..set.count(), weight, bias);
            assert!(sum(weight, most).is_ok(), "{set:?}");
            assert!(sum(-weight, -most - 1).is_ok(), "{set:?}");
            for (weight, bias, expected) in [
                (weight, most + 1, i32::from(i16::MAX) + 1),
                (-weight, -most - 2, i32::from(i16::MIN) - 1),
            ] {
                let error = sum(weight, bias).expect_err("too much").to_string();
                let expected = format!("hidden unit 5 could come to {expected}, ");
                assert!(error.starts_with(&expected), "{set:?}: {error}");
            }
        }
    }

    #[test]
    fn a_point_counts_once_and_a_window_always() {
        let most = i16::MAX;
        // Own and other stone on the first point: one or the other, or none.
        let both = [0, 45].into_iter();
        assert!(hidden_sum(FeatureSet::Points, both.clone(), 100, most - 100).is_ok());
        assert!(hidden_sum(FeatureSet::Points, both.clone(), 100, most - 99).is_err());
        assert!(hidden_sum(FeatureSet::Points, both.clone(), -1, i16::MIN).is_err());
        assert!(hidden_sum(FeatureSet::Points, both, 1, i16::MIN).is_ok());
        // A weight that all states of a window share is part of every sum.
        let window = 81..162;
        assert!(hidden_sum(FeatureSet::Tuples, window.clone(), -50, most).is_ok());
        assert!(hidden_sum(FeatureSet::Tuples, window.clone(), 50, most).is_err());
        // Beside it, an own or another victim on the first point, or none.
        let victims = [2_592, 2_592 + 45].into_iter();
        let both = || window.clone().chain(victims.clone());
        assert!(hidden_sum(FeatureSet::Patterns, both(), 50, most - 100).is_ok());
        assert!(hidden_sum(FeatureSet::Patterns, both(), 50, most - 99).is_err());
    }

    #[test]
    fn outputs_may_just_reach_the_end() {
        let architecture = architecture(FeatureSet::Points);
        let output = |some: &[(usize, i16)], bucket: usize, bias: i32| {
            let mut weights = Weights::zeros(&architecture);
            for &(unit, weight) in some {
                weights.outputs[bucket * 32 + unit] = weight;
            }
            weights.output_biases[bucket] = bias;
            weights.check(&architecture)
        };
        let message = |result: Result<(), NetworkError>| result.expect_err("too much").to_string();
        let square = 255 * 255;
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
        let architecture = Architecture {
            perspectives: Perspectives::Double,
            buckets: OutputBuckets::One,
            ..architecture(FeatureSet::Points)
        };
        let mut parameters = vec![0.0; architecture.parameters()];
        let (inputs, heads) = (
            architecture.input_weights(),
            architecture.input_weights() + 32,
        );
        // 45 × 728 = 32,760.
        parameters[..inputs].fill(728.0 / 255.0);
        parameters[heads..heads + 64].fill(127.0 / 64.0);
        parameters[heads + 64] = 516.0 - 127.0;
        let header = crate::network::Header {
            search_scale: 10.0,
            scale: 100.0,
            ..header(architecture)
        };
        let network = Network::quantise(header, &parameters).expect("it just fits");
        let all = crate::board::Bitboard::LATTICE;
        for level in crate::network::SimdLevel::available() {
            let network = network.clone().with_simd(level);
            let score = network.evaluate(all, crate::board::Bitboard::EMPTY);
            assert_eq!(score, 5_160, "{level}");
        }
    }
}
