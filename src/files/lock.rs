//! One process at a time writes to a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Keeps other processes from the same file, by a lock on another one beside it. (The file itself is
/// replaced again and again.) The file beside it stays: it is empty, and to take it away would let two
/// processes hold two of them. A file of that name that is there already is somebody's: it is locked, and
/// keeps what it holds.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Why a lock cannot be had.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process has it.
    InUse,
    /// The file beside, which cannot be written.
    File(PathBuf, io::Error),
}

impl Lock {
    /// Takes the file at `path` for this process.
    ///
    /// # Errors
    ///
    /// If another process has it, or the folder does not take files.
    pub(crate) fn take(path: &Path) -> Result<Lock, LockError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let beside = PathBuf::from(beside);
        let opened = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&beside);
        let file = match opened {
            Ok(file) => file,
            Err(error) => return Err(LockError::File(beside, error)),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::InUse),
            // File systems without locks exist.
            Err(TryLockError::Error(error)) => {
                log::debug!("{}: no lock: {error}", beside.display())
            }
        }
        Ok(Lock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let beside = folder.path().join("a.book.lock");
        fs::write(&beside, "somebody's").expect("there is room");
        let lock = Lock::take(&path).expect("free");
        assert!(matches!(Lock::take(&path), Err(LockError::InUse)));
        drop(lock);
        assert!(Lock::take(&path).is_ok());
        assert_eq!(fs::read(&beside).ok().as_deref(), Some(&b"somebody's"[..]));
    }
}
