//! The tables that the engine plays with: what it always has, and what it is given.

use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPoolBuilder;

use super::Tablebases;
use crate::board::Position;
use crate::rules::Rules;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::file::SliceFile;
use crate::tablebase::index::Indices;
use crate::tablebase::slice::Slice;
use crate::tablebase::table_rules::TableRules;

/// The files for the standard rules, as `vato tablebase build` makes them.
const STANDARD: [(&str, &[u8]); 15] = {
    macro_rules! files {
        ($($slice:literal),+) => {
            [$(($slice, include_bytes!(concat!("standard/", $slice, ".vtb")))),+]
        };
    }
    files!(
        "1v1", "1v2", "2v1", "2v2", "1v3", "3v1", "2v3", "3v2", "1v4", "4v1", "3v3", "2v4", "4v2",
        "1v5", "5v1"
    )
};

impl Tablebases {
    /// Under rules whose tables are not in the program, positions with at most this many stones are
    /// solved when they are wanted, which takes about a tenth of a second on the standard board.
    pub const SOLVED_STONES: u32 = 4;

    /// Under the standard rules positions with at most this many stones are in the program.
    pub const STANDARD_STONES: u32 = 6;

    /// Whether the tables that [`Tablebases::built_in`] makes for `rules` cover a position of a game under
    /// them (see [`Tablebases::covers`]), without making them.
    #[must_use]
    pub fn built_in_cover(rules: &Rules, position: &Position) -> bool {
        let Ok(table_rules) = TableRules::of(rules) else {
            return false;
        };
        let most = match table_rules.rules() == &Rules::STANDARD {
            true => Tablebases::STANDARD_STONES,
            false => Tablebases::SOLVED_STONES,
        };
        position.occupied().count() <= most
            && !position.own().is_empty()
            && !position.enemy().is_empty()
            && !rules.is_special_first_turn(position)
    }

    /// The tables that need no files: under the standard rules they are in the program, under others
    /// they are solved now, on `threads` threads.
    ///
    /// # Errors
    ///
    /// If there are no tables for these rules, or threads cannot be had.
    pub fn built_in(
        rules: &Rules,
        cache_bytes: u64,
        threads: usize,
    ) -> Result<Tablebases, TablebaseError> {
        let table_rules = TableRules::of(rules)?;
        if table_rules.rules() == &Rules::STANDARD {
            return Tablebases::standard(table_rules, cache_bytes);
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| TablebaseError::Threads { threads, error })?;
        pool.install(|| Tablebases::solve(rules, Tablebases::SOLVED_STONES, cache_bytes))
    }

    fn standard(rules: TableRules, cache_bytes: u64) -> Result<Tablebases, TablebaseError> {
        let indices = Arc::new(Indices::new(rules.rules().board));
        let mut tables = Tablebases::empty(rules, indices, cache_bytes);
        for (name, bytes) in STANDARD {
            let path = Path::new(name);
            let file = SliceFile::of_program(path, bytes)?;
            let slice: Slice = file.header().slice;
            let table = tables.file_table(slice, file)?;
            tables.stones = tables.stones.max(slice.stones());
            tables.tables[slice.number()] = Some(table);
        }
        Ok(tables)
    }

    /// The tables for games under `rules`: the built-in ones and those of `folders`, which may be
    /// none. What is wrong with folders comes back in words, and the tables do without them.
    ///
    /// # Errors
    ///
    /// As [`Tablebases::built_in`].
    pub fn for_play(
        rules: &Rules,
        folders: &[impl AsRef<Path>],
        cache_bytes: u64,
        threads: usize,
    ) -> Result<(Tablebases, Option<TablebaseError>), TablebaseError> {
        let mut tables = Tablebases::built_in(rules, cache_bytes, threads)?;
        let folders: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
        let complaint = match folders.is_empty() {
            true => None,
            false => tables.add_folders(&folders).err(),
        };
        Ok((tables, complaint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::verify::verify_slice;

    /// Which part of the values with most stones is checked every time; all of them take minutes.
    const EVERY: u64 = 50;

    /// Checks all values with fewer than six stones, and one block in `every` of those with six.
    fn check(every: u64) -> u64 {
        let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 26, 1).expect("in the program");
        assert_eq!(tables.stones(), Tablebases::STANDARD_STONES);
        let verifications = tables.slices().map(|slice| {
            let every = if slice.stones() < 6 { 1 } else { every };
            verify_slice(&tables, slice, every, &|_| {})
        });
        let mut values = 0;
        for verification in verifications {
            assert_eq!(verification.differences, []);
            assert_eq!(verification.wrong, 0);
            values += verification.values;
        }
        assert_eq!(tables.complaints(), [""; 0]);
        values
    }

    /// Every value follows from the rules, so the files are what a build would make.
    #[test]
    fn the_tables_in_the_program_are_right() {
        let values = check(EVERY);
        let least = 11_509_180 + 142_019_080 / EVERY;
        assert!(values >= least, "{values}");
    }

    #[test]
    #[ignore = "minutes of work"]
    fn all_of_the_tables_in_the_program_are_right() {
        assert_eq!(check(1), 153_528_260);
    }

    #[test]
    fn rule_sets_that_differ_only_in_what_tables_ignore_have_the_same() {
        for rules in ["riatra", "first-turns", "repeat=2 limit=0", "tsivy"] {
            let rules = crate::rules::parse_rules(rules).expect("right");
            let tables = Tablebases::built_in(&rules, 1 << 20, 1).expect("tables");
            assert_eq!(tables.stones(), 6);
            assert!(tables.fit(&rules));
        }
    }

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
                    assert_eq!(
                        Tablebases::built_in_cover(&rules, &position),
                        tables.as_ref().is_some_and(covers),
                        "{text}"
                    );
                }
            }
        }
    }
}
