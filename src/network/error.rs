//! What can be wrong with a network.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::file::{MOST_HEADER, VERSION};
use super::quantised::MOST_HEAD_WEIGHT;
use super::{MAX_HIDDEN, WinModel};

/// Why a network cannot be made, read or written. Parameters, hidden units and heads count from 0.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// A file that the system does not give.
    #[error("cannot read the network {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that the system does not take.
    #[error("cannot write the network {path}: {error}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file with something wrong in it.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<NetworkError>,
    },
    /// Something else than a network.
    #[error("not a network (it does not begin with 'VATONET')")]
    NoNetwork,
    /// A format that this program does not know.
    #[error("a network of format {0}, but this program reads format {VERSION}")]
    Version(u32),
    /// Fewer or more bytes than there should be.
    #[error(
        "{}: want {wanted} bytes, has {found}",
        if found < wanted { "the network is cut short" } else { "something follows the network" }
    )]
    Length {
        /// How many there should be; where not even the header is complete, how many at least.
        wanted: u64,
        /// How many there are.
        found: u64,
    },
    /// Bytes that are not those that were written.
    #[error("the network is damaged (its SHA-256 is another)")]
    Damaged,
    /// A header that is too long.
    #[error("a header of {0} bytes, but at most {MOST_HEADER} can be")]
    HeaderLength(u64),
    /// A header that does not read.
    #[error("the header of the network does not read: {0}")]
    Header(serde_json::Error),
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
