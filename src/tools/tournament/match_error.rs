//! Why a match cannot be played.

use std::fmt::Display;

use thiserror::Error;

use super::engine::StartError;
use super::engine_pool::START_ATTEMPTS;
use super::settings::SettingsError;
use vato_engine::container::ContainerError;

/// Why a match cannot begin or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A file of the record cannot be made, read or written.
    #[error(transparent)]
    Record(#[from] ContainerError),
    /// The match was told to stop while its engines were checked.
    #[error("stopped before the first game")]
    Stopped,
    /// The schedule contradicts the record, or nobody can be paired.
    #[error("{0}")]
    Schedule(String),
    /// An engine, openings, tablebases, memory, processors or threads are unavailable, or a record is not what it has to
    /// be.
    #[error("{0}")]
    Missing(String),
}

impl MatchError {
    /// An unavailable resource, and why.
    pub(super) fn missing(what: impl Display, error: impl Display) -> MatchError {
        MatchError::Missing(format!("{what}: {error}"))
    }

    /// An engine whose start has failed for good.
    pub(super) fn no_start(engine: &str, error: &StartError) -> MatchError {
        match error {
            StartError::Stopped => MatchError::Stopped,
            StartError::Unfit(_) => MatchError::missing(engine, error),
            StartError::Failed(_) => MatchError::Missing(format!(
                "{engine} does not start ({START_ATTEMPTS} attempts in a row failed): {error}"
            )),
        }
    }
}
