//! Sets of tables from files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::cache::Blocks;
use super::{FileTable, Table, Tablebases};
use crate::rules::Rules;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::file::{Section, SliceFile, file_name};
use crate::tablebase::index::Indices;
use crate::tablebase::slice::{MAX_STONES, Slice};
use crate::tablebase::table_rules::TableRules;

impl Tablebases {
    /// Opens the tables of a folder, which must be for `rules`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, has no tables or tables for other rules, or a file of the set is
    /// damaged or missing.
    pub fn open(folder: &Path, rules: &Rules) -> Result<Tablebases, TablebaseError> {
        Tablebases::open_folders(&[folder], rules, Tablebases::DEFAULT_CACHE_BYTES)
    }

    /// [`Tablebases::open`] for several folders that hold one set between them, with so many bytes of
    /// memory for unpacked blocks.
    ///
    /// # Errors
    ///
    /// As [`Tablebases::open`].
    pub fn open_folders(
        folders: &[impl AsRef<Path>],
        rules: &Rules,
        cache_bytes: u64,
    ) -> Result<Tablebases, TablebaseError> {
        let rules = TableRules::of(rules)?;
        let indices = Arc::new(Indices::new(rules.rules().board));
        let mut tables = Tablebases::empty(rules, indices, cache_bytes);
        let folders: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
        tables.add_folders(&folders)?;
        Ok(tables)
    }

    /// Adds the slices of the folders that the set does not have yet. One that is in several is taken
    /// from the first.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong; what can be used in spite of it has been added.
    pub(super) fn add_folders(&mut self, folders: &[&Path]) -> Result<(), TablebaseError> {
        let mut problem = None;
        let mut note = |error| {
            problem.get_or_insert(error);
        };
        for folder in folders {
            // Says why a folder cannot be read, which missing files would not.
            if let Err(error) = fs::read_dir(folder) {
                note(TablebaseError::file(folder)(error));
            }
        }
        let board = self.rules.rules().board;
        let mut stones = 0;
        for slice in Slice::twins_up_to(MAX_STONES, board).flat_map(Slice::with_twin) {
            let mut paths = folders.iter().map(|folder| folder.join(file_name(slice)));
            let Some(path) = paths.find(|path| path.exists()) else {
                continue;
            };
            stones = slice.stones();
            // What is there already is not replaced, but files that are wrong are named all the same.
            match SliceFile::open(&path).and_then(|file| self.file_table(slice, file)) {
                Ok(table) if self.tables[slice.number()].is_none() => {
                    self.tables[slice.number()] = Some(table);
                }
                Ok(_) => {}
                Err(error) => note(error),
            }
        }
        let path = || folders.first().map_or(PathBuf::new(), PathBuf::from);
        match self.first_gap(stones) {
            _ if stones == 0 => note(TablebaseError::NoTables { path: path() }),
            None => self.stones = self.stones.max(stones),
            Some(missing) => {
                // Everything below is there.
                self.stones = self.stones.max(missing.stones() - 1);
                note(TablebaseError::Gap {
                    path: path(),
                    missing,
                });
            }
        }
        problem.map_or(Ok(()), Err)
    }

    /// The first slice with at most `stones` stones that is missing.
    fn first_gap(&self, stones: u32) -> Option<Slice> {
        Slice::twins_up_to(stones, self.rules.rules().board)
            .flat_map(Slice::with_twin)
            .find(|slice| self.tables[slice.number()].is_none())
    }

    /// The table of a file that is expected to hold this slice.
    pub(super) fn file_table(
        &self,
        slice: Slice,
        file: SliceFile,
    ) -> Result<Table, TablebaseError> {
        let index = self.indices.slice(slice);
        let index = file.check(&self.rules, index)?;
        let blocks = |section| Blocks::new(slice, section, file.blocks());
        Ok(Table::File(FileTable {
            outcomes: blocks(Section::Outcomes),
            distances: blocks(Section::Distances),
            index,
            file,
            is_damaged: AtomicBool::new(false),
        }))
    }
}
