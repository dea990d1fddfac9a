//! Why a match cannot be played.

use std::io;
use std::path::PathBuf;

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use super::engine::StartError;
use super::formats::NotScheduled;
use super::record::RecordError;
use super::seats::START_ATTEMPTS;
use super::settings::{SettingsError, TournamentError};
use crate::openings::OpeningSuiteError;
use crate::plural::{counted, plural};
use crate::tablebase::TablebaseError;

/// Why a match cannot begin or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings cannot be.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The openings cannot be had.
    #[error("openings: {0}")]
    Book(#[from] OpeningSuiteError),
    /// Openings for the velas cannot be had.
    #[error("openings of the velas: {0}; try --openings start")]
    VelaBook(#[source] OpeningSuiteError),
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
    /// An engine cannot play in this match.
    #[error("{engine}: {error}")]
    Engine {
        /// Its name.
        engine: String,
        /// Why.
        error: StartError,
    },
    /// The record has a game that the match has not.
    #[error("{path}: {error}", path = path.display())]
    NotScheduled {
        /// The state's file.
        path: PathBuf,
        /// Which game, and why not.
        error: NotScheduled,
    },
    /// An engine has failed to start several times in a row.
    #[error("{engine} does not start ({START_ATTEMPTS} attempts in a row failed): {error}")]
    DoesNotStart {
        /// Its name.
        engine: String,
        /// The last failure.
        error: StartError,
    },
    /// The format does not know who is to play next.
    #[error(
        "nobody can be paired any more: {0} {are} left, but no two engines may meet",
        are = plural(*_0, "encounter is", "encounters are")
    )]
    NobodyToPair(usize),
    /// The match was told to stop while its engines were tried.
    #[error("stopped before the first game")]
    Stopped,
    /// Engines cannot be bound to processors.
    #[error("affinity: {0}")]
    Affinity(io::Error),
    /// There are not enough processors for all games.
    #[error(
        "affinity: {games} {games_need} {}, there {are} {available}",
        counted(*needed, "processor", "processors"),
        games_need = plural(*games, "game at a time needs", "games at a time need"),
        are = plural(*available, "is", "are")
    )]
    TooFewProcessors {
        /// Games at a time.
        games: usize,
        /// Processors needed.
        needed: usize,
        /// Processors that there are.
        available: usize,
    },
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
    pub(super) fn no_start(engine: String, error: StartError) -> MatchError {
        match error {
            StartError::Stopped => MatchError::Stopped,
            error if error.is_final() => MatchError::Engine { engine, error },
            error => MatchError::DoesNotStart { engine, error },
        }
    }
}
