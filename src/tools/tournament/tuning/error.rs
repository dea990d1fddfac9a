//! Errors of a tuning run.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::OPTION;
use crate::tournament::MatchError;
use crate::tournament::settings::SettingsError;

/// The error of a tuning run.
#[derive(Debug, Error)]
pub enum TuneError {
    /// Invalid settings.
    #[error("{0}")]
    Settings(String),
    /// An error of the match.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// The engine does not support the option.
    #[error(
        "the engine has no option {OPTION}, so there is nothing to tune (this program has it if built with --features tune)"
    )]
    NoOption,
    /// The engine rejects these parameters: it is of another version.
    #[error("the engine refuses the numbers: {0}")]
    Refused(String),
    /// The state file cannot be read or written, or is that of another run.
    #[error("{0}")]
    State(String),
}

impl From<SettingsError> for TuneError {
    fn from(error: SettingsError) -> TuneError {
        TuneError::Games(error.into())
    }
}

impl TuneError {
    /// Converts an I/O error of the file at `path`.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> TuneError {
        |error| TuneError::State(format!("{}: {error}", path.display()))
    }
}
