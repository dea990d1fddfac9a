//! Going on with a match.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::files::{OpenFile, with_extension};
use super::header::{FORMAT, HeaderLine};
use super::pgn::pgn_of;
use super::{GameEntry, Header, Record, RecordError};

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
        let (header, entries) = state.read_state()?;
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
    fn read_state(&mut self) -> Result<(Header, Vec<GameEntry>), RecordError> {
        let mut reader = BufReader::new(&self.file);
        let mut length = 0;
        let mut header = None;
        let mut entries: Vec<GameEntry> = Vec::new();
        for number in 1.. {
            let mut line = Vec::new();
            let read = reader
                .read_until(b'\n', &mut line)
                .map_err(|error| self.failed(error))?;
            if line.last() != Some(&b'\n') {
                // The end, or a line that was never finished.
                break;
            }
            length += read as u64;
            let bad = |what: String| RecordError::Line {
                path: self.path.clone(),
                line: number,
                what,
            };
            if header.is_none() {
                let line: HeaderLine = serde_json::from_slice(&line)
                    .map_err(|error| bad(format!("not the head of a match: {error}")))?;
                if line.header.format != FORMAT {
                    return Err(bad(format!(
                        "format {}, this program reads {FORMAT}",
                        line.header.format
                    )));
                }
                header = Some(line.header);
                continue;
            }
            let entry: GameEntry = serde_json::from_slice(&line)
                .map_err(|error| bad(format!("not a finished game: {error}")))?;
            entries.push(entry);
        }
        let header = header.ok_or_else(|| RecordError::Line {
            path: self.path.clone(),
            line: 1,
            what: "not the head of a match: the line is missing or unfinished".to_owned(),
        })?;
        self.cut(length)?;
        Ok((header, entries))
    }
}
