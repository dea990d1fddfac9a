//! The network: an evaluation that was trained on games.
//!
//! A small, efficiently updatable network ("NNUE", Yu Nasu, 2018,
//! <https://www.chessprogramming.org/NNUE>): the inputs say what stands where, seen once by the
//! side to move and once by the other; the sums of the first layer are kept from position to position,
//! and what changes is taken off and added; one output layer, chosen by how many stones are
//! left, turns them into a score.
//!
//! Knows the board and nothing else.

mod accumulators;
mod aligned;
mod architecture;
mod features;
mod file;
mod header;
mod quantised;
#[cfg(test)]
mod samples;
mod simd;
mod weights;

pub use accumulators::Accumulators;
pub(crate) use aligned::Aligned;
pub use architecture::{Architecture, MAX_HIDDEN, OutputBuckets, Perspectives};
pub(crate) use features::FeatureGroup;
pub use features::{Active, FeatureSet};
pub use header::{Header, WdlModel};
pub use quantised::{Network, NetworkError};
pub use simd::SimdLevel;
