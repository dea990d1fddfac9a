//! Why numbers cannot be tuned.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::OPTION;
use super::settings::TuneSettingsError;
use crate::tournament::MatchError;

/// Why a tuning cannot begin or go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The settings cannot be.
    #[error(transparent)]
    Settings(#[from] TuneSettingsError),
    /// Games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// The engine does not take parameters.
    #[error("the engine has no option {OPTION}, so there is nothing to tune")]
    NoOption,
    /// The engine does not take these parameters: it is of another version.
    #[error("the engine refuses the numbers: {0}")]
    Refused(String),
    /// Somebody else tunes with the same state.
    #[error("{path} is in use: another tuning is writing to it", path = path.display())]
    InUse {
        /// The file of the state.
        path: PathBuf,
    },
    /// The state cannot be read or written.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// The state is of another tuning.
    #[error(
        "{path} is of a tuning with another setting '{setting}'; choose another name by --out, or begin \
         anew by --restart",
        path = path.display()
    )]
    OtherTuning {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        setting: &'static str,
    },
}

impl TuneError {
    /// An error of the file at `path`.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> TuneError {
        |error| TuneError::File {
            path: path.to_owned(),
            error,
        }
    }
}
