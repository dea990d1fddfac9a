//! Files of training data: a [`Format`] with an empty body, whose header says how the records were made,
//! then records without end, 24 bytes each.
//!
//! A program that is killed while it writes leaves at most a truncated record and a game without its last
//! position; [`Appender`] drops both and goes on.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{RECORD_BYTES, Record, Sample};
use vato_engine::board::BoardSize;
use vato_engine::container::{Checksum, ContainerError, Format};
use vato_engine::files;
use vato_engine::rules::{Preset, parse_rules};
use vato_solver::conditions::other_conditions;
use vato_solver::files::AppendFile;
use vato_tools::stop::StopSignal;

const FORMAT: Format = Format {
    name: "a file of training data",
    magic: *b"VATODATA",
    version: 1,
    checksum: Checksum::Crc32,
    max_bytes: 1 << 24,
};

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The rules of the games, as a rules string.
    pub rules: String,
    /// How the records were made, `None` where that is unknown; several after files were merged.
    pub origins: Vec<Option<Origin>>,
    /// Whether the records lie in random order, not game by game, as older programs could write them.
    pub shuffled: bool,
}

/// How records were made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The program and its version.
    pub program: String,
    /// The evaluation of its search: `classical`, or a network's name.
    pub evaluation: String,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// The fewest and the most random plies that games begin with.
    pub random_plies: [u32; 2],
    /// The highest score of an opening, in centi-stones, for either side.
    pub opening_score: i32,
    /// Positions off the game recorded beside each position with captures or many stones.
    #[serde(default)]
    pub asides: u32,
    /// Games are over with so many stones left: tablebases know how they end.
    pub adjudicated_stones: u32,
    /// What the openings derive from.
    pub seed: u64,
}

impl Header {
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        FORMAT.encode(self, &[]).map_err(io::Error::other)
    }

    /// The difference to the header of a run that wants to go on with this file.
    fn difference(&self, here: &Header) -> Option<String> {
        if self.shuffled {
            return Some("its records are shuffled".to_owned());
        }
        if self.origins.len() != 1 {
            return Some("it was merged from several files".to_owned());
        }
        other_conditions(self, here).map(|all| all.replace("origins 1, ", ""))
    }
}

/// The records of a file, read and checked one by one.
pub struct Records {
    file: BufReader<File>,
    path: PathBuf,
    /// The file's header.
    pub header: Header,
    /// Bytes before the first record.
    header_bytes: u64,
    board: BoardSize,
    /// Records read so far.
    number: u64,
}

impl Records {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else or damaged, or its rules do not exist.
    pub fn open(path: &Path) -> Result<Records, ContainerError> {
        let file = files::open(path).map_err(ContainerError::read(path))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let start = FORMAT
            .read_start(&mut file)
            .map_err(ContainerError::read(path))?;
        let (header, header_bytes): (Header, u64) = start.map_err(ContainerError::content(path))?;
        let rules = parse_rules(&header.rules).map_err(ContainerError::content(path))?;
        Ok(Records {
            file,
            path: path.to_owned(),
            header,
            header_bytes,
            board: rules.board,
            number: 0,
        })
    }

    fn read(&mut self) -> Result<Option<Record>, ContainerError> {
        let failed = ContainerError::read(&self.path);
        if self.file.fill_buf().map_err(&failed)?.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        let mut bytes = [0; RECORD_BYTES];
        match self.file.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(ContainerError::content(&self.path)(format!(
                    "record {number} is truncated"
                )));
            }
            read => read.map_err(failed)?,
        }
        let record: Record = bytemuck::cast(bytes);
        if !record.check(self.board) {
            return Err(ContainerError::content(&self.path)(format!(
                "record {number} is invalid: its stones or flags make no sense"
            )));
        }
        Ok(Some(record))
    }
}

impl Iterator for Records {
    type Item = Result<Record, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// The header.
    pub header: Header,
    /// The records, in the order of the file.
    pub records: Vec<Record>,
}

impl DataFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else, or has a record that cannot be one.
    pub fn read(path: &Path) -> Result<DataFile, ContainerError> {
        let file = Records::open(path)?;
        let header = file.header.clone();
        let records = file.collect::<Result<_, _>>()?;
        Ok(DataFile { header, records })
    }
}

/// Writes records to a new file, which is there only when it is complete; returns how many there are.
///
/// # Errors
///
/// If there is no next record, `stop` is given, or the file exists or cannot be written.
pub fn write(
    path: &Path,
    header: &Header,
    records: impl IntoIterator<Item = Result<Record, ContainerError>>,
    stop: &StopSignal,
) -> Result<u64, ContainerError> {
    let mut count = 0;
    let mut failed = None;
    let written = vato_solver::files::create(path, |file| {
        file.write_all(&header.to_bytes()?)?;
        for record in records {
            match record {
                _ if stop.is_given() => return Err(io::ErrorKind::Interrupted.into()),
                Ok(record) => file.write_all(bytemuck::bytes_of(&record))?,
                Err(error) => {
                    failed = Some(error);
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            count += 1;
        }
        Ok(())
    });
    match failed {
        Some(error) => Err(error),
        None => written.map(|()| count).map_err(ContainerError::write(path)),
    }
}

/// Writes the records of all files to a new one, in their order; returns how many there are.
///
/// # Errors
///
/// If a file cannot be read or is of other rules than the first, `stop` is given, or the new one exists or cannot be
/// written.
pub fn merge(paths: &[PathBuf], out: &Path, stop: &StopSignal) -> Result<u64, ContainerError> {
    vato_solver::files::require_new(out).map_err(ContainerError::write(out))?;
    let mut header: Option<Header> = None;
    let mut seen = Vec::new();
    for path in paths {
        let next = Records::open(path)?.header;
        let content = (
            next.clone(),
            checksum(path).map_err(ContainerError::read(path))?,
        );
        if let Some(place) = seen.iter().position(|one| *one == content) {
            let first = paths[place].display();
            let what = format!("its records are those of {first}, expected each file once");
            return Err(ContainerError::content(path)(what));
        }
        seen.push(content);
        match &mut header {
            None => header = Some(next),
            Some(header) if header.rules == next.rules => {
                for origin in next.origins {
                    if !header.origins.contains(&origin) {
                        header.origins.push(origin);
                    }
                }
                header.shuffled |= next.shuffled;
            }
            Some(header) => {
                let [rules, before] = [&next.rules, &header.rules].map(|rules| {
                    parse_rules(rules).map_or(rules.clone(), |rules| Preset::name_of(&rules))
                });
                return Err(ContainerError::content(path)(format!(
                    "rules {rules}, but {before} in the files before it"
                )));
            }
        }
    }
    let Some(header) = header else { return Ok(0) };
    let records = paths.iter().flat_map(|path| {
        type All = Box<dyn Iterator<Item = Result<Record, ContainerError>>>;
        match Records::open(path) {
            Ok(records) => Box::new(records) as All,
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
    write(out, &header, records, stop)
}

fn checksum(path: &Path) -> io::Result<u32> {
    let (mut file, mut crc) = (files::open(path)?, crc32fast::Hasher::new());
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(crc.finalize()),
            count => crc.update(&bytes[..count]),
        }
    }
}

/// Appends whole games to a file. What is there already, whole games that were made in the same way, is
/// kept.
pub struct Appender {
    file: AppendFile,
    /// How much the file holds.
    pub contents: Contents,
}

/// How much a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
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
        mut opening: impl FnMut(&Sample),
    ) -> Result<Appender, ContainerError> {
        let mut appender = Appender {
            file: AppendFile::open(path, true)?,
            contents: Contents::default(),
        };
        let length = appender.file.length();
        if length == 0 {
            let bytes = header.to_bytes().map_err(ContainerError::write(path))?;
            appender.file.append(&bytes)?;
            return Ok(appender);
        }
        let records = Records::open(path)?;
        if let Some(difference) = records.header.difference(header) {
            return Err(ContainerError::content(path)(format!(
                "begun with other settings: {difference}"
            )));
        }
        let header_bytes = records.header_bytes;
        // What comes after them was cut off when the program was killed.
        let whole = (length - header_bytes) / RECORD_BYTES as u64;
        let mut first = None;
        for (read, record) in (1..=whole).zip(records) {
            let sample = record?.sample();
            if !sample.is_aside() {
                first.get_or_insert(sample);
            }
            if sample.is_last
                && let Some(first) = first.take()
            {
                opening(&first);
                appender.contents.games += 1;
                appender.contents.positions = read;
            }
        }
        // To whole games.
        let whole = header_bytes + appender.contents.positions * RECORD_BYTES as u64;
        appender.file.cut(whole)?;
        Ok(appender)
    }

    /// Writes a game, which has a position at least and whose last record is marked as such; it is in
    /// the file when this returns.
    ///
    /// # Errors
    ///
    /// If the file does not take it.
    pub fn append(&mut self, game: &[Record]) -> Result<(), ContainerError> {
        self.file.append(bytemuck::cast_slice(game))?;
        self.contents.games += 1;
        self.contents.positions += game.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::data::{RECORD_BYTES, Record, parse_record};
    use vato_engine::rules::Rules;

    fn record(number: u16) -> Record {
        let line = format!("8b/9/9/9/w8 w 0 20\t0\t1-0\t40\t{number}\t1");
        parse_record(&Rules::STANDARD, &line).expect("a record")
    }

    fn header(rules: &str, seed: u64) -> Header {
        Header {
            rules: rules.to_owned(),
            origins: vec![Some(Origin {
                program: "vato".to_owned(),
                evaluation: "classical".to_owned(),
                nodes: 1,
                random_plies: [1, 2],
                opening_score: 3,
                asides: 0,
                adjudicated_stones: 4,
                seed,
            })],
            shuffled: false,
        }
    }

    fn write(path: &Path, header: &Header, records: &[Record]) {
        let records = records.iter().copied().map(Ok);
        super::write(path, header, records, &StopSignal::new()).expect("written");
    }

    /// What the checksum of the header notices is tested with the container.
    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let records: Vec<Record> = (0..50).map(record).collect();
        let header = header("chain=full", 7);
        write(&path, &header, &records);
        let file = DataFile::read(&path).expect("right");
        assert_eq!((&file.header, &file.records), (&header, &records));
        let good = std::fs::read(&path).expect("there");
        let length = header.to_bytes().expect("short").len();
        assert_eq!(good.len(), length + 50 * RECORD_BYTES);
        for cut in [0, length - 1, length + 1, good.len() - 1] {
            std::fs::write(&path, &good[..cut]).expect("written");
            assert!(DataFile::read(&path).is_err(), "cut at {cut}");
        }
        let mut bytes = good.clone();
        bytes[length + 10 * RECORD_BYTES + 23] = 255;
        std::fs::write(&path, &bytes).expect("written");
        let error = DataFile::read(&path).expect_err("damaged").to_string();
        assert!(error.contains("record 11 is invalid"), "{error}");
    }

    #[test]
    fn nothing_is_replaced_and_what_is_stopped_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, data, out] = ["file", "data", "out"].map(|name| folder.path().join(name));
        write(&data, &header("", 1), &[record(1)]);
        std::fs::write(&file, "a letter").expect("written");
        let (data, stop) = (std::slice::from_ref(&data), &StopSignal::new());
        for result in [
            super::write(&file, &header("", 1), [], stop).map(|_| ()),
            merge(data, &file, stop).map(|_| ()),
            merge(data, &data[0], stop).map(|_| ()),
        ] {
            result.expect_err("it is there");
        }
        assert_eq!(std::fs::read(&file).expect("there"), b"a letter");
        let unchanged = DataFile::read(&data[0]).expect("right");
        assert_eq!(unchanged.records, [record(1)]);
        stop.now();
        merge(data, &out, stop).expect_err("stopped");
        assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 2);
    }

    #[test]
    fn files_merge_if_they_belong_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        write(&path("a"), &header("", 1), &[record(1), record(2)]);
        let unknown = Header {
            origins: vec![None],
            ..header("", 2)
        };
        write(&path("b"), &unknown, &[record(3)]);
        write(&path("c"), &header("chain=full", 2), &[record(3)]);
        let stop = &StopSignal::new();
        let count = merge(&[path("b"), path("a")], &path("out"), stop).expect("merged");
        let merged = DataFile::read(&path("out")).expect("right");
        assert_eq!((count, merged.records), (3, [3, 1, 2].map(record).to_vec()));
        assert_eq!(merged.header.origins.len(), 2);
        for (wrong, told) in [
            (
                &["a", "c"][..],
                "rules chain=full, but tsivy in the files before it",
            ),
            (&["b", "a", "b"], "expected each file once"),
        ] {
            let wrong: Vec<_> = wrong.iter().map(|name| path(name)).collect();
            let error = merge(&wrong, &path("no"), stop).expect_err(told);
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
