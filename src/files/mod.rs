//! Files that are replaced as a whole, and that one process writes at a time.

#[cfg(any(feature = "tools", test))]
mod write;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

#[cfg(any(feature = "tools", test))]
pub(crate) use write::{Lock, LockError};
#[cfg(any(feature = "tools", test))]
pub use write::{create, destination, replace, with_extension};

/// Requires that there is a file to read: pipes and devices may have no end.
///
/// # Errors
///
/// If there is something else, such as a folder ([`ErrorKind::IsADirectory`]), or nothing.
pub(crate) fn require_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)? {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a regular file")),
    }
}
