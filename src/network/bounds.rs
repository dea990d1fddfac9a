//! Whether the sums of a network fit into their integers.
//!
//! All sums are taken modulo 2^16 and 2^32, so that neither the order of the terms nor what a part of
//! them comes to matters: it is enough that the sum of all terms fits, for every position. That holds
//! for hidden sums that are changed feature by feature, off before on or on before off, and for
//! outputs that are added up in lanes. (The products that make up an output fit by themselves: 255 ×
//! 127 into 16 bits, two of 255 × 255 × 127 into 32.)

use super::quantised::{ACTIVATION_ONE, MOST_HEAD_WEIGHT, Numbers};
use super::{Architecture, NetworkError};

/// Whether no position can make a sum leave its integer.
pub(super) fn check(architecture: &Architecture, numbers: &Numbers) -> Result<(), NetworkError> {
    check_hidden(architecture, numbers)?;
    check_heads(architecture, numbers)
}

fn check_hidden(architecture: &Architecture, numbers: &Numbers) -> Result<(), NetworkError> {
    let hidden = architecture.hidden;
    let biases = numbers.hidden_biases.iter().copied().map(i32::from);
    let mut lowest: Vec<i32> = biases.collect();
    let mut highest = lowest.clone();
    for group in architecture.features.groups() {
        let (mut low, mut high) = if group.can_be_off {
            (vec![0; hidden], vec![0; hidden])
        } else {
            (vec![i16::MAX; hidden], vec![i16::MIN; hidden])
        };
        for feature in group.features {
            let row = &numbers.input_weights[usize::from(feature) * hidden..][..hidden];
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
    for unit in 0..hidden {
        for sum in [lowest[unit], highest[unit]] {
            if i16::try_from(sum).is_err() {
                return Err(NetworkError::HiddenOverflow { unit, sum });
            }
        }
    }
    Ok(())
}

fn check_heads(architecture: &Architecture, numbers: &Numbers) -> Result<(), NetworkError> {
    let square = i64::from(ACTIVATION_ONE) * i64::from(ACTIVATION_ONE);
    let heads = numbers.head_weights.chunks(architecture.head_weights());
    for (head, (weights, &bias)) in std::iter::zip(heads, &numbers.head_biases).enumerate() {
        let (mut lowest, mut highest) = (i64::from(bias), i64::from(bias));
        for &weight in weights {
            if !(-MOST_HEAD_WEIGHT..=MOST_HEAD_WEIGHT).contains(&weight) {
                return Err(NetworkError::HeadWeight { head, weight });
            }
            lowest += square * i64::from(weight.min(0));
            highest += square * i64::from(weight.max(0));
        }
        for sum in [lowest, highest] {
            if i32::try_from(sum).is_err() {
                return Err(NetworkError::OutputOverflow { head, sum });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::samples::header;
    use crate::network::{FeatureSet, HeadRule, Network, Perspectives};

    fn architecture(features: FeatureSet) -> Architecture {
        Architecture {
            features,
            hidden: 32,
            perspectives: Perspectives::Single,
            heads: HeadRule::Stones,
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
        let mut numbers = Numbers::zeros(&header(architecture));
        for feature in features {
            numbers.input_weights[feature * 32 + 5] = weight;
        }
        numbers.hidden_biases[5] = bias;
        check(&architecture, &numbers)
    }

    #[test]
    fn hidden_sums_may_just_reach_the_end() {
        // The features of each set, how many of them can be on, and a weight for each.
        for (set, on, weight) in [
            (FeatureSet::Points, 45, 700),
            (FeatureSet::Threats, 45 + 45 + 45, 240),
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
                match sum(weight, bias) {
                    Err(NetworkError::HiddenOverflow { unit: 5, sum }) => assert_eq!(sum, expected),
                    other => panic!("{set:?}: {other:?}"),
                }
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
        let output = |weights: &[(usize, i16)], head: usize, bias: i32| {
            let mut numbers = Numbers::zeros(&header(architecture));
            for &(unit, weight) in weights {
                numbers.head_weights[head * 32 + unit] = weight;
            }
            numbers.head_biases[head] = bias;
            check(&architecture, &numbers)
        };
        let square = 255 * 255;
        for head in [0, 7] {
            let weights = [(0, 127), (31, 100), (1, -3)];
            let most = i32::MAX - 227 * square;
            assert!(output(&weights, head, most).is_ok());
            match output(&weights, head, most + 1) {
                Err(NetworkError::OutputOverflow { head: found, sum }) => {
                    assert_eq!((found, sum), (head, i64::from(i32::MAX) + 1));
                }
                other => panic!("{other:?}"),
            }
            let least = i32::MIN + 3 * square;
            assert!(output(&weights, head, least).is_ok());
            assert!(output(&weights, head, least - 1).is_err());
            match output(&[(4, -128)], head, 0) {
                Err(NetworkError::HeadWeight {
                    head: found,
                    weight,
                }) => {
                    assert_eq!((found, weight), (head, -128));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    /// A network that comes to the very end of 16 and of 32 bits still says what it should.
    #[test]
    fn the_largest_sums_do_not_wrap() {
        let architecture = Architecture {
            perspectives: Perspectives::Double,
            heads: HeadRule::One,
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
