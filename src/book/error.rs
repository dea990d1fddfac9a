//! What can go wrong with an opening book.

use std::io;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use crate::search::SearchError;

/// Why an opening book cannot be made or read.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file that does not open or read.
    #[error("cannot read {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that does not take what is written.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that is something else, or not whole.
    #[error("{path}: {what}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A book that was begun with other settings.
    #[error(
        "{path} was begun with other settings: {differences}; choose another file by --out, or the \
         settings that it was begun with",
        path = path.display()
    )]
    OtherSettings {
        /// The book.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
    /// A book that another process is building.
    #[error("{path} is in use: another build is writing to it", path = path.display())]
    InUse {
        /// The book.
        path: PathBuf,
    },
    /// A number that cannot be.
    #[error("{0}")]
    Setting(String),
    /// No memory or threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// No threads for the searches.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        error: ThreadPoolBuildError,
    },
}

impl BookError {
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> BookError {
        |error| BookError::Write {
            path: path.to_owned(),
            error,
        }
    }

    pub(super) fn file(path: &Path) -> impl Fn(String) -> BookError {
        |what| BookError::File {
            path: path.to_owned(),
            what,
        }
    }
}
