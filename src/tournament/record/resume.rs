//! Going on with a match.

use std::fs::OpenOptions;
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::files::{OpenFile, with_extension};
use super::pgn::pgn_of;
use super::reading::read_lines;
use super::{GameEntry, Header, Reading, Record, RecordError};
use crate::files::require_regular;

/// The record of a match that has begun. It was read, and nothing of it has been changed.
#[derive(Debug)]
pub struct Reopened {
    reading: Reading,
    state: OpenFile,
}

impl Record {
    /// Opens the record of a match that has begun, for this process alone. `path` is the state's file
    /// (`NAME.jsonl`).
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is in use, or is damaged elsewhere than at its end.
    pub fn reopen(path: &Path) -> Result<Reopened, RecordError> {
        let state = OpenFile::open(path.to_owned(), false)?;
        let reading = read_lines(BufReader::new(&state.file), path)?;
        Ok(Reopened { reading, state })
    }
}

impl Reopened {
    /// What match it is.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.reading.header
    }

    /// Its finished games, in the order in which they ended.
    #[must_use]
    pub fn entries(&self) -> &[GameEntry] {
        &self.reading.entries
    }

    /// The record, ready for more games.
    ///
    /// What a kill has left half written is cut off; a PGN that lacks games of the state is written
    /// anew from the state. As this cannot be undone, whether the match can go on is to be known before.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written or is in use.
    pub fn mend(self) -> Result<Record, RecordError> {
        let Reopened { reading, mut state } = self;
        let settings = reading.header.settings;
        let name = state.path.with_extension("");
        let mut pgn = OpenFile::open(with_extension(&name, "pgn"), true)?;
        let last = reading.entries.last();
        let wanted = last.map_or(0, |entry| entry.pgn_bytes);
        // Half a game may stand there if the file was made anew, or changed, since that was written down.
        let is_whole = match last {
            Some(entry) => pgn.has_game_end(wanted, &entry.result)?,
            None => true,
        };
        if is_whole {
            pgn.cut(wanted)?;
        } else {
            let path = pgn.path.display();
            log::warn!("{path} lacks games, or is not as it was; it is written anew");
            let mut games = String::new();
            for entry in &reading.entries {
                games.push_str(&pgn_of(&settings, entry)?);
            }
            pgn.rewrite(games.as_bytes())?;
        }
        state.cut(reading.length)?;
        Ok(Record::from_files(settings, state, pgn))
    }
}

impl OpenFile {
    /// Whether a game with this result ends after so many bytes.
    fn has_game_end(&mut self, length: u64, result: &str) -> Result<bool, RecordError> {
        let wanted = format!("{result}\n\n");
        let Some(begin) = length.checked_sub(wanted.len() as u64) else {
            return Ok(false);
        };
        let mut found = Vec::new();
        let most = wanted.len() as u64;
        self.file
            .seek(SeekFrom::Start(begin))
            .and_then(|_| (&self.file).take(most).read_to_end(&mut found))
            .map_err(|error| self.failed(error))?;
        Ok(found == wanted.as_bytes())
    }

    fn open(path: PathBuf, create: bool) -> Result<OpenFile, RecordError> {
        let is_file = match require_regular(&path) {
            Err(error) if create && error.kind() == ErrorKind::NotFound => Ok(()),
            is_file => is_file,
        };
        let opened = is_file.and_then(|()| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(create)
                .truncate(false)
                .open(&path)
        });
        match opened {
            Ok(file) => OpenFile::own(path, file),
            Err(error) => Err(RecordError::File { path, error }),
        }
    }
}
