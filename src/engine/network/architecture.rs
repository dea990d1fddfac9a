//! The shape of the network, fixed at compile time: inputs → hidden units for each view → squared clipped ReLU →
//! one output, by the number of stones on the board.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::features::{FEATURES, VICTIMS};

/// Hidden units for each of the two views: that of the side to move, and that of the other side, which
/// have the same first layer. A multiple of 32.
pub const HIDDEN: usize = 128;
/// Output buckets: each has output weights of its own.
pub const BUCKETS: usize = 8;
/// Weights of the first layer, without biases: a row of [`HIDDEN`] for each feature.
pub const INPUT_WEIGHTS: usize = FEATURES * HIDDEN;
/// Those of the states of windows, which come first.
pub const WINDOW_WEIGHTS: usize = VICTIMS[0] * HIDDEN;
/// Weights of an output bucket: those of the side to move first.
pub const OUTPUT_WEIGHTS: usize = 2 * HIDDEN;
/// All numbers of a network: input weights, hidden biases, weights of all output buckets, their biases.
pub const PARAMETERS: usize = INPUT_WEIGHTS + HIDDEN + BUCKETS * (OUTPUT_WEIGHTS + 1);

const _: () = assert!(HIDDEN.is_multiple_of(32));

/// The most stones of each output bucket, fewest first.
///
/// Chosen so that each bucket gets a fair share of the positions of a game: half of all stones are gone
/// after some twelve plies, and most positions have fewer than twenty.
const MOST_STONES: [u32; BUCKETS] = [7, 9, 11, 14, 18, 23, 30, u32::MAX];

/// The output bucket of a position with so many stones on the board.
#[inline]
pub fn output_bucket(stones: u32) -> usize {
    MOST_STONES.iter().filter(|&&most| stones > most).count()
}

/// What a network file says of its shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Architecture {
    features: Cow<'static, str>,
    hidden: usize,
    perspectives: Cow<'static, str>,
    heads: Cow<'static, str>,
}

impl Architecture {
    /// The only one that is supported.
    pub(super) const STANDARD: Architecture = Architecture {
        features: Cow::Borrowed("patterns"),
        hidden: HIDDEN,
        perspectives: Cow::Borrowed("double"),
        heads: Cow::Borrowed("stones"),
    };
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Architecture {
            features,
            hidden,
            perspectives,
            heads,
        } = self;
        write!(f, "{features} {hidden} {perspectives} {heads}")
    }
}

/// Quantisation scale of input weights, hidden biases and hidden activations.
pub(super) const ACTIVATION_ONE: i16 = 153;
