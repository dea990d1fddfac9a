//! What makes the next network: self-play, files of positions, the trainer, calibration.
//!
//! [`selfplay`] plays games and writes their positions with scores and results to files of [`data`].
//!
//! A network is fitted by stochastic gradient descent with the Adam rule (Kingma and Ba, 2014,
//! <https://arxiv.org/abs/1412.6980>) to a mixture of the search score and the game
//! result, as is usual for networks of this kind ("NNUE",
//! <https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>).
//!
//! A [`DataSet`] holds the positions, with whole games held out for validation. A [`Trainer`] iterates
//! over them in epochs, saves and resumes from checkpoints, and ends with a
//! quantised network whose scale and win model were fitted to the held-out games.
//!
//! The same settings and data give the same network, bit by bit, whatever the number of threads and
//! the instruction set: each batch is divided into a fixed number of parts, every sum has a fixed
//! order, and nothing is fused. Only another mathematical library, whose exponentials and powers
//! differ in their last bits, may change it.
//!
//! The program has this crate with the feature `lab` only. `bench/suites.rs`, which makes the suites of `vato suite`, and
//! `bench/wdl_model.rs` are programs of it.

mod adam;
mod calibration;
mod checkpoint;
pub mod data;
mod data_set;
mod limits;
mod logistic;
mod pass;
pub mod selfplay;
mod settings;
mod trainer;

use thiserror::Error;

pub use calibration::{Calibration, fit_wdl_model};
pub use data_set::{DataSet, Source};
pub use settings::{PositionFilter, Settings};
pub use trainer::{EpochReport, Losses, Trainer};
use vato_engine::container::ContainerError;
use vato_engine::memory::ResourceError;
use vato_engine::tablebase::TablebaseError;
use vato_tools::tournament::settings::SettingsError;

/// Why games cannot be played or a network cannot be trained. Every message names the setting or the file.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// Invalid settings.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// Invalid data, or data that do not fit the settings; parameters invalid for a network.
    #[error("{0}")]
    Invalid(String),
    /// A file that cannot be read or written, or has another format.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// Stopped within an epoch, which is lost.
    #[error("stopped")]
    Stopped,
    /// No memory or threads.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// Tablebases that cannot be opened.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
}
