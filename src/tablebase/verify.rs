//! Checking tables without the generator.
//!
//! Every position is looked at again, forwards: its legal moves are played, the positions after them
//! looked up, and what follows from them is compared with what the table says. A win must have a move
//! to a loss, with the right distance; a loss must have only moves to wins, the longest of them with
//! the right distance; a draw must have a move to a draw and none to a loss. Distances make this a
//! proof: every chain of wins and losses gets shorter from link to link and ends with a capture into a
//! smaller slice, or with the end of a game, so no win can rest on itself; and draws are what has no
//! such chain.
//!
//! Nothing of the generator is used: no quiet moves taken back, no counters, no captures worked out
//! beforehand. What both have in common is the rules and the numbers of positions, and that the latter
//! mean what they should is checked as well: all symmetric images of a position must have the same
//! value.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::file::{BLOCK_VALUES, Manifest, ManifestEntry};
use super::index::SliceIndex;
use super::probe::{Tablebases, ended};
use super::slice::Slice;
use super::table_rules::TableRules;
use super::value::{Value, Wdl};
use crate::board::{Position, Symmetry};
use crate::notation::format_fen;
use crate::rules::{MoveList, Rules, Variant, can_capture, generate_into, with_variant};

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The slice.
    pub slice: Slice,
    /// What is wrong, with the FEN of the position where it is about one.
    pub what: String,
}

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Values that were compared with those of the positions after all moves.
    pub values: u64,
    /// How many differences there are.
    pub wrong: u64,
    /// The first differences of each slice.
    pub differences: Vec<Difference>,
}

/// How many differences of a slice are told.
const TOLD: usize = 10;

/// Checks all slices of a set, on the threads of the current pool. `progress` is told the numbers of
/// values checked since the last call.
pub fn verify(
    tables: &Tablebases,
    manifest: Option<&Manifest>,
    progress: &(dyn Fn(u64) + Sync),
) -> Verification {
    let mut verification = Verification::default();
    for entry in manifest.iter().flat_map(|manifest| &manifest.slices) {
        if tables.file(entry.slice).is_none() {
            verification.wrong += 1;
            verification.differences.push(Difference {
                slice: entry.slice,
                what: "in the manifest, and the file is missing".to_owned(),
            });
        }
    }
    for slice in tables.slices() {
        if let Some(what) = compare_with_manifest(tables, manifest, slice) {
            verification.wrong += 1;
            verification.differences.push(Difference { slice, what });
        }
        let checked = verify_slice(tables, slice, 1, progress);
        verification.values += checked.values;
        verification.wrong += checked.wrong;
        verification.differences.extend(checked.differences);
    }
    verification
}

/// Whether the file is the one that the manifest describes.
fn compare_with_manifest(
    tables: &Tablebases,
    manifest: Option<&Manifest>,
    slice: Slice,
) -> Option<String> {
    let (file, manifest) = (tables.file(slice)?, manifest?);
    match manifest.entry(slice) {
        None => Some("not in the manifest".to_owned()),
        Some(entry) if *entry != ManifestEntry::of(file) => {
            Some("not the file that the manifest describes".to_owned())
        }
        Some(_) => None,
    }
}

/// The outcomes counted while checking, to be compared with the header.
type Counts = [AtomicU64; 3];

struct Checker<'a> {
    tables: &'a Tablebases,
    index: SliceIndex,
    counts: Counts,
    wrong: AtomicU64,
    differences: Mutex<Vec<Difference>>,
}

/// Checks one block in `every` of a slice.
pub(super) fn verify_slice(
    tables: &Tablebases,
    slice: Slice,
    every: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Verification {
    let Some(index) = tables.index(slice) else {
        return Verification::default();
    };
    let entries = index.entries();
    let checker = Checker {
        tables,
        index,
        counts: Counts::default(),
        wrong: AtomicU64::new(0),
        differences: Mutex::default(),
    };
    let rules = *tables.rules().rules();
    let values = AtomicU64::new(0);
    (0..entries.div_ceil(BLOCK_VALUES).div_ceil(every))
        .into_par_iter()
        .for_each_init(MoveList::new, |moves, block| {
            let start = block * every * BLOCK_VALUES;
            let numbers = start..entries.min(start + BLOCK_VALUES);
            let count = numbers.end - numbers.start;
            with_variant!(&rules, |variant| checker
                .check(&variant, &rules, numbers, moves));
            values.fetch_add(count, Ordering::Relaxed);
            progress(count);
        });
    if every == 1 {
        checker.check_counts();
    }
    Verification {
        values: values.into_inner(),
        wrong: checker.wrong.into_inner(),
        differences: checker
            .differences
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner),
    }
}

impl Checker<'_> {
    fn tell(&self, what: String) {
        self.wrong.fetch_add(1, Ordering::Relaxed);
        let mut differences = self
            .differences
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if differences.len() < TOLD {
            let slice = self.index.slice();
            differences.push(Difference { slice, what });
        }
    }

    fn check<V: Variant>(
        &self,
        variant: &V,
        rules: &Rules,
        numbers: Range<u64>,
        moves: &mut MoveList,
    ) {
        let mut counts = [0; 3];
        for number in numbers {
            let (own, other) = self.index.stones(number);
            let position = TableRules::position(own, other);
            let class = (number / self.index.block()) as u32;
            let weight = u64::from(self.index.placements().images(class));
            let Some(value) = self.tables.value(&position) else {
                let fen = format_fen(&position, rules.board);
                self.tell(format!("{fen}: no value to be read"));
                continue;
            };
            counts[value.wdl as usize] += weight;
            generate_into(variant, &position, moves);
            match self.expected(rules, &position, moves) {
                Some(expected) if expected == value => {}
                expected => {
                    let fen = format_fen(&position, rules.board);
                    let follows = expected.map_or("nothing".to_owned(), in_words);
                    let stored = in_words(value);
                    self.tell(format!(
                        "{fen}: {stored}, and {follows} follows from the moves"
                    ));
                }
            }
            // What captures decide is not kept, so there is nothing to compare.
            if !(self.tables.rules().captures_are_forced() && can_capture(variant, &position)) {
                self.check_images(rules, &position, value);
            }
        }
        for (total, count) in self.counts.iter().zip(counts) {
            total.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// What follows from the positions after all moves; `None` if one of them cannot be read.
    fn expected(&self, rules: &Rules, position: &Position, moves: &MoveList) -> Option<Value> {
        if moves.is_empty() {
            return ended(rules, position);
        }
        let mut best: Option<Value> = None;
        for &mv in moves {
            let after = position.play(mv);
            let next = self.tables.value(&after)?;
            let over = after.own().is_empty();
            let plies = match next.wdl {
                Wdl::Draw => 0,
                _ if mv.is_capture() || over => 1,
                _ => next.plies + 1,
            };
            let value = Value {
                wdl: -next.wdl,
                plies,
            };
            best = Some(match best {
                Some(best) if !is_better(value, best) => best,
                _ => value,
            });
        }
        best
    }

    fn check_images(&self, rules: &Rules, position: &Position, value: Value) {
        for symmetry in &Symmetry::of(rules.board)[1..] {
            let image = symmetry.position(rules.board, position);
            if self.tables.value(&image) != Some(value) {
                let fen = format_fen(position, rules.board);
                let image = format_fen(&image, rules.board);
                self.tell(format!("{fen}: its image {image} has another value"));
            }
        }
    }

    fn check_counts(&self) {
        let Some(file) = self.tables.file(self.index.slice()) else {
            return;
        };
        let header = file.header();
        let [losses, draws, wins] = [0, 1, 2].map(|i| self.counts[i].load(Ordering::Relaxed));
        if (wins, draws, losses) != (header.wins, header.draws, header.losses) {
            self.tell(format!(
                "the header counts {} wins, {} draws, {} losses; the values are {wins}, {draws}, \
                 {losses}",
                header.wins, header.draws, header.losses
            ));
        }
    }
}

/// Whether the side to move prefers `a`: the better outcome, sooner won or later lost.
fn is_better(a: Value, b: Value) -> bool {
    match a.wdl.cmp(&b.wdl) {
        std::cmp::Ordering::Equal if a.wdl == Wdl::Win => a.plies < b.plies,
        std::cmp::Ordering::Equal => a.plies > b.plies,
        order => order.is_gt(),
    }
}

fn in_words(value: Value) -> String {
    match value.wdl {
        Wdl::Draw => "a draw".to_owned(),
        wdl => format!("a {wdl} in {}", value.plies),
    }
}
