//! A sequential test on several machines: the records of its parts, in one folder, read while they are written.
//!
//! Only what was added to a file is read. The folder may be shared or synchronised: files appear late, end in the middle
//! of a line, or are replaced. What does not fit is left alone, with one warning for each file.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::match_error::MatchError;
use super::match_state::MatchState;
use super::merge::difference;
use super::record::{Header, Reading, open_to_read, read_head};
use super::settings::{MatchSettings, Shard};
use vato_solver::files::{folder_of, with_extension};

/// The parts of a match as far as they are in a folder.
#[derive(Debug)]
pub struct Together {
    folder: PathBuf,
    /// What match it is.
    header: Header,
    /// The record that this process writes.
    own: PathBuf,
    /// All games of all parts.
    pub whole: MatchState,
    /// The parts, in the order of their shards.
    pub parts: Vec<Part>,
    /// Files that a warning was given of.
    warned: BTreeSet<PathBuf>,
}

/// What one machine plays.
#[derive(Debug)]
pub struct Part {
    /// Its record.
    pub path: PathBuf,
    /// Its own games.
    pub state: MatchState,
    /// The first line of the record.
    head: Vec<u8>,
    /// What has been read, without the games.
    reading: Reading,
}

impl Together {
    /// Those who play parts of the same test as the one that this head begins, with records in the folder of its own,
    /// `name` without extension.
    ///
    /// # Errors
    ///
    /// As [`Together::look`].
    pub fn join(header: &Header, name: &Path) -> Result<Option<Together>, MatchError> {
        if header.settings.sprt.and(header.settings.shard).is_none() {
            return Ok(None);
        }
        let (folder, own) = (folder_of(name), with_extension(name, "jsonl"));
        let mut together = Together {
            folder: folder.to_owned(),
            whole: MatchState::new(MatchSettings {
                shard: None,
                ..header.settings.clone()
            })?,
            header: header.clone(),
            own: folder.join(own.file_name().unwrap_or_default()),
            parts: Vec::new(),
            warned: BTreeSet::new(),
        };
        together.look()?;
        Ok(Some(together))
    }

    /// Reads what is new.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or another machine plays the part of this one.
    pub fn look(&mut self) -> Result<(), MatchError> {
        if !self.read()? {
            // Something that has been counted is not there any more.
            self.parts.clear();
            self.whole = MatchState::new(self.whole.settings.clone())?;
            self.read()?;
        }
        let own = &self.own;
        let is_rival = |part: &&Part| {
            part.shard() == self.header.settings.shard
                && part.path != *own
                && fs::read(&part.path).ok() != fs::read(own).ok()
        };
        let rival = self.parts.iter().find(is_rival);
        rival.map_or(Ok(()), |rival| {
            Err(MatchError::Schedule(format!(
                "{}: the same part of this match; go on with it by --resume, or play another shard",
                rival.path.display()
            )))
        })
    }

    /// False if what has been read is not there any more, and everything has to be read again.
    fn read(&mut self) -> Result<bool, MatchError> {
        let mut found = Vec::new();
        let mut paths = records(&self.folder)?;
        paths.retain(|path| self.parts.iter().all(|part| part.path != *path));
        for path in paths {
            match Part::open(&path) {
                Ok(part) => found.extend(part),
                Err(error) => warn(&mut self.warned, &path, error),
            }
        }
        found.sort_by(|one, other| {
            let shards = one.shard().cmp(&other.shard());
            shards.then_with(|| one.seniority().cmp(&other.seniority()))
        });
        for part in found {
            let twin = self.parts.iter().find(|twin| twin.shard() == part.shard());
            // A whole has the games of parts.
            let no_part = || part.shard().is_none().then(|| "'shard'".to_owned());
            let differs = difference(&self.header, &part.reading.header).or_else(no_part);
            let what = match (differs, twin) {
                (Some(what), _) => format!("no part of this match, as {what} differs"),
                (None, Some(twin)) if part.seniority() < twin.seniority() => return Ok(false),
                (None, Some(twin)) => format!("the same part as {}", twin.path.display()),
                (None, None) => {
                    self.parts.push(part);
                    continue;
                }
            };
            let error = MatchError::missing(part.path.display(), what);
            warn(&mut self.warned, &part.path, error);
        }
        self.parts.sort_by_key(Part::shard);
        let mut is_same = true;
        for part in &mut self.parts {
            match part.read(&mut self.whole) {
                Ok(same) => is_same &= same,
                // It may be there the next time.
                Err(error) => warn(&mut self.warned, &part.path, error),
            }
        }
        self.whole.verdict = self.parts.iter().find_map(|part| part.state.verdict);
        Ok(is_same)
    }
}

fn warn(warned: &mut BTreeSet<PathBuf>, path: &Path, what: MatchError) {
    if warned.insert(path.to_owned()) {
        log::warn!("{what}; it is left alone");
    }
}

impl Part {
    /// A record of which nothing but the head has been read; `None` if that is not finished.
    fn open(path: &Path) -> Result<Option<Part>, MatchError> {
        let (head, _) = open(path)?;
        let Some(reading) = read_head(&mut &*head, path)? else {
            return Ok(None);
        };
        let settings = reading.header.settings.clone();
        let state = (settings.validate()).and_then(|()| MatchState::new(settings));
        Ok(Some(Part {
            path: path.to_owned(),
            state: state.map_err(|error| MatchError::missing(path.display(), error))?,
            head,
            reading,
        }))
    }

    fn shard(&self) -> Option<Shard> {
        self.reading.header.settings.shard
    }

    /// Of two records of the same part the one counts that began first, and of copies the longest, then that with the
    /// shortest name: all machines have to agree, also on copies that two machines go on with.
    fn seniority(&self) -> impl Ord + use<> {
        let name = (self.path.as_os_str().len(), self.path.clone());
        // Whatever is added, the order stays, except of copies; zeros, as where a copy is not finished, come last.
        let content = Reverse(fs::read(&self.path).unwrap_or_default());
        (self.reading.header.started.clone(), content, name)
    }

    /// Reads what has been added, also to the `whole`; false if the record is not the one that it was.
    fn read(&mut self, whole: &mut MatchState) -> Result<bool, MatchError> {
        let at = |error: io::Error| MatchError::missing(self.path.display(), error);
        let before = self.reading.length;
        if fs::metadata(&self.path).map_err(at)?.len() == before {
            return Ok(true);
        }
        let (head, mut file) = open(&self.path)?;
        if head != self.head || file.seek(SeekFrom::End(0)).map_err(at)? < before {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(before)).map_err(at)?;
        let mut read = self.reading.read_on(file, &self.path);
        self.state.verdict = self.reading.header.verdict;
        for entry in self.reading.entries.drain(..) {
            let added = self.state.add(&entry).and_then(|()| whole.add(&entry));
            if let Err(error) = added {
                read = Err(MatchError::missing(self.path.display(), error));
            }
        }
        read.map(|()| true)
    }
}

/// The first line of a record, and the file.
fn open(path: &Path) -> Result<(Vec<u8>, BufReader<File>), MatchError> {
    let mut head = Vec::new();
    let opened = open_to_read(path).and_then(|mut file| {
        file.read_until(b'\n', &mut head)?;
        Ok((head, file))
    });
    opened.map_err(|error| MatchError::missing(path.display(), error))
}

fn records(folder: &Path) -> Result<Vec<PathBuf>, MatchError> {
    let entries =
        fs::read_dir(folder).map_err(|error| MatchError::missing(folder.display(), error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some("jsonl".as_ref()));
    Ok(paths)
}
