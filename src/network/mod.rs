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
mod bounds;
mod error;
mod features;
mod file;
mod header;
mod quantised;
#[cfg(test)]
mod samples;

mod simd;
mod standard;

mod win_model;

pub use accumulators::Accumulators;
pub use architecture::{Architecture, HeadRule, MAX_HIDDEN, Perspectives};
pub use error::NetworkError;
pub use features::{Active, FeatureSet};
pub use header::Header;
pub use quantised::Network;
pub use simd::SimdLevel;
pub use win_model::WinModel;
