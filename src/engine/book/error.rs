//! Errors of opening books.

use std::path::PathBuf;

use thiserror::Error;

use crate::container::ContainerError;
use crate::memory::ResourceError;

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
    /// No memory or threads for the searches.
    #[error(transparent)]
    Resources(#[from] ResourceError),
}
