//! What can go wrong with tablebases.

use std::path::PathBuf;

use thiserror::Error;

use super::rules::UnsupportedRules;
use super::slice::{MAX_STONES, Slice};
use crate::container::ContainerError;

/// Why tables cannot be built, opened or read.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// Rules that tables cannot be made for.
    #[error(transparent)]
    Rules(#[from] UnsupportedRules),
    /// Too few or too many stones.
    #[error("invalid number of stones {0}: expected 2 to {MAX_STONES}")]
    Stones(u32),
    /// A file or folder that cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] ContainerError),
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
    /// Not enough memory or disk for a build.
    #[error("{0}")]
    Resources(String),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        error: rayon::ThreadPoolBuildError,
    },
}
