//! Why a match cannot be played.

use std::io;
use std::path::PathBuf;

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use super::engine::StartError;
use super::engine_pool::START_ATTEMPTS;
use super::formats::NotScheduled;
use super::record::RecordError;
use super::settings::{SettingsError, TournamentError};
use crate::openings::OpeningSuiteError;
use crate::plural::plural;
use crate::tablebase::TablebaseError;

/// Why a match cannot begin or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings cannot be.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The openings cannot be had.
    #[error("openings: {0}")]
    Openings(#[from] OpeningSuiteError),
    /// Openings for the velas cannot be had.
    #[error("openings of the velas: {0}; try --openings start")]
    VelaOpenings(#[source] OpeningSuiteError),
    /// The openings are no longer those that the match began with.
    #[error("the openings are no longer those that the match began with")]
    OpeningsChanged,
    /// The tablebases that are to decide games cannot be had.
    #[error("tablebase: {0}")]
    Tablebase(#[from] TablebaseError),
    /// The record cannot be made, read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A protocol log cannot be opened.
    #[error("cannot log to {path}: {error}", path = path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// An engine cannot play in this match, or does not start.
    #[error("{0}")]
    Engine(String),
    /// The record has a game that the match has not.
    #[error("{path}: {error}", path = path.display())]
    NotScheduled {
        /// The state's file.
        path: PathBuf,
        /// Which game, and why not.
        error: NotScheduled,
    },
    /// The format does not know who is to play next.
    #[error(
        "nobody can be paired any more: {0} {are} left, but no two engines may meet",
        are = plural(*_0, "encounter is", "encounters are")
    )]
    NobodyToPair(usize),
    /// The match was told to stop while its engines were checked.
    #[error("stopped before the first game")]
    Stopped,
    /// Engines cannot be bound to processors, or there are too few of these.
    #[error("affinity: {0}")]
    Affinity(String),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

impl From<TournamentError> for MatchError {
    fn from(error: TournamentError) -> MatchError {
        MatchError::Settings(error.into())
    }
}

impl MatchError {
    /// Whether a match that ends by this while it runs can be resumed: not where its schedule is at odds
    /// with its record.
    #[must_use]
    pub const fn can_be_resumed(&self) -> bool {
        !matches!(
            self,
            MatchError::NobodyToPair(_) | MatchError::NotScheduled { .. }
        )
    }

    /// An engine that has not started, for the last time.
    pub(super) fn no_start(engine: &str, error: &StartError) -> MatchError {
        match error {
            StartError::Stopped => MatchError::Stopped,
            StartError::Unfit(_) => MatchError::Engine(format!("{engine}: {error}")),
            StartError::Failed(_) => MatchError::Engine(format!(
                "{engine} does not start ({START_ATTEMPTS} attempts in a row failed): {error}"
            )),
        }
    }
}
