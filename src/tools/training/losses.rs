//! How well a network predicts.

use serde::{Deserialize, Serialize};

use super::example::{Example, sigmoid};
use vato_engine::network::{BUCKETS, output_bucket};

/// Mean squared errors of the expected points; `None` of no positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Losses {
    /// Of all positions.
    pub all: Option<f64>,
    /// Of those in which the side to move cannot capture.
    pub quiet: Option<f64>,
    /// Of those in which it can.
    pub capturing: Option<f64>,
    /// Of those of each output bucket.
    #[serde(rename = "heads")]
    pub buckets: Vec<Option<f64>>,
}

impl Losses {
    /// The losses of the examples, where `outputs` is what the network says of each.
    pub(super) fn of(examples: &[Example], outputs: &[f32]) -> Losses {
        // Sums and counts.
        let mut classes = [(0.0, 0_u64); 2];
        let mut by_bucket = [(0.0, 0); BUCKETS];
        for (example, &output) in examples.iter().zip(outputs) {
            let error = f64::from(sigmoid(output) - example.target);
            for (sum, count) in [
                &mut classes[usize::from(example.can_capture)],
                &mut by_bucket[output_bucket(example.stones())],
            ] {
                *sum += error * error;
                *count += 1;
            }
        }
        let mean = |(sum, count): (f64, u64)| (count > 0).then(|| sum / count as f64);
        let [quiet, capturing] = classes;
        Losses {
            all: mean((quiet.0 + capturing.0, quiet.1 + capturing.1)),
            quiet: mean(quiet),
            capturing: mean(capturing),
            buckets: by_bucket.map(mean).to_vec(),
        }
    }
}

/// An epoch that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EpochReport {
    /// Its number, from 1.
    pub epoch: u32,
    /// The learning rate of its last batch.
    pub learning_rate: f32,
    /// The mean squared error of the positions trained on, each when it was seen.
    pub training: f64,
    /// The losses of the positions held out, when it was over.
    pub held_out: Losses,
    /// How long it took.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::board::Bitboard;

    #[test]
    fn losses_are_means_of_each_class() {
        let example = |target, can_capture, stones: u32| Example {
            own: Bitboard::from_bits(1),
            other: Bitboard::from_bits((1_u64 << stones) - 2_u64),
            target,
            ply: 0,
            halfmove_clock: 0,
            half_points: 0,
            can_capture,
        };
        let examples = [
            example(0.5, false, 5),
            example(0.0, false, 8),
            example(0.75, true, 5),
        ];
        let losses = Losses::of(&examples, &[0.0, 0.0, 0.0]);
        assert_eq!(losses.all, Some(0.3125 / 3.0));
        assert_eq!(losses.quiet, Some(0.125));
        assert_eq!(losses.capturing, Some(0.0625));
        assert_eq!(losses.buckets[..3], [Some(0.03125), Some(0.25), None]);
    }
}
