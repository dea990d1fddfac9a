//! What can be wrong with a network.

use thiserror::Error;

use super::quantised::MOST_HEAD_WEIGHT;
use super::{MAX_HIDDEN, WinModel};

/// Why a network cannot be made, read or written. Parameters, hidden units and heads count from 0.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// Bytes that are no network, are damaged, or of another version.
    #[error("{0}")]
    Content(String),
    /// A number of hidden units that there cannot be.
    #[error("{hidden} hidden units: want a multiple of 32, at most {MAX_HIDDEN}")]
    Architecture {
        /// The hidden units.
        hidden: usize,
    },
    /// A scale that there cannot be.
    #[error("a scale of {0}: want more than 0 and at most 1000000")]
    Scale(f32),
    /// A win model that gives no chances.
    #[error(
        "a win model of margin {}, margin per stone {} and spread {}: want numbers, and a spread \
         of more than 0", .0.margin, .0.margin_per_stone, .0.spread
    )]
    WinModel(WinModel),
    /// A new header for a network of another architecture.
    #[error("a header for another architecture than that of the network")]
    OtherArchitecture,
    /// Too few or too many parameters.
    #[error("{found} parameters, but the architecture has {wanted}")]
    Parameters {
        /// How many the architecture has.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// A parameter that the integers of a network cannot hold.
    #[error("parameter {index} is {value}, but only {least} to {most} can be")]
    Parameter {
        /// Which.
        index: usize,
        /// What it is.
        value: f32,
        /// The least that can be.
        least: f32,
        /// The most that can be.
        most: f32,
    },
    /// A weight of an output head that is too large.
    #[error(
        "a weight of head {head} is {weight}, but at most {MOST_HEAD_WEIGHT} either way can be"
    )]
    HeadWeight {
        /// The head.
        head: usize,
        /// The weight.
        weight: i16,
    },
    /// A hidden unit whose sum could leave 16 bits.
    #[error("hidden unit {unit} could come to {sum}, which 16 bits do not hold")]
    HiddenOverflow {
        /// The unit.
        unit: usize,
        /// The sum.
        sum: i32,
    },
    /// A head whose sum could leave 32 bits.
    #[error("head {head} could come to {sum}, which 32 bits do not hold")]
    OutputOverflow {
        /// The head.
        head: usize,
        /// The sum.
        sum: i64,
    },
}
