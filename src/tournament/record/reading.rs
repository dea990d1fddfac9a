//! Reading the state of a match.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::header::{FORMAT, HeaderLine};
use super::{GameEntry, Header, RecordError};
use crate::files::require_regular;

/// The state of a match, as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What match it is.
    pub header: Header,
    /// Its finished games, in the order in which they ended.
    pub entries: Vec<GameEntry>,
    /// Length of the lines that were read, in bytes. What follows was never finished.
    pub(super) length: u64,
}

/// Reads the state of a match (`NAME.jsonl`) without changing anything. A last line that was never
/// finished is not read.
///
/// # Errors
///
/// If the file cannot be read, or is damaged elsewhere than at its end.
pub fn read_record(path: &Path) -> Result<Reading, RecordError> {
    let file = open(path).map_err(|error| RecordError::File {
        path: path.to_owned(),
        error,
    })?;
    read_lines(BufReader::new(file), path)
}

/// Whether the file at `path` begins with a whole line, as far as it can be read.
pub(super) fn has_head(path: &Path) -> bool {
    let mut line = Vec::new();
    let read = open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line));
    read.is_err() || line.last() == Some(&b'\n')
}

fn open(path: &Path) -> io::Result<File> {
    require_regular(path)?;
    File::open(path)
}

/// Reads all whole lines of the file at `path`.
pub(super) fn read_lines(mut reader: impl BufRead, path: &Path) -> Result<Reading, RecordError> {
    let mut length = 0;
    let mut header: Option<Header> = None;
    let mut entries: Vec<GameEntry> = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        let read = reader.read_until(b'\n', &mut line);
        let read = read.map_err(|error| RecordError::File {
            path: path.to_owned(),
            error,
        })?;
        if line.last() != Some(&b'\n') {
            // The end, or a line that was never finished.
            break;
        }
        length += read as u64;
        let bad = |what: String| RecordError::Line {
            path: path.to_owned(),
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
    let header = header.ok_or_else(|| RecordError::NoMatch {
        path: path.to_owned(),
    })?;
    Ok(Reading {
        header,
        entries,
        length,
    })
}
