//! Training errors.

use thiserror::Error;

use vato_engine::container::ContainerError;
use vato_engine::memory::ResourceError;
use vato_engine::network::NetworkError;
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
    /// Stopped within an epoch, which is lost.
    #[error("stopped")]
    Stopped,
    /// Parameters invalid for a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// No memory or threads.
    #[error(transparent)]
    Resources(#[from] ResourceError),
    /// Tablebases that cannot be opened.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
}
