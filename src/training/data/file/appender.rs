//! Writing a file of training data game by game, and going on with it after a kill.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Header, Records};
use crate::training::data::{DataError, RECORD_BYTES, Record};

/// Appends whole games to a file. What is there already, whole games that were made in the same way, is
/// kept.
pub struct Appender {
    file: File,
    path: PathBuf,
    header_bytes: u64,
    games: u64,
    positions: u64,
}

impl Appender {
    /// Begins a file or goes on with one; hands the first position of every whole game that is
    /// there to `opening`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is something else or damaged, or was begun with other
    /// settings.
    pub fn open(
        path: &Path,
        header: &Header,
        mut opening: impl FnMut(&Record),
    ) -> Result<Appender, DataError> {
        let failed = |error| DataError::Write {
            path: path.to_path_buf(),
            error,
        };
        let begun = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
        if !begun {
            let mut file = File::create(path).map_err(failed)?;
            own(&file, path)?;
            let bytes = header.to_bytes();
            file.write_all(&bytes).map_err(failed)?;
            return Ok(Appender {
                file,
                path: path.to_path_buf(),
                header_bytes: bytes.len() as u64,
                games: 0,
                positions: 0,
            });
        }
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        own(&file, path)?;
        let mut records = Records::open(path)?;
        if let Some(difference) = difference(records.header(), header) {
            return Err(DataError::OtherSettings {
                path: path.to_path_buf(),
                difference,
            });
        }
        let header_bytes = records.header_bytes();
        let (mut games, mut positions, mut read) = (0, 0, 0);
        let mut first = None;
        for record in &mut records {
            let record = match record {
                Ok(record) => record,
                // Cut off when the program was killed.
                Err(DataError::Fraction { .. }) => break,
                Err(error) => return Err(error),
            };
            read += 1;
            if !record.is_aside() {
                first.get_or_insert(record);
            }
            if record.is_last()
                && let Some(first) = first.take()
            {
                opening(&first);
                games += 1;
                positions = read;
            }
        }
        file.set_len(header_bytes + positions * RECORD_BYTES as u64)
            .map_err(failed)?;
        Ok(Appender {
            file,
            path: path.to_path_buf(),
            header_bytes,
            games,
            positions,
        })
    }

    /// Games in the file.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Positions in the file.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Writes a game, which has a position at least and whose last record is marked as such; it is in
    /// the file when this returns.
    ///
    /// # Errors
    ///
    /// If the file does not take it.
    pub fn append(&mut self, game: &[Record]) -> Result<(), DataError> {
        if let Err(error) = self.file.write_all(bytemuck::cast_slice(game)) {
            // Whatever part of it has arrived: the next game is not to follow on that.
            let whole = self.header_bytes + self.positions * RECORD_BYTES as u64;
            if let Err(error) = self.file.set_len(whole) {
                log::error!("{}: not cut to whole games: {error}", self.path.display());
            }
            return Err(DataError::Write {
                path: self.path.clone(),
                error,
            });
        }
        self.games += 1;
        self.positions += game.len() as u64;
        Ok(())
    }
}

/// Takes the file for this process alone. (Not on Windows, where a lock would keep others from reading
/// the file too.)
fn own(file: &File, path: &Path) -> Result<(), DataError> {
    #[cfg(not(windows))]
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => {
            return Err(DataError::InUse {
                path: path.to_path_buf(),
            });
        }
        // File systems without locks exist; games are played on them all the same.
        Err(std::fs::TryLockError::Error(error)) => {
            log::debug!("{}: no lock: {error}", path.display());
        }
    }
    Ok(())
}

/// Where two headers differ, in words.
fn difference(there: &Header, here: &Header) -> Option<String> {
    if there.rules != here.rules {
        return Some(format!(
            "rules '{}' there, '{}' here",
            there.rules, here.rules
        ));
    }
    if there.shuffled {
        return Some("its records are shuffled".to_owned());
    }
    match (&there.origins[..], &here.origins[..]) {
        ([there], [here]) => there.difference(here),
        _ => Some("it was merged from several files".to_owned()),
    }
}
