//! Errors of opening books.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::container::ContainerError;
use crate::search::SearchError;

/// Why a book cannot be built or read.
#[derive(Debug, Error)]
pub enum BookError {
    /// An I/O error, or invalid content.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// An existing book with other settings.
    #[error(
        "{path} was begun with other settings: {differences}; choose another file by --out, or the \
         settings that it was begun with",
        path = path.display()
    )]
    OtherSettings {
        /// The book.
        path: PathBuf,
        /// The differences.
        differences: String,
    },
    /// A number that is out of range.
    #[error("{0}")]
    Setting(String),
    /// No memory or threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// No threads for the searches.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// The number requested.
        threads: usize,
        /// The system's error.
        error: io::Error,
    },
}
