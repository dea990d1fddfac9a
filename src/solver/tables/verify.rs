//! Checking tables without the code that builds them.
//!
//! For every position the legal moves are played, the resulting positions probed, and the value that
//! follows is compared with the stored one. A win must have a move to a loss, with the right distance; a
//! loss must have only moves to wins, the longest of them with the right distance; a draw must have a move
//! to a draw and none to a loss. This is a proof, as no win is circular: distances decrease along every
//! chain of wins and losses, down to a capture into a smaller slice or the end of the game.
//!
//! The retrograde analysis is not used; the rules and the index are. The index is checked as well: all
//! symmetric images of a position must have the same value.

use std::fmt::Display;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::manifest::{Manifest, ManifestEntry};
use vato_engine::board::{Position, Symmetry};
use vato_engine::memory::lock;
use vato_engine::notation::format_fen;
use vato_engine::rules::{MoveList, Rules, has_capture, moves_into};
use vato_engine::tablebase::file::{BLOCK_VALUES, SliceCounts};
use vato_engine::tablebase::index::SliceIndex;
use vato_engine::tablebase::{Slice, TableRules, Tablebases, Value, Wdl, ended};

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Values compared with those of the positions after all moves.
    pub values: u64,
    /// The number of differences.
    pub wrong: u64,
    /// The first differences of each slice, with its name, and with the FEN of the position if they concern one.
    pub differences: Vec<String>,
}

impl Verification {
    fn add(&mut self, slice: Slice, what: impl Display) {
        self.wrong += 1;
        self.differences.push(format!("{slice}: {what}"));
    }
}

/// The most differences that are described for a slice.
const KEPT: usize = 10;

/// Checks all slices of a set, on the threads of the current pool. `progress` is called with the number of
/// values checked since the last call.
pub fn verify(
    tables: &Tablebases,
    manifest: Option<&Manifest>,
    progress: &(dyn Fn(u64) + Sync),
) -> Verification {
    let mut verification = Verification::default();
    for slice in tables.slices() {
        if let (Some(file), Some(manifest)) = (tables.file(slice), manifest) {
            match (manifest.entry(slice), ManifestEntry::of(file)) {
                (_, Err(error)) => verification.add(slice, error),
                (None, _) => verification.add(slice, "not in the manifest"),
                (Some(listed), Ok(entry)) if *listed == entry => {}
                (Some(_), Ok(_)) => {
                    verification.add(slice, "the file differs from its entry in the manifest");
                }
            }
        }
        let checked = verify_slice(tables, slice, 1, progress);
        verification.values += checked.values;
        verification.wrong += checked.wrong;
        verification.differences.extend(checked.differences);
    }
    verification
}

/// Checks one block in `every` of a slice.
fn verify_slice(
    tables: &Tablebases,
    slice: Slice,
    every: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Verification {
    let Some(index) = tables.indices.slice(slice) else {
        return Verification::default();
    };
    let entries = index.entries();
    let checker = Checker {
        tables,
        index,
        rules: *tables.rules().rules(),
        found: Mutex::default(),
    };
    (0..entries.div_ceil(BLOCK_VALUES).div_ceil(every))
        .into_par_iter()
        .for_each_init(MoveList::new, |moves, block| {
            let start = block * every * BLOCK_VALUES;
            let numbers = start..entries.min(start + BLOCK_VALUES);
            let count = numbers.end - numbers.start;
            checker.check(numbers, moves);
            progress(count);
        });
    if every == 1
        && let Some(file) = tables.file(slice)
    {
        checker.check_counts(&file.header.counts);
    }
    let found = checker.found.into_inner();
    found.unwrap_or_else(PoisonError::into_inner).0
}

struct Checker<'a> {
    tables: &'a Tablebases,
    index: SliceIndex,
    rules: Rules,
    /// With the losses, draws and wins, to be compared with the header.
    found: Mutex<(Verification, [u64; 3])>,
}

impl Checker<'_> {
    fn report(&self, what: String) {
        let (verification, _) = &mut *lock(&self.found);
        verification.add(self.index.slice, what);
        verification.differences.truncate(KEPT);
    }

    fn check(&self, numbers: Range<u64>, moves: &mut MoveList) {
        let values = numbers.end - numbers.start;
        let mut counts = [0; 3];
        for number in numbers {
            let (own, other) = self.index.stones(number);
            let position = TableRules::position(own, other);
            let class = (number / self.index.block) as u32;
            let weight = u64::from(self.index.placements.images[class as usize]);
            let Some(value) = self.tables.value(&position) else {
                let fen = format_fen(&position, self.rules.board);
                self.report(format!("{fen}: the value cannot be read"));
                continue;
            };
            counts[value.wdl as usize] += weight;
            moves_into(&self.rules, &position, moves);
            let expected = self.expected(&position, moves);
            if expected != Some(value) {
                let fen = format_fen(&position, self.rules.board);
                let follows = expected.map_or("nothing".to_owned(), in_words);
                let stored = in_words(value);
                self.report(format!(
                    "{fen}: {stored}, but {follows} follows from the moves"
                ));
            }
            // Values of positions with forced captures are not stored.
            if !(self.tables.rules().captures_are_forced() && has_capture(&self.rules, &position)) {
                self.check_images(&position, value);
            }
        }
        let (verification, totals) = &mut *lock(&self.found);
        verification.values += values;
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += count;
        }
    }

    /// The value that follows from the positions after all moves; `None` if one of them cannot be read.
    fn expected(&self, position: &Position, moves: &MoveList) -> Option<Value> {
        if moves.is_empty() {
            return ended(&self.rules, position);
        }
        let mut best: Option<Value> = None;
        for &mv in moves.iter() {
            let after = position.play(mv);
            let next = self.tables.value(&after)?;
            let value = next.before(mv.is_capture() || after.own().is_empty());
            best = best.into_iter().chain([value]).max_by_key(|value| {
                // A better outcome, a faster win or a slower loss.
                let sign = if value.wdl == Wdl::Win { -1 } else { 1 };
                (value.wdl, sign * i64::from(value.plies))
            });
        }
        best
    }

    fn check_images(&self, position: &Position, value: Value) {
        let board = self.rules.board;
        for symmetry in &Symmetry::of(board)[1..] {
            let image = symmetry.position(board, position);
            if self.tables.value(&image) != Some(value) {
                let [fen, image] = [position, &image].map(|position| format_fen(position, board));
                self.report(format!("{fen}: its image {image} has another value"));
            }
        }
    }

    fn check_counts(&self, header: &SliceCounts) {
        let [losses, draws, wins] = lock(&self.found).1;
        if (wins, draws, losses) != (header.wins, header.draws, header.losses) {
            self.report(format!(
                "the header counts {} wins, {} draws, {} losses; the values are {wins}, {draws}, \
                 {losses}",
                header.wins, header.draws, header.losses
            ));
        }
    }
}

fn in_words(value: Value) -> String {
    match value.wdl {
        Wdl::Draw => "a draw".to_owned(),
        wdl => format!("a {wdl} in {}", value.plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which part of the values with most stones is checked every time; all of them take minutes.
    const EVERY: u64 = 50;

    /// Checks all values with fewer than six stones, and one block in `every` of those with six.
    fn check(every: u64) -> u64 {
        let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 26, 1).expect("in the program");
        assert_eq!(tables.stones(), Tablebases::STANDARD_STONES);
        check_slices(&tables, every)
    }

    fn check_slices(tables: &Tablebases, every: u64) -> u64 {
        let verifications = tables.slices().map(|slice| {
            let every = if slice.stones() < 6 { 1 } else { every };
            verify_slice(tables, slice, every, &|_| {})
        });
        let mut values = 0;
        for verification in verifications {
            assert_eq!(verification.differences, [""; 0]);
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
    fn the_tables_of_other_presets_are_in_the_program_and_right() {
        for preset in ["dimy", "telo", "full-chain", "free-capture"] {
            let rules = vato_engine::rules::parse_rules(preset).expect("a preset");
            let tables = Tablebases::built_in(&rules, 1 << 20, 1).expect("in the program");
            assert_eq!(tables.stones(), Tablebases::SOLVED_STONES);
            assert!(tables.fit(&rules));
            let from_files = tables.slices().all(|slice| tables.file(slice).is_some());
            assert!(from_files, "{preset}");
            assert!(check_slices(&tables, 1) > 0);
        }
    }

    #[test]
    #[ignore = "minutes of work"]
    fn all_of_the_tables_in_the_program_are_right() {
        assert_eq!(check(1), 153_528_260);
    }
}
