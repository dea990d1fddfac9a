//! What can go wrong with training.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::network::NetworkError;
use crate::rules::ParseRulesError;
use crate::training::data::DataError;

/// Why a network cannot be trained. Every message names the setting or the file.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// A setting that is out of its range.
    #[error("{name} {value}: want {wanted}")]
    Setting {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it can be.
        wanted: String,
    },
    /// A file of training data that does not read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file of training data whose rules do not read.
    #[error("{path}: {error}", path = path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        error: Box<ParseRulesError>,
    },
    /// A file of training data of another board than 9x5.
    #[error("{path}: of a board of {board}; networks are for 9x5", path = path.display())]
    Board {
        /// The file.
        path: PathBuf,
        /// Its board.
        board: String,
    },
    /// Files of training data of different rules.
    #[error(
        "{path}: of other rules ('{rules}') than {first_path} ('{first_rules}')",
        path = path.display(),
        first_path = first_path.display()
    )]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// Its rules.
        rules: String,
        /// The first file.
        first_path: PathBuf,
        /// The rules of the first file.
        first_rules: String,
    },
    /// Nothing to train on, or nothing held out.
    #[error(
        "{training} positions to train on and {held_out} held out, of {read} in the data: want some \
         of both (validation sets the share of the games that is held out; positions and \
         skip-plies what is left out)"
    )]
    TooFew {
        /// Positions to train on.
        training: usize,
        /// Positions held out.
        held_out: usize,
        /// Positions in the data.
        read: u64,
    },
    /// More positions than can be numbered.
    #[error("{0} positions to train on: at most {max} can be", max = u32::MAX)]
    TooMany(usize),
    /// A checkpoint that the system does not give or take.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that is no checkpoint, or a damaged one.
    #[error("{path}: {what}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A checkpoint of another training.
    #[error(
        "{path}: a checkpoint of another training: {differences} (--restart begins anew and \
         overwrites it, --checkpoint FILE names another)",
        path = path.display()
    )]
    OtherTraining {
        /// The checkpoint.
        path: PathBuf,
        /// What is different.
        differences: String,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        error: rayon::ThreadPoolBuildError,
    },
    /// Weights that went out of all bounds.
    #[error("epoch {epoch}: the weights are no longer finite (a lower learning-rate may help)")]
    Diverged {
        /// The epoch, from 1.
        epoch: u32,
    },
    /// A network that could not be made or written.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl TrainingError {
    /// For `map_err` on what the system does with `path`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TrainingError {
        let path = path.to_owned();
        move |error| TrainingError::File { path, error }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> TrainingError {
        TrainingError::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
