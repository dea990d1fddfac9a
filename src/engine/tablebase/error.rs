//! Tablebase errors.

use std::path::PathBuf;

use thiserror::Error;

use super::rules::UnsupportedRules;
use super::slice::{MAX_STONES, Slice};
use crate::container::ContainerError;
use crate::memory::ResourceError;

/// Why tables cannot be built, opened or read.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// Rules without tablebase support.
    #[error(transparent)]
    Rules(#[from] UnsupportedRules),
    /// Too few or too many stones.
    #[error("invalid number of stones {0}: expected 2 to {MAX_STONES}")]
    Stones(u32),
    /// A file or folder that cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// Tables for other rules than expected.
    #[error("{path}: made for other rules: {found}; expected: {wanted}", path = path.display())]
    OtherRules {
        /// The file or folder.
        path: PathBuf,
        /// The rules in the file.
        found: String,
        /// The expected rules.
        wanted: String,
    },
    /// A folder without tables.
    #[error("{path}: no tablebase here (build one with: vato tablebase build)", path = .0.display())]
    NoTables(PathBuf),
    /// An incomplete set in a folder: captures lead to a missing slice.
    #[error("{path}: the slice {1} is missing", path = .0.display())]
    Gap(PathBuf, Slice),
    /// Stopped before all slices were solved.
    #[error("stopped; finished slices are kept, and the same command continues")]
    Stopped,
    /// Not enough memory or disk for a build.
    #[error("{0}")]
    Resources(String),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ResourceError),
}
