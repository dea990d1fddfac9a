//! Going on with a match.

use std::fs::OpenOptions;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::files::{OpenFile, with_extension};
use super::pgn::pgn_of;
use super::reading::read_lines;
use super::{GameEntry, Header, Reading, Record, RecordError};

impl Record {
    /// Opens the record of a match that has begun: its header, its finished games in the order in
    /// which they ended, and the record itself, ready for more. `path` is the state's file
    /// (`NAME.jsonl`).
    ///
    /// What a kill has left half written is cut off; a PGN that lacks games of the state is written
    /// anew from the state.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written or is in use, or the state is damaged elsewhere than at
    /// its end.
    pub fn resume(path: &Path) -> Result<(Header, Vec<GameEntry>, Record), RecordError> {
        let mut state = OpenFile::open(path.to_owned(), false)?;
        let Reading {
            header, entries, ..
        } = state.read_state()?;
        let name = path.with_extension("");
        let mut pgn = OpenFile::open(with_extension(&name, "pgn"), true)?;
        let wanted = entries.last().map_or(0, |entry| entry.pgn_bytes);
        let metadata = pgn.file.metadata().map_err(|error| pgn.failed(error))?;
        if metadata.len() >= wanted {
            pgn.cut(wanted)?;
        } else {
            log::warn!("{} lacks games; it is written anew", pgn.path.display());
            let mut games = String::new();
            for entry in &entries {
                games.push_str(&pgn_of(&header.settings, entry)?);
            }
            pgn.rewrite(games.as_bytes())?;
        }
        let record = Record::from_files(header.settings.clone(), state, pgn);
        Ok((header, entries, record))
    }
}

impl OpenFile {
    fn open(path: PathBuf, create: bool) -> Result<OpenFile, RecordError> {
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(create)
            .truncate(false)
            .open(&path);
        match opened {
            Ok(file) => OpenFile::own(path, file),
            Err(error) => Err(RecordError::File { path, error }),
        }
    }

    /// Reads all whole lines and cuts off what follows the last of them.
    fn read_state(&mut self) -> Result<Reading, RecordError> {
        let reading = read_lines(BufReader::new(&self.file), &self.path)?;
        self.cut(reading.length)?;
        Ok(reading)
    }
}
