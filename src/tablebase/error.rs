//! What can go wrong with tablebases.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::rules::UnsupportedRules;
use super::slice::{MAX_STONES, Slice};

/// Why tables cannot be built, opened or read. Every message names the file or the value.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// Rules that tables cannot be made for.
    #[error(transparent)]
    Rules(#[from] UnsupportedRules),
    /// Too few or too many stones.
    #[error("invalid number of stones {0}: expected 2 to {MAX_STONES}")]
    Stones(u32),
    /// A file or folder that the system does not give.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that is no table, or a damaged one.
    #[error("{path}: {what}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Tables of other rules than those wanted.
    #[error("{path}: made for other rules: {found}; wanted: {wanted}", path = path.display())]
    OtherRules {
        /// The file or folder.
        path: PathBuf,
        /// The rules that it was made for.
        found: String,
        /// The rules wanted.
        wanted: String,
    },
    /// A folder without tables.
    #[error("{path}: no tablebase here (build one with: vato tablebase build)", path = path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// A set with a gap: captures lead to slices that are not there.
    #[error("{path}: the slice {missing} is missing", path = path.display())]
    Gap {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        missing: Slice,
    },
    /// Not enough memory for a build.
    #[error(
        "the slice {slice} needs {needed} of memory, and there is {available} \
         (fewer stones need less; --memory LIMIT sets how much may be used)"
    )]
    Memory {
        /// The slice that needs most.
        slice: Slice,
        /// How much it needs, in words.
        needed: String,
        /// How much there is, in words.
        available: String,
    },
    /// Not enough room on the disk.
    #[error("{path}: about {needed} will be written, and {available} are free", path = path.display())]
    Disk {
        /// The folder.
        path: PathBuf,
        /// How much will be written, in words.
        needed: String,
        /// How much is free, in words.
        available: String,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        error: rayon::ThreadPoolBuildError,
    },
}

impl TablebaseError {
    /// For `map_err` on what the system does with `path`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TablebaseError {
        let path = path.to_owned();
        move |error| TablebaseError::File { path, error }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> TablebaseError {
        TablebaseError::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
