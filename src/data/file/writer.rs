//! Writing a file of training data in one go.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Header;
use crate::data::{DataError, Record};

/// Writes records to a file that replaces another of its name only when it is complete.
pub struct DataWriter {
    file: BufWriter<File>,
    /// What the file is called until it is complete.
    unfinished: PathBuf,
    path: PathBuf,
}

impl DataWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<DataWriter, DataError> {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let unfinished = PathBuf::from(unfinished);
        let file = File::create(&unfinished).map_err(|error| DataError::Write {
            path: unfinished.clone(),
            error,
        })?;
        let mut writer = DataWriter {
            file: BufWriter::with_capacity(1 << 20, file),
            unfinished,
            path: path.to_path_buf(),
        };
        writer.put(&header.to_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        self.file
            .write_all(bytes)
            .map_err(|error| DataError::Write {
                path: self.unfinished.clone(),
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
    pub fn finish(self) -> Result<(), DataError> {
        let DataWriter {
            file,
            unfinished,
            path,
        } = self;
        let failed = |error| DataError::Write {
            path: unfinished.clone(),
            error,
        };
        let file = file
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        std::fs::rename(&unfinished, &path).map_err(|error| DataError::Write {
            path: path.clone(),
            error,
        })
    }
}
