//! Atomic file writes and file locks.

mod write;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

pub(crate) use write::{Lock, LockError};
pub use write::{create, destination, replace, with_extension};

/// Checks that `path` is a regular file: pipes and devices may have no end.
///
/// # Errors
///
/// If it is something else, such as a folder ([`ErrorKind::IsADirectory`]), or does not exist.
pub(crate) fn require_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)? {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a regular file")),
    }
}
