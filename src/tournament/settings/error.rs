//! What can be wrong with the settings of a match.

use thiserror::Error;

use super::adjudication::MOST_SCORE;
use super::{MatchSettings, SettingError, TournamentError};

/// What is wrong with the settings of a match.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Something about who plays whom, and how often.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// Something about an engine.
    #[error("engine {number}: {error}")]
    Engine {
        /// Which engine, from 1.
        number: usize,
        /// What is wrong.
        error: SettingError,
    },
    /// A name of the match that no record can have.
    #[error("event: '{0}', want text of one line")]
    Event(String),
    /// No game at a time, or more than there can be threads.
    #[error(
        "concurrency: '{0}', want 1 to {most}",
        most = MatchSettings::MOST_CONCURRENCY
    )]
    Concurrency(usize),
    /// A time that is none.
    #[error("{key}: '{value}', want seconds from 0.001 to 1000000")]
    Seconds {
        /// Which.
        key: &'static str,
        /// The value.
        value: f64,
    },
    /// An adjudication that would end every game, or none.
    #[error("{0}: want at least 1 move, and a score from 0 to {MOST_SCORE}")]
    Adjudication(&'static str),
    /// A sequential test that cannot be.
    #[error("sprt: {0}")]
    Sprt(String),
}
