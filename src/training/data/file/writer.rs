//! Writing a file of training data in one go.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Header;
use crate::files;
use crate::training::data::{DataError, Record};

/// Writes records to a file that replaces another of its name only when it is complete.
pub struct DataWriter {
    file: BufWriter<File>,
    unfinished: Unfinished,
    path: PathBuf,
}

/// A file that goes away unless it is finished.
struct Unfinished {
    path: PathBuf,
    is_finished: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            // What is left of it is of no use; that it may not go away changes nothing.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl DataWriter {
    /// Begins a file. A symbolic link stays, and its file is replaced.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or there is something else than a file.
    pub fn create(path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        let path = files::destination(path).map_err(|error| DataError::Write {
            path: path.to_path_buf(),
            error,
        })?;
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let unfinished = PathBuf::from(unfinished);
        let file = File::create(&unfinished).map_err(|error| DataError::Write {
            path: unfinished.clone(),
            error,
        })?;
        let mut writer = DataWriter {
            file: BufWriter::with_capacity(1 << 20, file),
            unfinished: Unfinished {
                path: unfinished,
                is_finished: false,
            },
            path,
        };
        writer.put(&header.to_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| DataError::Write {
            path: self.unfinished.path.clone(),
            error,
        })
    }

    /// Writes a record.
    ///
    /// # Errors
    ///
    /// If the file does not take it.
    pub fn write(&mut self, record: &Record) -> Result<(), DataError> {
        self.put(bytemuck::bytes_of(record))
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// If that fails; the file that was there before stays.
    pub fn finish(mut self) -> Result<(), DataError> {
        let path = self.unfinished.path.clone();
        let failed = |error| DataError::Write {
            path: path.clone(),
            error,
        };
        self.file.flush().map_err(failed)?;
        self.file.get_ref().sync_all().map_err(failed)?;
        fs::rename(&path, &self.path).map_err(|error| DataError::Write {
            path: self.path.clone(),
            error,
        })?;
        self.unfinished.is_finished = true;
        Ok(())
    }
}
