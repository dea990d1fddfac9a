//! What a network is made of.

use serde::{Deserialize, Serialize};

use super::FeatureSet;

/// The most hidden units for each perspective.
pub const MAX_HIDDEN: usize = 512;

/// Whose view of the stones a network takes.
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

/// Which output head serves a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeadRule {
    /// One head for all positions.
    One,
    /// By the number of stones on the board.
    #[default]
    Stones,
}

/// The most stones of each class of [`HeadRule::Stones`], fewest first.
///
/// Chosen so that each class gets a fair share of the positions of a game: half of all stones are gone
/// after some twelve plies, and most positions have fewer than twenty.
const MOST_STONES: [u32; 8] = [7, 9, 11, 14, 18, 23, 30, u32::MAX];

impl HeadRule {
    /// How many heads there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            HeadRule::One => 1,
            HeadRule::Stones => MOST_STONES.len(),
        }
    }

    /// The head for a position with so many stones on the board.
    #[inline]
    #[must_use]
    pub fn head(self, stones: u32) -> usize {
        match self {
            HeadRule::One => 0,
            HeadRule::Stones => MOST_STONES.iter().filter(|&&most| stones > most).count(),
        }
    }
}

/// What a network is made of: inputs → hidden units for each perspective → squared clipped ReLU → one
/// output head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// What the first layer sees.
    pub features: FeatureSet,
    /// Hidden units for each perspective: a multiple of 32, at most [`MAX_HIDDEN`].
    pub hidden: usize,
    /// Whose views are taken.
    pub perspectives: Perspectives,
    /// Which output head serves a position.
    pub heads: HeadRule,
}

impl Default for Architecture {
    fn default() -> Architecture {
        Architecture {
            features: FeatureSet::default(),
            hidden: 128,
            perspectives: Perspectives::default(),
            heads: HeadRule::default(),
        }
    }
}

impl Architecture {
    /// Whether the number of hidden units is one that there can be.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.hidden > 0 && self.hidden <= MAX_HIDDEN && self.hidden.is_multiple_of(32)
    }

    /// Weights of the first layer, without biases: one row of [`Architecture::hidden`] for each feature.
    #[must_use]
    pub const fn input_weights(&self) -> usize {
        self.features.count() * self.hidden
    }

    /// Weights of one output head: those of the side to move first.
    #[must_use]
    pub const fn head_weights(&self) -> usize {
        self.perspectives.count() * self.hidden
    }

    /// All numbers of the network: input weights, hidden biases, weights of all heads, their biases.
    #[must_use]
    pub const fn parameters(&self) -> usize {
        self.input_weights() + self.hidden + self.heads.count() * (self.head_weights() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_stones_has_a_head() {
        let heads: Vec<usize> = (2..=44)
            .map(|stones| HeadRule::Stones.head(stones))
            .collect();
        assert!(heads.is_sorted());
        assert_eq!((heads[0], heads[42]), (0, HeadRule::Stones.count() - 1));
        assert!((2..=44).all(|stones| HeadRule::One.head(stones) == 0));
    }
}
