//! Opening tables: from folders, built in, or solved in memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

use super::TablebaseError;
use super::file::{SliceFile, file_name};
use super::folders::TableFolders;
use super::probe::{SliceTable, Tablebases, is_covered};
use super::retrograde::{WdlTables, solve_pair};
use super::rules::TableRules;
use super::slice::{MAX_STONES, Slice};
use crate::board::Position;
use crate::container::ContainerError;
use crate::files;
use crate::memory::{lock, thread_pool};
use crate::rules::{Preset, Rules};

/// A built-in file: the name of its slice, and its bytes.
type BuiltIn = (&'static str, &'static [u8]);

/// The built-in files, as `vato tablebase build --rules PRESET --level 22` makes them, for the presets whose tables
/// differ.
const BUILT_IN: &[(Preset, &[BuiltIn])] = {
    macro_rules! files {
        ($folder:literal, $($slice:literal),+) => {
            &[$((
                $slice,
                include_bytes!(concat!("built_in/", $folder, "/", $slice, ".vtb")),
            )),+]
        };
    }
    macro_rules! four_stones {
        ($folder:literal) => {
            files!($folder, "1v1", "1v2", "2v1", "2v2", "1v3", "3v1")
        };
    }
    &[
        (
            Preset::Tsivy,
            files!(
                "tsivy", "1v1", "1v2", "2v1", "2v2", "1v3", "3v1", "2v3", "3v2", "1v4", "4v1"
            ),
        ),
        // Seven megabytes, which a page loads when they are wanted ([`Tablebases::add_built_in`]).
        #[cfg(not(target_arch = "wasm32"))]
        (
            Preset::Tsivy,
            files!("tsivy", "3v3", "2v4", "4v2", "1v5", "5v1"),
        ),
        (Preset::Dimy, four_stones!("dimy")),
        (Preset::Telo, four_stones!("telo")),
        (Preset::FullChain, four_stones!("full-chain")),
        // A page solves them when they are wanted.
        #[cfg(not(target_arch = "wasm32"))]
        (Preset::FreeCapture, four_stones!("free-capture")),
    ]
};

/// The files of [`Tablebases::add_built_in`].
static LOADED: Mutex<Vec<&'static [u8]>> = Mutex::new(Vec::new());

impl Tablebases {
    /// Under other than the standard rules, positions with at most this many stones are built in, or solved when the
    /// tables are opened, which takes about a tenth of a second on the standard board.
    pub const SOLVED_STONES: u32 = 4;

    /// Under the standard rules, positions with at most this many stones are built in.
    pub const STANDARD_STONES: u32 = if cfg!(target_arch = "wasm32") { 5 } else { 6 };

    /// Opens the tables of folders that together hold one set, which must be for `rules`.
    /// `cache_bytes` is the memory for unpacked blocks.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, there are no tables or tables for other rules, or a file of the set
    /// is damaged or missing.
    pub fn open(
        folders: &[impl AsRef<Path>],
        rules: &Rules,
        cache_bytes: u64,
    ) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebases::empty(TableRules::of(rules)?, cache_bytes);
        tables.add_folders(folders)?;
        Ok(tables)
    }

    /// The tables without folders: built-in files for the rules of the presets; for others they are solved now, on
    /// `threads` threads.
    ///
    /// # Errors
    ///
    /// If there are no tables for these rules, or threads cannot be started.
    pub fn built_in(
        rules: &Rules,
        cache_bytes: u64,
        threads: usize,
    ) -> Result<Tablebases, TablebaseError> {
        Tablebases::built_in_or_solved(rules, cache_bytes, threads, &|| true)
    }

    /// [`Tablebases::built_in`], which stops when `goes_on` returns false.
    fn built_in_or_solved(
        rules: &Rules,
        cache_bytes: u64,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Tablebases, TablebaseError> {
        let table_rules = TableRules::of(rules)?;
        let preset = table_rules.preset();
        let files = built_in_files(&table_rules);
        if !files.is_empty() {
            let mut tables = Tablebases::empty(table_rules, cache_bytes);
            (files.iter()).try_for_each(|(name, bytes)| tables.add(name, bytes))?;
            if preset == Some(Preset::Tsivy) {
                let loaded = lock(&LOADED);
                (loaded.iter()).try_for_each(|bytes| tables.add("a table", bytes))?;
            }
            return Ok(tables);
        }
        let solve = || Tablebases::solve(rules, Tablebases::SOLVED_STONES, cache_bytes, goes_on);
        match cfg!(target_arch = "wasm32") {
            true => solve(),
            false => thread_pool(threads, "tables", None)?.install(solve),
        }
    }

    /// Whether the tables of [`Tablebases::built_in`] for `rules` are solved when they are opened.
    pub(crate) fn are_solved(rules: &Rules) -> bool {
        TableRules::of(rules).is_ok_and(|rules| built_in_files(&rules).is_empty())
    }

    /// From now on the built-in tables for the standard rules have this slice, too: the bytes of its file. Returns how many
    /// stones they have then.
    ///
    /// # Errors
    ///
    /// If the file is damaged, or for other rules.
    pub fn add_built_in(bytes: &'static [u8]) -> Result<u32, TablebaseError> {
        let mut tables = Tablebases::built_in(&Rules::STANDARD, 0, 1)?;
        tables.add("a table", bytes)?;
        lock(&LOADED).push(bytes);
        Ok(tables.stones())
    }

    /// Adds the slice of a file in memory, which messages call `name`. Slices with as many stones as the last ones are
    /// looked up when all of them have been added.
    ///
    /// # Errors
    ///
    /// If the file is damaged, or for other rules; the tables are as before.
    fn add(&mut self, name: &str, bytes: &'static [u8]) -> Result<(), TablebaseError> {
        let file = SliceFile::built_in(name, bytes)?;
        let slice = file.header.slice;
        self.slices[slice.number()] = Some(self.file_table(slice, file)?);
        self.longest = OnceLock::new();
        let most = self.rules.rules().board.points().count().min(MAX_STONES);
        let missing = self.first_missing(most);
        self.stones = missing.map_or(most, |missing| missing.stones() - 1);
        Ok(())
    }

    /// The first slice with at most `stones` stones that the set lacks.
    fn first_missing(&self, stones: u32) -> Option<Slice> {
        Slice::all_up_to(stones, self.rules.rules().board)
            .find(|slice| self.slices[slice.number()].is_none())
    }

    /// Whether the tables of [`Tablebases::built_in`] for `rules` cover a position of a game under them (see
    /// [`Tablebases::covers`]; here under any no-capture limit), without opening them.
    pub fn built_in_cover(rules: &Rules, position: &Position) -> bool {
        let Ok(table_rules) = TableRules::of(rules) else {
            return false;
        };
        is_covered(rules, position, built_in_stones(&table_rules))
    }

    /// Whether the tables have more stones than those of [`Tablebases::built_in`].
    pub(crate) fn have_more_than_built_in(&self) -> bool {
        self.stones > built_in_stones(&self.rules)
    }

    /// The tables for games under `rules`: the built-in ones and those of `folders`; and the first error of the
    /// folders, whose intact tables are used. An incomplete user's folder is no error, as a build may be running. Solving
    /// stops when `goes_on` returns false.
    ///
    /// # Errors
    ///
    /// As [`Tablebases::built_in`]; or if it was stopped.
    pub fn for_play(
        rules: &Rules,
        folders: &TableFolders,
        cache_bytes: u64,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Tablebases, Option<TablebaseError>), TablebaseError> {
        let mut tables = Tablebases::built_in_or_solved(rules, cache_bytes, threads, goes_on)?;
        let complaint = match &folders.paths(rules)[..] {
            [] => None,
            paths => tables.add_folders(paths).err(),
        };
        let is_reported = |error: &TablebaseError| match error {
            TablebaseError::NoTables(_) | TablebaseError::Gap(..) => folders.are_named(),
            _ => true,
        };
        Ok((tables, complaint.filter(is_reported)))
    }

    /// Solves all positions with at most `stones` stones, on the threads of the current pool, and
    /// keeps them in memory. `cache_bytes` is for tables from files added later. Stops when `goes_on` returns false.
    ///
    /// # Errors
    ///
    /// If there are no tables for these rules, or it was stopped.
    pub fn solve(
        rules: &Rules,
        stones: u32,
        cache_bytes: u64,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Tablebases, TablebaseError> {
        let rules = TableRules::of(rules)?;
        let mut tables = Tablebases::empty(rules, cache_bytes);
        let mut known = WdlTables::new(Arc::clone(&tables.indices));
        for pair in Slice::pairs_up_to(stones, rules.rules().board) {
            let solved = solve_pair(&rules, &known, pair, &|_| goes_on());
            for solved in solved.ok_or(TablebaseError::Stopped)? {
                let outcomes = solved.outcomes();
                known.add(solved.index.clone(), outcomes.clone());
                let number = solved.index.slice.number();
                tables.slices[number] = Some(SliceTable::solved(solved, outcomes));
            }
        }
        tables.stones = stones.min(rules.rules().board.points().count());
        Ok(tables)
    }

    /// Adds the slices of the folders that the set lacks, each from the first folder that has it.
    ///
    /// # Errors
    ///
    /// The first error; valid files have been added nevertheless.
    fn add_folders(&mut self, folders: &[impl AsRef<Path>]) -> Result<(), TablebaseError> {
        let mut problem = None;
        let mut note = |error| {
            problem.get_or_insert(error);
        };
        let listed = missing(folders);
        let mut folders = folders.iter().map(AsRef::as_ref);
        for folder in folders.clone() {
            // This error has the reason; that a file is missing would not tell it.
            if let Err(error) = fs::read_dir(folder) {
                note(ContainerError::read(folder)(error).into());
            }
        }
        let board = self.rules.rules().board;
        let mut stones = 0;
        for slice in Slice::all_up_to(MAX_STONES, board) {
            let mut paths = folders.clone().map(|folder| folder.join(file_name(slice)));
            let Some(path) = paths.find(|path| path.exists()) else {
                continue;
            };
            stones = slice.stones();
            // Files of slices that are already in the set are checked as well.
            match SliceFile::open(&path).and_then(|file| self.file_table(slice, file)) {
                Ok(table) => {
                    self.slices[slice.number()].get_or_insert(table);
                }
                Err(error) => note(error),
            }
        }
        let path = folders.next().map_or(PathBuf::new(), PathBuf::from);
        match self.first_missing(stones) {
            _ if stones == 0 => note(TablebaseError::NoTables(path)),
            None => self.stones = self.stones.max(stones),
            Some(missing) => {
                // All slices with fewer stones are in the set.
                self.stones = self.stones.max(missing.stones() - 1);
                note(TablebaseError::Gap(path, missing));
            }
        }
        problem.or(listed).map_or(Ok(()), Err)
    }

    /// The table of a file that is expected to hold this slice.
    fn file_table(&self, slice: Slice, file: SliceFile) -> Result<SliceTable, TablebaseError> {
        let index = file.check(&self.rules, self.indices.slice(slice))?;
        Ok(SliceTable::of_file(index, file))
    }
}

/// The built-in files for these rules: none where the tables are solved.
fn built_in_files(rules: &TableRules) -> Vec<BuiltIn> {
    let files = BUILT_IN
        .iter()
        .filter(|(of, _)| Some(*of) == rules.preset());
    files.flat_map(|(_, files)| *files).copied().collect()
}

/// The stones of the tables of [`Tablebases::built_in`].
fn built_in_stones(rules: &TableRules) -> u32 {
    match rules.rules() == &Rules::STANDARD {
        true => Tablebases::STANDARD_STONES,
        false => Tablebases::SOLVED_STONES,
    }
}

/// The first slice in a manifest of these folders that none of them has.
fn missing(folders: &[impl AsRef<Path>]) -> Option<TablebaseError> {
    let has = |path: &Path, slice| path.join(file_name(slice)).exists();
    let is_missing = |slice| !folders.iter().any(|path| has(path.as_ref(), slice));
    folders.iter().map(AsRef::as_ref).find_map(|path| {
        let missing = listed(path)?.into_iter().find(|&slice| is_missing(slice))?;
        Some(TablebaseError::Gap(path.to_owned(), missing))
    })
}

/// The slices in the manifest of a folder, if it has one.
fn listed(folder: &Path) -> Option<Vec<Slice>> {
    let text = files::read(&folder.join(TableFolders::MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_slice(&text).ok()?;
    let slices = manifest["slices"].as_array()?.iter();
    let slices = slices.filter_map(|entry| entry["slice"].as_str()?.parse().ok());
    Some(slices.collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::{Bitboard, Side};
    use crate::rules::{Game, legal_moves};
    use crate::tablebase::Wdl;

    #[test]
    fn what_the_tables_cover_is_known_without_them() {
        for rules in ["tsivy", "riatra", "dimy", "vela", "tie=count"] {
            let rules = crate::rules::parse_rules(rules).expect("right");
            let tables = Tablebases::built_in(&rules, 1 << 20, 1).ok();
            let fen = |fen: &str| crate::notation::parse_fen(fen, rules.board).expect("right");
            let empty = rules.board.columns();
            let full = "b".repeat(empty.into());
            for (men, number) in [("w1bbb", 1), ("w1bbb", 2), ("wwbbb", 2), ("bbbbb", 2)] {
                let row = match empty - 5 {
                    0 => men.to_owned(),
                    rest => format!("{men}{rest}"),
                };
                for last in [format!("{empty}"), format!("b{}", empty - 1), full.clone()] {
                    let text = format!("{row}/{empty}/{empty}/{empty}/{last} w 0 {number}");
                    let position = fen(&text);
                    let covers = |tables: &Tablebases| tables.covers(&rules, &position);
                    let covered = tables.as_ref().is_some_and(covers);
                    let known = Tablebases::built_in_cover(&rules, &position);
                    assert_eq!(known, covered, "{text}");
                }
            }
        }
    }

    /// The value of a game by its rules alone: with a limit and without repetition it ends.
    fn true_value(game: &Game, known: &mut HashMap<(u64, u16), Wdl>) -> Wdl {
        let position = game.position();
        let key = (game.rules().key(position), position.halfmove_clock());
        if let Some(outcome) = game.outcome() {
            return match outcome.winner {
                Some(winner) if winner == position.side() => Wdl::Win,
                Some(_) => Wdl::Loss,
                None => Wdl::Draw,
            };
        }
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let moves = legal_moves(game.rules(), position);
        let after = moves.iter().map(|&mv| {
            let mut after = game.clone();
            after.play(mv).expect("legal");
            -true_value(&after, known)
        });
        let value = after.max().expect("the game goes on");
        known.insert(key, value);
        value
    }

    #[test]
    fn no_win_counts_that_a_later_conversion_misses() {
        let mut uncovered = 0;
        for (rules, limit) in [
            ("capture=free chain=single blocked=draw", 4),
            ("capture=free", 3),
            ("blocked=draw", 4),
        ] {
            let text = format!("board=3x3 {rules} repeat=0 limit={limit}");
            let rules = crate::rules::parse_rules(&text).expect("right");
            let tables = Tablebases::solve(&rules, 4, 1 << 20, &|| true).expect("tables");
            let points: Vec<_> = rules.board.points().into_iter().collect();
            let mut known = HashMap::new();
            for number in 0..3_u32.pow(9) {
                let mut stones = [Bitboard::EMPTY; 2];
                for (place, &point) in points.iter().enumerate() {
                    if let side @ 0..2 = number / 3_u32.pow(place as u32) % 3 {
                        stones[side as usize] |= point.into();
                    }
                }
                let position = Position::new(stones, Side::White, 0, 2);
                if position.occupied().count() > 4 || stones.contains(&Bitboard::EMPTY) {
                    continue;
                }
                if !tables.covers(&rules, &position) {
                    uncovered += 1;
                    continue;
                }
                let value = tables.value(&position).expect("covered");
                let wdl = match value.exceeds_limit(0, rules.limit) {
                    true => Wdl::Draw,
                    false => value.wdl,
                };
                let game = Game::from_position(rules, position);
                assert_eq!(wdl, true_value(&game, &mut known), "{text} {position:?}");
            }
        }
        assert!(uncovered > 0);
    }
}
