//! Training errors.

use thiserror::Error;

use vato_engine::container::ContainerError;
use vato_engine::network::NetworkError;
use vato_engine::search::SearchError;
use vato_engine::tablebase::TablebaseError;

/// Why games cannot be played or a network cannot be trained. Every message names the setting or the file.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// Invalid settings.
    #[error("{0}")]
    Setting(String),
    /// Invalid data, or data that do not fit the settings.
    #[error("{0}")]
    Invalid(String),
    /// A file that cannot be read or written, or has another format.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] vato_engine::memory::ThreadsError),
    /// Stopped within an epoch, which is lost.
    #[error("stopped")]
    Stopped,
    /// Parameters invalid for a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// No memory or threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Tablebases that cannot be opened.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
}
