//! Network architectures.

use serde::{Deserialize, Serialize};

use super::FeatureSet;

/// The most hidden units for each perspective.
pub const MAX_HIDDEN: usize = 512;

/// The perspectives of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Perspectives {
    /// That of the side to move only.
    Single,
    /// That of the side to move, then that of the other side, with the same first layer.
    #[default]
    Double,
}

impl Perspectives {
    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Perspectives::Single => 1,
            Perspectives::Double => 2,
        }
    }
}

/// The output buckets: which output weights a position uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputBuckets {
    /// One bucket for all positions.
    One,
    /// By the number of stones on the board.
    #[default]
    Stones,
}

/// The most stones of each class of [`OutputBuckets::Stones`], fewest first.
///
/// Chosen so that each class gets a fair share of the positions of a game: half of all stones are gone
/// after some twelve plies, and most positions have fewer than twenty.
const MOST_STONES: [u32; 8] = [7, 9, 11, 14, 18, 23, 30, u32::MAX];

impl OutputBuckets {
    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            OutputBuckets::One => 1,
            OutputBuckets::Stones => MOST_STONES.len(),
        }
    }

    /// The bucket of a position with so many stones on the board.
    #[inline]
    #[must_use]
    pub fn bucket(self, stones: u32) -> usize {
        match self {
            OutputBuckets::One => 0,
            OutputBuckets::Stones => MOST_STONES.iter().filter(|&&most| stones > most).count(),
        }
    }
}

/// A network architecture: inputs → hidden units for each perspective → squared clipped ReLU → one
/// output head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// The input features.
    pub features: FeatureSet,
    /// Hidden units for each perspective: a multiple of 32, at most [`MAX_HIDDEN`].
    pub hidden: usize,
    /// The perspectives.
    pub perspectives: Perspectives,
    /// The output buckets.
    #[serde(rename = "heads")]
    pub buckets: OutputBuckets,
}

impl Default for Architecture {
    fn default() -> Architecture {
        Architecture::STANDARD
    }
}

impl Architecture {
    /// That of the embedded network, for which the evaluation is specialised.
    pub const STANDARD: Architecture = Architecture {
        features: FeatureSet::Patterns,
        hidden: 128,
        perspectives: Perspectives::Double,
        buckets: OutputBuckets::Stones,
    };

    /// Whether the number of hidden units is allowed.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.hidden > 0 && self.hidden <= MAX_HIDDEN && self.hidden.is_multiple_of(32)
    }

    /// Weights of the first layer, without biases: one row of [`Architecture::hidden`] for each feature.
    #[must_use]
    pub const fn input_weights(&self) -> usize {
        self.features.count() * self.hidden
    }

    /// Weights of one output bucket: those of the side to move first.
    #[must_use]
    pub const fn output_weights(&self) -> usize {
        self.perspectives.count() * self.hidden
    }

    /// All numbers of the network: input weights, hidden biases, weights of all output buckets, their biases.
    #[must_use]
    pub const fn parameters(&self) -> usize {
        self.input_weights() + self.hidden + self.buckets.count() * (self.output_weights() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_stones_has_a_bucket() {
        let buckets: Vec<usize> = (2..=44)
            .map(|stones| OutputBuckets::Stones.bucket(stones))
            .collect();
        assert!(buckets.is_sorted());
        assert_eq!(
            (buckets[0], buckets[42]),
            (0, OutputBuckets::Stones.count() - 1)
        );
        assert!((2..=44).all(|stones| OutputBuckets::One.bucket(stones) == 0));
    }
}
