//! Why numbers cannot be tuned.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::OPTION;
use crate::tournament::MatchError;
use crate::tournament::settings::SettingsError;

/// Why a tuning cannot begin or go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The settings of the tuning cannot be.
    #[error("{0}")]
    Settings(String),
    /// Games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// The engine does not take parameters.
    #[error(
        "the engine has no option {OPTION}, so there is nothing to tune (this program has it if built with --features tune)"
    )]
    NoOption,
    /// The engine does not take these parameters: it is of another version.
    #[error("the engine refuses the numbers: {0}")]
    Refused(String),
    /// The file of the state cannot be read or written, or is that of another tuning.
    #[error("{0}")]
    State(String),
}

impl From<SettingsError> for TuneError {
    fn from(error: SettingsError) -> TuneError {
        TuneError::Games(error.into())
    }
}

impl TuneError {
    /// An error of the file at `path`.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> TuneError {
        |error| TuneError::State(format!("{}: {error}", path.display()))
    }
}
