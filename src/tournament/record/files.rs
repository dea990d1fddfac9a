//! The files of a record: creating, reading, going on, and adding games.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entry::{FORMAT, HeaderLine};
use super::pgn::{first_line, game_record};
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
    /// The settings of each head, in their order.
    heads: Vec<MatchSettings>,
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

/// The state's file (`NAME.jsonl`) of the match that `path` names: this file, another of its files, or its name.
pub fn state_file(path: &Path) -> Result<PathBuf, RecordError> {
    let by_name = with_extension(path, "jsonl");
    let is = |extension: &str| path.extension().is_some_and(|own| own == extension);
    let found = match path.is_file() {
        _ if is("jsonl") => path.exists().then(|| path.to_owned()),
        _ if is("pgn") || is("toml") => {
            let all = [by_name, path.with_extension("jsonl")];
            all.into_iter().find(|path| path.is_file())
        }
        // A copy, maybe: its match is not to be changed.
        true => None,
        false => [by_name, path.to_owned()]
            .into_iter()
            .find(|path| path.exists()),
    };
    found.ok_or_else(|| {
        let what = match path.exists() {
            true => "not the record of a match",
            false => "there is no such file",
        };
        RecordError::at(path, format!("{what}; expected the NAME.jsonl of a match"))
    })
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
    let (mut header, mut heads): (Option<Header>, _) = (None, Vec::new());
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
            heads.push(line.header.settings.clone());
            header = Some(line.header);
        }
    }
    Ok(Reading {
        header: header.ok_or_else(|| RecordError::no_match(path))?,
        entries,
        heads,
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
    /// The record, ready for more games, or, if the match `is_over`, with its PGN in the order of the games.
    ///
    /// Incomplete writes are cut off; a PGN that lacks games of the state is written from the state. What is in it
    /// beyond that is somebody's own: it is an error, or stays if the match is over. This cannot be undone: check
    /// first that the match can go on.
    ///
    /// If the settings of the header `have_changed` since it was read, a new head is added to the state of a match
    /// that goes on, and NAME.toml is written anew.
    pub fn mend(self, have_changed: bool, is_over: bool) -> Result<Record, RecordError> {
        let Reopened { reading, mut state } = self;
        let settings = reading.header.settings.clone();
        let name = state.path().with_extension("");
        let mut pgn = AppendFile::open(&with_extension(&name, "pgn"), true)?.kept();
        let as_ended: Vec<&GameEntry> = reading.entries.iter().collect();
        let mut sorted = as_ended.clone();
        sorted.sort_by_key(|entry| entry.game);
        let [wanted, other] = match is_over {
            true => [sorted, as_ended],
            false => [as_ended, sorted],
        };
        let (end, is_whole) = agreement(&mut pgn, &settings, &wanted)?;
        let (other_end, is_other_order) = agreement(&mut pgn, &settings, &other)?;
        let length = pgn.length();
        if is_whole && length > end && !is_over && is_game_begun(&mut pgn, end, &settings)? {
            pgn.cut(end)?;
        } else if !is_whole && [end, other_end].contains(&length) {
            if !is_other_order {
                log::warn!("{} lacks games; it is written anew", pgn.path().display());
            }
            pgn.cut(0)?;
            for entry in wanted {
                pgn.append(game_record(&settings, entry)?.to_string().as_bytes())?;
            }
        } else if length > end {
            let before = read(&mut pgn, 0, end.max(other_end))?;
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            let path = pgn.path().display();
            let what = format!("{path}, line {line}: not what the record of the match has");
            if !is_over {
                let advice = "move this file away and repeat the command: it is written anew";
                return Err(RecordError(format!("{what}; {advice}")));
            }
            log::warn!("{what}; the file is left as it is");
        }
        if !is_over {
            state.cut(reading.length)?;
            if have_changed {
                let header = reading.header;
                state.append(to_line(&HeaderLine { header })?.as_bytes())?;
                state.sync()?;
            }
            mend_toml(&with_extension(&name, "toml"), &settings, &reading.heads)?;
        }
        Ok(Record {
            settings,
            state,
            pgn,
        })
    }
}

/// How many bytes of a PGN are those of these games, and whether all of the games are there.
fn agreement(
    pgn: &mut AppendFile,
    settings: &MatchSettings,
    games: &[&GameEntry],
) -> Result<(u64, bool), RecordError> {
    let path = pgn.path().to_owned();
    let mut file = BufReader::new(pgn.read_from(0)?);
    let (mut end, mut found) = (0, Vec::new());
    for entry in games {
        let game = game_record(settings, entry)?.to_string();
        found.clear();
        let read = (&mut file).take(game.len() as u64).read_to_end(&mut found);
        read.map_err(|error| RecordError::at(&path, error))?;
        let pairs = game.bytes().zip(&found);
        let same = pairs.take_while(|(wanted, found)| wanted == *found).count();
        end += same as u64;
        if same < game.len() {
            return Ok((end, false));
        }
    }
    Ok((end, true))
}

/// Whether what follows in a PGN is what a kill leaves: a game of the match, or a part of one, that is not in the state.
fn is_game_begun(
    pgn: &mut AppendFile,
    end: u64,
    settings: &MatchSettings,
) -> Result<bool, RecordError> {
    let rest = read(pgn, end, u64::MAX)?;
    let rest = String::from_utf8_lossy(&rest);
    let begins = first_line(settings)?;
    let is_game = rest.starts_with(&begins) || begins.starts_with(&*rest);
    Ok(is_game && rest.matches("\n[Event ").count() == 0)
}

/// A part of a file.
fn read(file: &mut AppendFile, begin: u64, most: u64) -> Result<Vec<u8>, RecordError> {
    let mut bytes = Vec::new();
    let read = file.read_from(begin)?.take(most).read_to_end(&mut bytes);
    read.map_err(|error| RecordError::at(file.path(), error))?;
    Ok(bytes)
}

/// Writes NAME.toml if it is not there, or is what the match has written before: people may have changed it.
fn mend_toml(
    path: &Path,
    settings: &MatchSettings,
    heads: &[MatchSettings],
) -> Result<(), RecordError> {
    let written =
        |settings| toml::to_string_pretty(settings).map_err(|error| RecordError::at(path, error));
    let wanted = written(settings)?;
    let found = match files::read_text(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        found => Some(found.unwrap_or_default()),
    };
    let mut own = heads.iter().map(written);
    if found.as_ref() == Some(&wanted) {
        return Ok(());
    }
    if let Some(found) = found
        && !own.any(|own| own.is_ok_and(|own| own == found))
    {
        log::warn!(
            "{} is not as the match has written it, and is left as it is",
            path.display()
        );
        return Ok(());
    }
    let written = files::replace(path, |file| file.write_all(wanted.as_bytes()));
    written.map_err(|error| RecordError::at(path, error))
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
