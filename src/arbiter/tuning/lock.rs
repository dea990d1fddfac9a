//! One tuning at a time writes to a state.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::TuneError;

/// Keeps other processes from the same state, by a lock on a file beside it. (The state itself is replaced
/// again and again.) The file stays: it is empty, and to take it away
/// would let two processes hold two of them.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the state at `path` for this process.
    ///
    /// # Errors
    ///
    /// If another process has it, or the folder does not take files.
    pub(super) fn take(path: &Path) -> Result<Lock, TuneError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let beside = PathBuf::from(beside);
        let file = File::create(&beside).map_err(TuneError::file(&beside))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TuneError::InUse {
                    path: path.to_owned(),
                });
            }
            // File systems without locks exist.
            Err(TryLockError::Error(error)) => {
                log::debug!("{}: no lock: {error}", beside.display())
            }
        }
        Ok(Lock { _file: file })
    }
}
