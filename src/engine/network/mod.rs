//! The network: an evaluation that was trained on games.
//!
//! A small, efficiently updatable network ("NNUE", Yu Nasu, 2018,
//! <https://www.chessprogramming.org/NNUE>): the inputs encode the stones, once from the view
//! of the side to move and once from the other's; the sums of the first layer are updated incrementally
//! by removed and added features; an output layer, selected by the number of stones left, turns them
//! into a score.
//!
//! Depends on the board only.

mod accumulators;
mod aligned;
mod architecture;
mod features;
mod file;
mod header;
mod learned;
mod quantised;
#[cfg(test)]
mod samples;
mod simd;
mod weights;

pub use accumulators::Accumulators;
pub use aligned::Aligned;
pub use architecture::{
    BUCKETS, HIDDEN, INPUT_WEIGHTS, OUTPUT_WEIGHTS, PARAMETERS, WINDOW_WEIGHTS, output_bucket,
};
pub use features::{Active, FEATURES, FeatureGroup, active_features, feature_groups};
pub use file::MAGIC;
pub use header::{Header, WdlModel};
pub use learned::LearnedOutputs;
pub use quantised::Network;
pub use simd::SimdLevel;
pub use weights::MOST_WINDOW_WEIGHT;
