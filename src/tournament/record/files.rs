//! The files of a record, and what is added to them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::HeaderLine;
use super::pgn::pgn_of;
use super::reading::has_head;
use super::{GameEntry, Header};
use crate::tournament::settings::MatchSettings;

/// What can go wrong with a record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file that cannot be opened, read or written.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A new match would overwrite something.
    #[error("{path} exists already; choose another name by --out", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A new match would overwrite an old one.
    #[error(
        "{path} exists already; go on with that match by --resume, or choose another name by --out",
        path = path.display()
    )]
    MatchExists {
        /// The state's file.
        path: PathBuf,
    },
    /// The state of a match that has never begun.
    #[error(
        "{path} exists, but holds no match: its head is missing or unfinished; if a match was killed as \
         it began, remove what it has left",
        path = path.display()
    )]
    NoMatch {
        /// The state's file.
        path: PathBuf,
    },
    /// Somebody else writes to the record.
    #[error("{path} is in use: another match is writing to it", path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line of the state that does not read.
    #[error("{path}, line {line}: {what}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Settings that cannot be written as TOML.
    #[error("the settings cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    /// A game or a header that cannot be written as JSON.
    #[error("the record cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A game that cannot be written as PGN.
    #[error("game {game} cannot be written as PGN: {what}")]
    Pgn {
        /// The game.
        game: u32,
        /// What is wrong.
        what: String,
    },
}

/// An open record, to which finished games are added.
#[derive(Debug)]
pub struct Record {
    settings: MatchSettings,
    state: OpenFile,
    pgn: OpenFile,
}

/// A file that grows at its end.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) length: u64,
}

impl Record {
    /// Begins the record of a new match under `name`, a path without extension. When it is there it is
    /// so for good, as far as the system can promise that.
    ///
    /// # Errors
    ///
    /// If one of its files exists already, or cannot be made; then none is left that was made here.
    pub fn create(name: &Path, header: &Header) -> Result<Record, RecordError> {
        let paths = ["jsonl", "pgn", "toml"].map(|extension| with_extension(name, extension));
        let [state_path, pgn_path, toml_path] = &paths;
        if state_path.exists() {
            let path = state_path.clone();
            return Err(if has_head(&path) {
                RecordError::MatchExists { path }
            } else {
                RecordError::NoMatch { path }
            });
        }
        for path in [pgn_path, toml_path] {
            if path.exists() {
                return Err(RecordError::Exists { path: path.clone() });
            }
        }
        let settings = toml::to_string_pretty(&header.settings)?;
        let line = HeaderLine {
            header: header.clone(),
        };
        let head = serde_json::to_string(&line)? + "\n";
        let mut made = Vec::new();
        let mut make = |path: &PathBuf, text: &str| {
            let mut file = OpenFile::create(path.clone())?;
            made.push(path.clone());
            file.append(text.as_bytes())?;
            file.sync()?;
            Ok(file)
        };
        // The head first: once it is whole, the match can go on without the rest.
        let files = make(state_path, &head).and_then(|state| {
            make(toml_path, &settings)?;
            Ok((state, make(pgn_path, "")?))
        });
        match files {
            Ok((state, pgn)) => {
                sync_folder(state_path);
                Ok(Record::from_files(header.settings.clone(), state, pgn))
            }
            Err(error) => {
                remove_all(&made);
                Err(error)
            }
        }
    }

    pub(super) fn from_files(settings: MatchSettings, state: OpenFile, pgn: OpenFile) -> Record {
        Record {
            settings,
            state,
            pgn,
        }
    }

    /// Takes away a record that has come to nothing.
    pub(in crate::tournament) fn remove(self) {
        let toml = self.state.path.with_extension("toml");
        remove_all(&[self.state.path, self.pgn.path, toml]);
    }

    /// The state's file: what `--resume` takes.
    #[must_use]
    pub fn state_path(&self) -> &Path {
        &self.state.path
    }

    /// The games' file.
    #[must_use]
    pub fn pgn_path(&self) -> &Path {
        &self.pgn.path
    }

    /// Adds a finished game to both files; `pgn_bytes` is filled in.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. What was written before stays in order.
    pub fn add(&mut self, entry: &mut GameEntry) -> Result<(), RecordError> {
        self.append(entry)?;
        // Some milliseconds on the thread that plays no games, against the loss of power.
        self.sync()
    }

    /// Adds games that are on record elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Record::add`].
    pub fn add_all(&mut self, entries: &[GameEntry]) -> Result<(), RecordError> {
        for entry in entries {
            self.append(&mut entry.clone())?;
        }
        self.sync()
    }

    fn append(&mut self, entry: &mut GameEntry) -> Result<(), RecordError> {
        let pgn = pgn_of(&self.settings, entry)?;
        self.pgn.append(pgn.as_bytes())?;
        entry.pgn_bytes = self.pgn.length;
        self.state.append(entry.to_line()?.as_bytes())
    }

    fn sync(&self) -> Result<(), RecordError> {
        self.pgn.sync()?;
        self.state.sync()
    }
}

/// What does not go away is told of when the name is used again.
fn remove_all(paths: &[PathBuf]) {
    for path in paths {
        let _ = fs::remove_file(path);
    }
}

impl OpenFile {
    fn create(path: PathBuf) -> Result<OpenFile, RecordError> {
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(RecordError::Exists { path });
            }
            Err(error) => return Err(RecordError::File { path, error }),
        };
        OpenFile::own(path, file)
    }

    /// Takes the file for this process alone. (Not on Windows, where a lock would keep others from
    /// reading the file too.)
    pub(super) fn own(path: PathBuf, file: File) -> Result<OpenFile, RecordError> {
        #[cfg(not(windows))]
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(RecordError::InUse { path }),
            // File systems without locks exist; matches are played on them all the same.
            Err(std::fs::TryLockError::Error(error)) => {
                log::debug!("{}: no lock: {error}", path.display());
            }
        }
        Ok(OpenFile {
            path,
            file,
            length: 0,
        })
    }

    /// Writes `bytes` at the end, in one call of the system where that takes them.
    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| self.failed(error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn sync(&self) -> Result<(), RecordError> {
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    pub(super) fn failed(&self, error: io::Error) -> RecordError {
        RecordError::File {
            path: self.path.clone(),
            error,
        }
    }

    /// Cuts the file off after `length` bytes.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), RecordError> {
        self.file
            .set_len(length)
            .map_err(|error| self.failed(error))?;
        self.length = length;
        Ok(())
    }

    /// Replaces what the file holds.
    pub(super) fn rewrite(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.cut(0)?;
        self.append(bytes)
    }
}

/// Makes the names of the files beside this one last. Where a folder cannot be synchronised, the system
/// does so in its own time.
fn sync_folder(file: &Path) {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        log::debug!("{}: not synchronised: {error}", folder.display());
    }
}

/// `name` with `.extension` behind it, whatever dots the name has.
pub(super) fn with_extension(name: &Path, extension: &str) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}
