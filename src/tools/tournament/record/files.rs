//! The files of a record: creating, reading, going on, and adding games.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entry::{FORMAT, HeaderLine};
use super::pgn::game_record;
use super::{GameEntry, Header};
use crate::tournament::match_error::MatchError;
use crate::tournament::settings::MatchSettings;
use crate::tournament::statistics::SprtState;
use vato_engine::container::ContainerError;
use vato_engine::files;
use vato_solver::files::{AppendFile, folder_of, with_extension};

/// What the head of a match begins with.
const HEAD: &[u8] = b"{\"match\":";

fn no_match(path: &Path) -> MatchError {
    MatchError::Missing(format!(
        "{} exists, but holds no match: its head is missing or unfinished; if a match was killed as \
         it began, remove what it has left",
        path.display()
    ))
}

/// The state of a match, as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What match it is.
    pub header: Header,
    /// Its finished games, in the order in which they ended.
    pub entries: Vec<GameEntry>,
    /// The settings of each head, in their order.
    pub(super) heads: Vec<MatchSettings>,
    /// The number of the complete lines, and their length in bytes.
    lines: u64,
    pub(in crate::tournament) length: u64,
}

/// An open record, to which finished games are added.
#[derive(Debug)]
pub struct Record {
    pub(super) header: Header,
    pub(super) state: AppendFile,
    pub(super) pgn: AppendFile,
}

/// The state's file (`NAME.jsonl`) of the match that `path` names: this file, another of its files, or its name.
pub fn state_file(path: &Path) -> Result<PathBuf, MatchError> {
    let is = |extension: &str| path.extension().is_some_and(|own| own == extension);
    let by_name = with_extension(path, "jsonl");
    let found = match path.is_file() {
        _ if is("jsonl") => Some(path.to_owned()),
        _ if is("pgn") || is("toml") => Some(path.with_extension("jsonl")),
        // A copy, maybe: its match is not to be changed.
        true => None,
        false if by_name.exists() => Some(by_name),
        false => Some(path.to_owned()),
    };
    let found = found.filter(|path| path.exists());
    found.ok_or_else(|| {
        let what = match path.exists() {
            true => "not the record of a match",
            false => "there is no such file",
        };
        MatchError::missing(
            path.display(),
            format!("{what}; expected the NAME.jsonl of a match"),
        )
    })
}

/// The files of the record whose state is in the file `path`: the state, the games, the settings.
pub fn record_files(path: &Path) -> [PathBuf; 3] {
    ["jsonl", "pgn", "toml"].map(|extension| path.with_extension(extension))
}

/// Reads the state of a match (`NAME.jsonl`) without changes. An incomplete last line is ignored.
pub fn read_record(path: &Path) -> Result<Reading, MatchError> {
    let file = open_to_read(path).map_err(|error| MatchError::missing(path.display(), error))?;
    read_lines(file, path)
}

pub(in crate::tournament) fn open_to_read(path: &Path) -> io::Result<BufReader<File>> {
    files::open(path).map(BufReader::new)
}

/// Reads all whole lines of the file at `path`.
fn read_lines(mut reader: impl BufRead, path: &Path) -> Result<Reading, MatchError> {
    let head = read_head(&mut reader, path)?;
    let mut reading = head.ok_or_else(|| no_match(path))?;
    reading.read_on(reader, path).map(|()| reading)
}

/// Reads the head of the file at `path`; `None` if it is not finished.
pub(in crate::tournament) fn read_head(
    reader: &mut impl BufRead,
    path: &Path,
) -> Result<Option<Reading>, MatchError> {
    let mut line = Vec::new();
    if !read_line(reader, path, &mut line)? {
        return Ok(None);
    }
    let header = header_of(&line, path, 1)?;
    Ok(Some(Reading {
        heads: vec![header.settings.clone()],
        header,
        entries: Vec::new(),
        lines: 1,
        length: line.len() as u64,
    }))
}

impl Reading {
    /// Reads all whole lines that follow on those that have been read of the file at `path`.
    pub(in crate::tournament) fn read_on(
        &mut self,
        mut reader: impl BufRead,
        path: &Path,
    ) -> Result<(), MatchError> {
        let mut line = Vec::new();
        while read_line(&mut reader, path, &mut line)? {
            let number = self.lines + 1;
            if line.starts_with(HEAD) {
                // Its settings count from there on.
                let header = header_of(&line, path, number)?;
                if self.header == header {
                    return Err(bad(path, number, "the head again, without a change"));
                }
                self.heads.push(header.settings.clone());
                self.header = header;
            } else {
                self.entries
                    .push(parse(&line, path, number, "a finished game")?);
            }
            self.lines = number;
            self.length += line.len() as u64;
        }
        Ok(())
    }
}

/// Reads a line with its end; false if there is none, or it was never finished.
fn read_line(
    reader: &mut impl BufRead,
    path: &Path,
    line: &mut Vec<u8>,
) -> Result<bool, MatchError> {
    line.clear();
    let read = reader.read_until(b'\n', line);
    read.map_err(|error| MatchError::missing(path.display(), error))?;
    Ok(line.last() == Some(&b'\n'))
}

fn header_of(line: &[u8], path: &Path, number: u64) -> Result<Header, MatchError> {
    let HeaderLine { header } = parse(line, path, number, "the head of a match")?;
    match header.format {
        FORMAT => Ok(header),
        other => {
            let what = format!("format {other}, this program reads {FORMAT}");
            Err(bad(path, number, what))
        }
    }
}

/// Reads a line, whose number its errors tell, as what it has to be.
fn parse<T: DeserializeOwned>(
    line: &[u8],
    path: &Path,
    number: u64,
    expected: &str,
) -> Result<T, MatchError> {
    let line = line.trim_ascii_end();
    serde_json::from_slice(line).map_err(|error| {
        let error = match line {
            b"" => "the line is empty".to_owned(),
            _ => error.to_string().replace(" line 1 column ", " column "),
        };
        bad(path, number, format!("not {expected}: {error}"))
    })
}

fn bad(path: &Path, line: u64, what: impl Display) -> MatchError {
    MatchError::Missing(format!("{}, line {line}: {what}", path.display()))
}

/// Opens the record of a match that has begun, for this process alone if it can. `path` is the state's file
/// (`NAME.jsonl`).
pub(in crate::tournament) fn reopen(
    path: &Path,
) -> Result<(Reading, Result<AppendFile, ContainerError>), MatchError> {
    let mut state = AppendFile::open(path, false);
    let reading = match &mut state {
        Ok(state) => read_lines(BufReader::new(state.read_from(0)?), path)?,
        Err(_) => read_record(path)?,
    };
    Ok((reading, state))
}

impl Record {
    /// Creates the record of a new match under `name`, a path without extension, and synchronises its files. On an
    /// error files created here are removed again.
    pub(in crate::tournament) fn create(
        name: &Path,
        header: &Header,
    ) -> Result<Record, MatchError> {
        let [state_path, pgn_path, toml_path] = &record_files(&with_extension(name, "jsonl"));
        if state_path.exists() {
            let mut line = Vec::new();
            let head =
                open_to_read(state_path).and_then(|mut file| file.read_until(b'\n', &mut line));
            return Err(if head.is_err() || line.last() == Some(&b'\n') {
                let advice = "continue that match with --resume, or choose another name by --out";
                MatchError::Missing(format!("{} exists already; {advice}", state_path.display()))
            } else {
                no_match(state_path)
            });
        }
        let settings = toml::to_string_pretty(&header.settings)
            .map_err(|error| MatchError::missing(toml_path.display(), error))?;
        let head = to_line(&HeaderLine {
            header: header.clone(),
        })?;
        let mut made = Vec::new();
        let mut make = |path: &Path, text: &str| {
            let mut file = AppendFile::create(path)?.kept();
            made.push(path.to_owned());
            file.append(text.as_bytes())?;
            file.sync()?;
            Ok::<_, MatchError>(file)
        };
        // The head first: once it is complete, the match can be resumed.
        let files = make(state_path, &head).and_then(|state| {
            make(toml_path, &settings)?;
            Ok((state, make(pgn_path, "")?))
        });
        let (state, pgn) = files.inspect_err(|_| remove_all(&made))?;
        sync_folder(state_path);
        Ok(Record {
            header: header.clone(),
            state,
            pgn,
        })
    }

    /// The state's file: what `--resume` takes.
    pub fn state_path(&self) -> &Path {
        self.state.path()
    }

    /// The games' file.
    pub fn pgn_path(&self) -> &Path {
        self.pgn.path()
    }

    /// Adds a finished game to both files; `pgn_bytes` is filled in. On an error what was written before stays in order.
    pub(in crate::tournament) fn add(&mut self, entry: &mut GameEntry) -> Result<(), MatchError> {
        self.append(entry)?;
        // Costs milliseconds on a thread that plays no games; protects against power failure.
        self.sync()
    }

    /// An error if another program, such as one that synchronises the folder, has replaced or removed the state.
    pub(in crate::tournament) fn require_own(&self) -> Result<(), MatchError> {
        if is_as_written(&self.state) {
            return Ok(());
        }
        let [state, pgn] = [&self.state, &self.pgn].map(|file| file.path().display());
        let games = match is_as_written(&self.pgn) {
            true => "the games are in",
            false => "the same has happened to",
        };
        Err(MatchError::Schedule(format!(
            "{state}: another program has replaced or removed this file, expected to be written by this match alone; \
             {games} {pgn}"
        )))
    }

    /// Makes the verdict of a test over several machines last.
    pub(in crate::tournament) fn decide(&mut self, verdict: SprtState) -> Result<(), MatchError> {
        self.header.verdict = Some(verdict);
        let header = self.header.clone();
        self.state
            .append(to_line(&HeaderLine { header })?.as_bytes())?;
        self.sync()
    }

    /// Adds games that are on record elsewhere.
    pub(in crate::tournament) fn add_all(
        &mut self,
        entries: &[GameEntry],
    ) -> Result<(), MatchError> {
        for entry in entries {
            self.append(&mut entry.clone())?;
        }
        self.sync()
    }

    /// Puts the games of the PGN into the order of their numbers: those that run at the same time come as they end. On
    /// an error it stays as it is.
    pub(in crate::tournament) fn sort(&mut self) -> Result<(), MatchError> {
        let mut entries = read_record(self.state.path())?.entries;
        let path = self.pgn.path();
        if !is_as_written(&self.pgn) {
            let what = fs::read(path).map_or("it was removed;".to_owned(), |text| {
                let found = String::from_utf8_lossy(&text).matches("[Event \"").count();
                let (all, lost) = (entries.len(), entries.len().saturating_sub(found));
                format!("it was changed, and lacks {lost} of {all} games; move it away and")
            });
            let what = format!("{what} --resume the match: it is written anew");
            return Err(MatchError::missing(path.display(), what));
        } else if entries.is_sorted_by_key(|entry| entry.game) {
            return Ok(());
        }
        entries.sort_by_key(|entry| entry.game);
        let replaced = vato_solver::files::replace(path, |sorted| {
            entries.iter().try_for_each(|entry| {
                let game = game_record(&self.header.settings, entry);
                write!(sorted, "{}", game.map_err(io::Error::other)?)
            })
        });
        replaced.map_err(|error| {
            let what = format!("{error}; its games are in the order in which they ended");
            MatchError::missing(path.display(), what)
        })
    }

    fn append(&mut self, entry: &mut GameEntry) -> Result<(), MatchError> {
        // What others have put there stays.
        if is_as_written(&self.pgn) {
            let pgn = game_record(&self.header.settings, entry)?.to_string();
            self.pgn.append(pgn.as_bytes())?;
        }
        entry.pgn_bytes = self.pgn.length();
        Ok(self.state.append(to_line(entry)?.as_bytes())?)
    }

    fn sync(&self) -> Result<(), MatchError> {
        self.pgn.sync()?;
        Ok(self.state.sync()?)
    }
}

/// Whether a file at its path is as long as it was written: another program may have replaced or removed it.
fn is_as_written(file: &AppendFile) -> bool {
    // What a system tells of a file that is open elsewhere may be old.
    let length = open_to_read(file.path()).and_then(|mut file| file.seek(SeekFrom::End(0)));
    match length {
        Ok(length) => length == file.length(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

pub(super) fn to_line(line: &impl Serialize) -> Result<String, MatchError> {
    let text = serde_json::to_string(line);
    let text = text.map_err(|error| MatchError::missing("cannot write the record", error))?;
    Ok(text + "\n")
}

/// Files that cannot be removed are reported when the name is used again.
pub(in crate::tournament) fn remove_all(paths: &[PathBuf]) {
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
