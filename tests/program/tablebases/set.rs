//! Sets of tables, each in a folder of its own that goes away with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use vato_engine::board::Position;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::tablebase::{Slice, TablebaseError, Tablebases};
use vato_solver::tables::{BuildReport, BuildSettings, build};

use super::placements;
use crate::support::command_line::Folder;

/// The files of a set with at most three stones.
pub const THREE_STONES: [&str; 3] = ["1v1.vtb", "1v2.vtb", "2v1.vtb"];

/// A folder for the tables of some rules.
pub struct Set {
    folder: Folder,
    path: String,
    rules: Rules,
}

/// What a build has reported.
#[derive(Debug, Default)]
pub struct Built {
    pub damaged: Vec<TablebaseError>,
    pub written: Vec<String>,
}

impl Set {
    /// A folder without tables.
    pub fn empty(rules: &str) -> Set {
        let folder = Folder::new();
        Set {
            path: folder.name(""),
            folder,
            rules: parse_rules(rules).expect(rules),
        }
    }

    /// The tables of all positions with at most `stones` stones.
    pub fn build(rules: &str, stones: u32) -> Set {
        let set = Set::empty(rules);
        set.build_up_to(stones);
        set
    }

    /// Builds what is missing.
    pub fn build_up_to(&self, stones: u32) -> Built {
        let built = self.build_with(&self.settings(stones));
        built.unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn settings(&self, stones: u32) -> BuildSettings {
        BuildSettings {
            rules: self.rules,
            stones,
            slice: None,
            folder: self.path().to_owned(),
            threads: 2,
            memory: None,
            level: BuildSettings::DEFAULT_LEVEL,
        }
    }

    pub fn build_with(&self, settings: &BuildSettings) -> Result<Built, TablebaseError> {
        let built = Mutex::new(Built::default());
        build(settings, &|| true, &|report| {
            let mut built = built.lock().expect("no panic");
            match report {
                BuildReport::Damaged(error) => built.damaged.push(error),
                BuildReport::Written(entry) => built.written.push(entry.slice.to_string()),
                _ => {}
            }
        })?;
        Ok(built.into_inner().expect("no panic"))
    }

    /// A folder with the same files.
    pub fn copy(&self) -> Set {
        let copy = Set {
            rules: self.rules,
            ..Set::empty("")
        };
        copy.put(&self.files());
        copy
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// The path as the command line takes it.
    pub fn text(&self) -> &str {
        &self.path
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        self.folder.bytes(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        self.folder.write(name, bytes);
    }

    pub fn remove(&self, name: &str) {
        self.folder.remove(name);
    }

    /// All files with their names.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = self.folder.names().into_iter();
        names.map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// Writes all these files.
    pub fn put(&self, files: &BTreeMap<String, Vec<u8>>) {
        for (name, bytes) in files {
            self.write(name, bytes);
        }
    }

    /// The tables, with so many bytes for unpacked blocks, or why they do not open.
    pub fn try_open(&self, cache_bytes: u64) -> Result<Tablebases, TablebaseError> {
        Tablebases::open(&[self.path()], &self.rules, cache_bytes)
    }

    pub fn open(&self) -> Tablebases {
        let tables = self.try_open(Tablebases::DEFAULT_CACHE_BYTES);
        tables.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Why the set does not open.
    pub fn error(&self) -> TablebaseError {
        let tables = self.try_open(Tablebases::DEFAULT_CACHE_BYTES);
        tables.expect_err("the set does not open")
    }
}

/// The positions of all slices with at most so many stones.
pub fn positions(rules: &Rules, stones: u32) -> Vec<Position> {
    let slices = Slice::all_up_to(stones, rules.board);
    slices
        .flat_map(|slice| placements::positions(rules, slice))
        .collect()
}
