//! Reading records one after the other.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::Header;
use crate::board::BoardSize;
use crate::training::data::{DataError, RECORD_BYTES, Record};

/// The records of a file, read as they are wanted and checked one by one. After an error there are no
/// more.
pub struct Records {
    file: BufReader<File>,
    path: PathBuf,
    header: Header,
    header_bytes: u64,
    board: BoardSize,
    /// Records read so far.
    number: u64,
    is_over: bool,
}

impl Records {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// If it does not read or is something else.
    pub fn open(path: &Path) -> Result<Records, DataError> {
        let file = File::open(path).map_err(|error| DataError::Read {
            path: path.to_path_buf(),
            error,
        })?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let (header, header_bytes) = Header::read(&mut file, path)?;
        let rules = header.parsed_rules().map_err(|error| DataError::Rules {
            path: path.to_path_buf(),
            error,
        })?;
        Ok(Records {
            file,
            path: path.to_path_buf(),
            header,
            header_bytes,
            board: rules.board,
            number: 0,
            is_over: false,
        })
    }

    /// The file's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the file before its first record.
    pub(super) fn header_bytes(&self) -> u64 {
        self.header_bytes
    }

    fn read(&mut self) -> Result<Option<Record>, DataError> {
        let mut bytes = [0; RECORD_BYTES];
        let mut filled = 0;
        while filled < RECORD_BYTES {
            match self.file.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(DataError::Read {
                        path: self.path.clone(),
                        error,
                    });
                }
            }
        }
        match filled {
            0 => return Ok(None),
            RECORD_BYTES => {}
            _ => {
                return Err(DataError::Fraction {
                    path: self.path.clone(),
                    bytes: filled as u64,
                });
            }
        }
        self.number += 1;
        let record: Record = bytemuck::cast(bytes);
        if record.check(self.board) {
            Ok(Some(record))
        } else {
            Err(DataError::Record {
                path: self.path.clone(),
                number: self.number,
            })
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}
