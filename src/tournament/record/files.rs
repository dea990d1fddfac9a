//! The files of a record: creating, reading, going on, and adding games.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entry::{FORMAT, HeaderLine};
use super::pgn::game_record;
use super::{GameEntry, Header};
use crate::container::ContainerError;
use crate::files::{self, AppendFile, folder_of, with_extension};
use crate::notation::pgn::PgnReader;
use crate::tournament::settings::MatchSettings;

/// What the head of a match begins with.
const HEAD: &[u8] = b"{\"match\":";

/// What is wrong with a record: a sentence that names the file.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct RecordError(String);

impl RecordError {
    pub(in crate::tournament) fn new(text: String) -> RecordError {
        RecordError(text)
    }

    pub(in crate::tournament) fn at(path: &Path, error: impl Display) -> RecordError {
        RecordError(format!("{}: {error}", path.display()))
    }

    fn exists(path: &Path, advice: &str) -> RecordError {
        let path = path.display();
        RecordError(format!(
            "{path} exists already; {advice}choose another name by --out"
        ))
    }

    fn no_match(path: &Path) -> RecordError {
        RecordError(format!(
            "{} exists, but holds no match: its head is missing or unfinished; if a match was killed as \
             it began, remove what it has left",
            path.display()
        ))
    }
}

impl From<ContainerError> for RecordError {
    fn from(error: ContainerError) -> RecordError {
        RecordError(error.to_string())
    }
}

/// The state of a match, as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What match it is.
    pub header: Header,
    /// Its finished games, in the order in which they ended.
    pub entries: Vec<GameEntry>,
    /// Length of the complete lines, in bytes.
    length: u64,
}

/// An open record, to which finished games are added.
#[derive(Debug)]
pub struct Record {
    settings: MatchSettings,
    state: AppendFile,
    pgn: AppendFile,
}

/// The record of a match that was read and is not changed yet.
#[derive(Debug)]
pub struct Reopened {
    /// Its content.
    pub reading: Reading,
    state: AppendFile,
}

/// A finished game as far as its place in the sorted PGN goes.
#[derive(Deserialize)]
struct GameInPgn {
    game: u32,
}

/// Reads the state of a match (`NAME.jsonl`) without changes. An incomplete last line is ignored.
pub fn read_record(path: &Path) -> Result<Reading, RecordError> {
    let file = open_to_read(path).map_err(|error| RecordError::at(path, error))?;
    read_lines(file, path)
}

fn open_to_read(path: &Path) -> io::Result<BufReader<File>> {
    files::open(path).map(BufReader::new)
}

/// Reads all whole lines of the file at `path`.
fn read_lines(mut reader: impl BufRead, path: &Path) -> Result<Reading, RecordError> {
    let mut length = 0;
    let mut header: Option<Header> = None;
    let mut entries: Vec<GameEntry> = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read = read.map_err(|error| RecordError::at(path, error))?;
        if line.last() != Some(&b'\n') {
            // The end, or a line that was never finished.
            break;
        }
        length += read as u64;
        let bad = |what: &str, error: &dyn Display| {
            RecordError(format!("{}, line {number}: {what}{error}", path.display()))
        };
        // A head among the games: its settings count from there on.
        if header.is_some() && !line.starts_with(HEAD) {
            let entry = serde_json::from_slice(&line);
            entries.push(entry.map_err(|error| bad("not a finished game: ", &error))?);
        } else {
            let line: HeaderLine = serde_json::from_slice(&line)
                .map_err(|error| bad("not the head of a match: ", &error))?;
            if line.header.format != FORMAT {
                let formats = format_args!("{}, this program reads {FORMAT}", line.header.format);
                return Err(bad("format ", &formats));
            }
            if header.as_ref() == Some(&line.header) {
                return Err(bad("", &"the head again, without a change"));
            }
            header = Some(line.header);
        }
    }
    Ok(Reading {
        header: header.ok_or_else(|| RecordError::no_match(path))?,
        entries,
        length,
    })
}

impl Record {
    /// Creates the record of a new match under `name`, a path without extension, and synchronises its
    /// files.
    ///
    /// # Errors
    ///
    /// If one of its files exists already, or cannot be created; files created here are removed again.
    pub fn create(name: &Path, header: &Header) -> Result<Record, RecordError> {
        let paths = ["jsonl", "pgn", "toml"].map(|extension| with_extension(name, extension));
        let [state_path, pgn_path, toml_path] = &paths;
        if state_path.exists() {
            let mut line = Vec::new();
            let head =
                open_to_read(state_path).and_then(|mut file| file.read_until(b'\n', &mut line));
            return Err(if head.is_err() || line.last() == Some(&b'\n') {
                RecordError::exists(state_path, "go on with that match by --resume, or ")
            } else {
                RecordError::no_match(state_path)
            });
        }
        if let Some(path) = [pgn_path, toml_path].into_iter().find(|path| path.exists()) {
            return Err(RecordError::exists(path, ""));
        }
        let settings = toml::to_string_pretty(&header.settings)
            .map_err(|error| RecordError::at(toml_path, error))?;
        let head = to_line(&HeaderLine {
            header: header.clone(),
        })?;
        let mut made = Vec::new();
        let mut make = |path: &Path, text: &str| {
            let mut file = AppendFile::create(path)?.kept();
            made.push(path.to_owned());
            file.append(text.as_bytes())?;
            file.sync()?;
            Ok::<_, RecordError>(file)
        };
        // The head first: once it is complete, the match can be resumed.
        let files = make(state_path, &head).and_then(|state| {
            make(toml_path, &settings)?;
            Ok((state, make(pgn_path, "")?))
        });
        let (state, pgn) = files.inspect_err(|_| remove_all(&made))?;
        sync_folder(state_path);
        Ok(Record {
            settings: header.settings.clone(),
            state,
            pgn,
        })
    }

    /// Opens the record of a match that has begun, for this process alone. `path` is the state's file
    /// (`NAME.jsonl`).
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is in use, or is damaged elsewhere than at its end.
    pub fn reopen(path: &Path) -> Result<Reopened, RecordError> {
        let mut state = AppendFile::open(path, false)?;
        let reading = read_lines(BufReader::new(state.read_from(0)?), path)?;
        Ok(Reopened { reading, state })
    }

    /// Removes the files of a record that could not be completed.
    pub(in crate::tournament) fn remove(self) {
        let toml = self.state.path().with_extension("toml");
        remove_all(&[
            self.state.path().to_owned(),
            self.pgn.path().to_owned(),
            toml,
        ]);
    }

    /// The state's file: what `--resume` takes.
    pub fn state_path(&self) -> &Path {
        self.state.path()
    }

    /// The games' file.
    pub fn pgn_path(&self) -> &Path {
        self.pgn.path()
    }

    /// Adds a finished game to both files; `pgn_bytes` is filled in.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. What was written before stays in order.
    pub fn add(&mut self, entry: &mut GameEntry) -> Result<(), RecordError> {
        self.append(entry)?;
        // Costs milliseconds on a thread that plays no games; protects against power failure.
        self.sync()
    }

    /// Adds games that are on record elsewhere.
    pub fn add_all(&mut self, entries: &[GameEntry]) -> Result<(), RecordError> {
        for entry in entries {
            self.append(&mut entry.clone())?;
        }
        self.sync()
    }

    /// Puts the games of the PGN into the order of their numbers: those that run at the same time come as they end. On
    /// an error it stays as it is.
    pub(in crate::tournament) fn sort(&mut self) -> io::Result<()> {
        let (mut begin, mut games) = (0, Vec::new());
        let mut pgn = PgnReader::new(open_to_read(self.pgn.path())?);
        for line in open_to_read(self.state.path())?.lines() {
            // Heads have no number.
            if let Ok(GameInPgn { game }) = serde_json::from_str(&line?) {
                let read = pgn.next().and_then(Result::ok);
                read.ok_or_else(|| io::Error::other("it lacks games"))?;
                games.push((game, begin, pgn.offset()));
                begin = pgn.offset();
            }
        }
        if games.is_sorted() {
            return Ok(());
        }
        games.sort_unstable();
        let path = self.pgn.path().to_owned();
        files::replace(&path, |sorted| {
            for (_, begin, end) in games {
                let game = self.pgn.read_from(begin).map_err(io::Error::other)?;
                io::copy(&mut game.take(end.saturating_sub(begin)), sorted)?;
            }
            Ok(())
        })
    }

    fn append(&mut self, entry: &mut GameEntry) -> Result<(), RecordError> {
        let pgn = game_record(&self.settings, entry)?.to_string();
        self.pgn.append(pgn.as_bytes())?;
        entry.pgn_bytes = self.pgn.length();
        Ok(self.state.append(to_line(entry)?.as_bytes())?)
    }

    fn sync(&self) -> Result<(), RecordError> {
        self.pgn.sync()?;
        Ok(self.state.sync()?)
    }
}

impl Reopened {
    /// The record, ready for more games.
    ///
    /// Incomplete writes are cut off; a PGN that lacks games of the state is rewritten from the state.
    /// This cannot be undone: check first that the match can go on.
    ///
    /// If the settings of the header `have_changed` since it was read, a new head is added to the state,
    /// and NAME.toml is written anew.
    pub fn mend(self, have_changed: bool) -> Result<Record, RecordError> {
        let Reopened { reading, mut state } = self;
        let header = reading.header;
        let settings = header.settings.clone();
        let name = state.path().with_extension("");
        let mut pgn = AppendFile::open(&with_extension(&name, "pgn"), true)?.kept();
        let last = reading.entries.last();
        let wanted = last.map_or(0, |entry| entry.pgn_bytes);
        // The file may have been changed or replaced since, or sorted: then its length has to do.
        let is_whole = match last {
            Some(_) if !reading.entries.is_sorted_by_key(|entry| entry.game) => None,
            Some(entry) => Some(has_game_end(&mut pgn, wanted, &entry.result)?),
            None => Some(true),
        };
        if is_whole == Some(true) {
            pgn.cut(wanted)?;
        } else {
            if is_whole.is_some() || pgn.length() < wanted {
                let path = pgn.path().display();
                log::warn!("{path} lacks games, or is not as it was; it is written anew");
            }
            pgn.cut(0)?;
            for entry in &reading.entries {
                pgn.append(game_record(&settings, entry)?.to_string().as_bytes())?;
            }
        }
        state.cut(reading.length)?;
        if have_changed {
            let toml_path = with_extension(&name, "toml");
            let failed = |error: &dyn Display| RecordError::at(&toml_path, error);
            let text = toml::to_string_pretty(&settings).map_err(|error| failed(&error))?;
            state.append(to_line(&HeaderLine { header })?.as_bytes())?;
            state.sync()?;
            fs::write(&toml_path, text).map_err(|error| failed(&error))?;
        }
        Ok(Record {
            settings,
            state,
            pgn,
        })
    }
}

/// Whether a game with this result ends after so many bytes of a file.
fn has_game_end(pgn: &mut AppendFile, length: u64, result: &str) -> Result<bool, RecordError> {
    let wanted = format!("{result}\n\n");
    let Some(begin) = length.checked_sub(wanted.len() as u64) else {
        return Ok(false);
    };
    let mut found = Vec::new();
    let most = wanted.len() as u64;
    let read = pgn.read_from(begin)?.take(most).read_to_end(&mut found);
    read.map_err(|error| RecordError::at(pgn.path(), error))?;
    Ok(found == wanted.as_bytes())
}

fn to_line(line: &impl Serialize) -> Result<String, RecordError> {
    let text = serde_json::to_string(line);
    let text = text.map_err(|error| RecordError(format!("cannot write the record: {error}")))?;
    Ok(text + "\n")
}

/// Files that cannot be removed are reported when the name is used again.
fn remove_all(paths: &[PathBuf]) {
    for path in paths {
        let _ = fs::remove_file(path);
    }
}

/// Makes the names of the files beside this one last. Where a folder cannot be synchronised, the system
/// does so in its own time.
fn sync_folder(file: &Path) {
    let folder = folder_of(file);
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        log::debug!("{}: not synchronised: {error}", folder.display());
    }
}
