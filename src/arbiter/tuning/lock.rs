//! One tuning at a time writes to a state.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::TuneError;

/// Keeps other processes from the same state, by a lock on a file beside it. (The state itself is replaced
/// again and again.) The file goes away with it.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
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
        Ok(Lock {
            path: beside,
            _file: file,
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What is left behind is empty and in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}
