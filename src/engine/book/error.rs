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
    /// An existing book with other settings, and how they differ.
    #[error(
        "{path} was begun with other settings: {1}; choose another file by --out, or the settings that it was begun \
         with",
        path = .0.display()
    )]
    OtherSettings(PathBuf, String),
    /// A number that is out of range.
    #[error("{0}")]
    Setting(String),
    /// No memory or threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// So many threads for the searches could not be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, io::Error),
}
