//! Looking positions up.

mod cache;
mod folder;
mod for_play;
mod info;
mod line;
mod ranking;
mod resident;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use self::cache::{BlockBytes, BlockCache, Blocks};
pub use self::info::{LongestInfo, SliceInfo};
pub use self::ranking::{RankedMove, Ranking};
use self::resident::Resident;
use super::file::{BLOCK_VALUES, Section, SliceFile};
use super::index::{Indices, SliceIndex};
use super::packing;
use super::slice::{MAX_STONES, Slice};
use super::table_rules::TableRules;
use super::value::{Value, Wdl};
use crate::board::{Bitboard, Position};
use crate::rules::{Blocked, Rules, Visitor, can_capture, has_move, visit_turns, with_variant};

/// A set of tables for one set of rules: every slice up to some number of stones.
///
/// Looking up is possible from many threads at once. A file that turns out to be damaged is left out
/// from then on, and [`Tablebases::complaints`] says so once.
#[derive(Debug)]
pub struct Tablebases {
    rules: TableRules,
    indices: Arc<Indices>,
    /// By [`Slice::number`].
    tables: Vec<Option<Table>>,
    /// Positions with at most so many stones are in the set.
    stones: u32,
    cache: BlockCache,
    complaints: Mutex<Vec<String>>,
}

/// The values of a slice.
#[derive(Debug)]
enum Table {
    Resident(Resident),
    File(FileTable),
}

#[derive(Debug)]
struct FileTable {
    index: SliceIndex,
    file: SliceFile,
    outcomes: Blocks,
    distances: Blocks,
    /// Found damaged.
    is_damaged: AtomicBool,
}

impl Table {
    fn longest(&self) -> u32 {
        match self {
            Table::Resident(table) => table.longest(),
            Table::File(table) => {
                let longest = table.file.header().longest.as_ref();
                longest.map_or(0, |longest| longest.plies)
            }
        }
    }
}

impl Tablebases {
    /// Memory for unpacked blocks unless said otherwise, in bytes: the outcomes of six stones on the
    /// standard board have room.
    pub const DEFAULT_CACHE_BYTES: u64 = 64 << 20;

    /// An empty set.
    fn empty(rules: TableRules, indices: Arc<Indices>, cache_bytes: u64) -> Tablebases {
        let mut tables = Vec::new();
        tables.resize_with(Slice::NUMBERS, || None);
        Tablebases {
            rules,
            indices,
            tables,
            stones: 1,
            cache: BlockCache::new(cache_bytes),
            complaints: Mutex::default(),
        }
    }

    /// The rules that the tables are for.
    #[must_use]
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// Positions with at most this many stones can be looked up.
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// The longest way to a conversion in any slice, in plies.
    #[must_use]
    pub fn longest(&self) -> u32 {
        let tables = self.tables.iter().flatten();
        tables.map(Table::longest).max().unwrap_or(0)
    }

    /// What was wrong with files since the last call, in words.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut complaints)
    }

    /// Whether the tables are for games under these rules.
    #[must_use]
    pub fn fit(&self, rules: &Rules) -> bool {
        TableRules::of(rules).as_ref() == Ok(&self.rules)
    }

    /// Whether a position of a game under `rules` can be looked up: those rules are the tables', there
    /// are few enough stones, and it is not a first turn that is played by other rules.
    #[inline]
    #[must_use]
    pub fn covers(&self, rules: &Rules, position: &Position) -> bool {
        position.occupied().count() <= self.stones
            && !position.own().is_empty()
            && !position.enemy().is_empty()
            && !rules.is_special_first_turn(position)
            && self.fit(rules)
    }

    /// The outcome of a position for the side to move, `None` if it is not in the set. The counters of
    /// the position are not looked at, nor is the move number: see [`Tablebases::covers`].
    #[must_use]
    pub fn outcome(&self, position: &Position) -> Option<Wdl> {
        self.outcome_of(position.own(), position.enemy())
    }

    /// [`Tablebases::outcome`] of a position that is known to have no capture, or where captures are
    /// not forced: one look.
    #[inline]
    #[must_use]
    pub(crate) fn stored_outcome(&self, position: &Position) -> Option<Wdl> {
        self.read_outcome(position.own(), position.enemy())
    }

    /// The outcome and the plies to the next conversion, `None` if the position is not in the set.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        let (own, other) = (position.own(), position.enemy());
        if own.is_empty() {
            return Some(Value {
                wdl: Wdl::Loss,
                plies: 0,
            });
        }
        if other.is_empty() {
            return Some(Value {
                wdl: Wdl::Win,
                plies: 0,
            });
        }
        if let Some(wdl) = self.outcome_by_captures(own, other) {
            return wdl.map(|wdl| Value {
                wdl,
                plies: u32::from(wdl != Wdl::Draw),
            });
        }
        let wdl = self.read_outcome(own, other)?;
        let plies = match wdl {
            Wdl::Draw => 0,
            Wdl::Win | Wdl::Loss => self.read_plies(own, other)?,
        };
        Some(Value { wdl, plies })
    }

    fn outcome_of(&self, own: Bitboard, other: Bitboard) -> Option<Wdl> {
        if own.is_empty() {
            return Some(Wdl::Loss);
        }
        if other.is_empty() {
            return Some(Wdl::Win);
        }
        match self.outcome_by_captures(own, other) {
            Some(outcome) => outcome,
            None => self.read_outcome(own, other),
        }
    }

    /// The outcome of a position whose value is not kept because captures decide it; `None` if it is
    /// kept, `Some(None)` if a capture leads out of the set.
    fn outcome_by_captures(&self, own: Bitboard, other: Bitboard) -> Option<Option<Wdl>> {
        if !self.rules.captures_are_forced() {
            return None;
        }
        with_variant!(self.rules.rules(), |variant| {
            let position = TableRules::position(own, other);
            if !can_capture(&variant, &position) {
                return None;
            }
            let mut captures = BestCapture {
                tables: self,
                own,
                other,
                best: Some(Wdl::Loss),
            };
            visit_turns(TableRules::turn(&variant), own, other, &mut captures);
            Some(captures.best)
        })
    }

    #[inline]
    fn table(&self, own: Bitboard, other: Bitboard) -> Option<&Table> {
        let slice = Slice::new(own.count(), other.count())?;
        self.tables[slice.number()].as_ref()
    }

    #[inline]
    fn read_outcome(&self, own: Bitboard, other: Bitboard) -> Option<Wdl> {
        match self.table(own, other)? {
            Table::Resident(table) => Some(table.outcome(own.bits(), other.bits())),
            Table::File(table) => {
                let number = table.index.number(own.bits(), other.bits());
                let block = self.block(table, Section::Outcomes, number / BLOCK_VALUES)?;
                Some(packing::get(&block, (number % BLOCK_VALUES) as usize))
            }
        }
    }

    fn read_plies(&self, own: Bitboard, other: Bitboard) -> Option<u32> {
        match self.table(own, other)? {
            Table::Resident(table) => Some(table.plies(own.bits(), other.bits())),
            Table::File(table) => {
                let number = table.index.number(own.bits(), other.bits());
                let block = self.block(table, Section::Distances, number / BLOCK_VALUES)?;
                let place = (number % BLOCK_VALUES) as usize;
                Some(if table.file.has_wide_distances() {
                    u32::from(block[2 * place]) | u32::from(block[2 * place + 1]) << 8
                } else {
                    u32::from(block[place])
                })
            }
        }
    }

    /// A block, from memory or from its file.
    #[inline]
    fn block<'a>(
        &self,
        table: &'a FileTable,
        section: Section,
        block: u64,
    ) -> Option<BlockBytes<'a>> {
        let blocks = match section {
            Section::Outcomes => &table.outcomes,
            Section::Distances => &table.distances,
        };
        blocks.get(&self.cache, block, || self.load(table, section, block))
    }

    fn load(&self, table: &FileTable, section: Section, block: u64) -> Option<Vec<u8>> {
        if table.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let error = match table.file.block(section, block) {
            Ok(bytes) => return Some(bytes),
            Err(error) => error,
        };
        if !table.is_damaged.swap(true, Ordering::Relaxed) {
            let complaints = self.complaints.lock();
            complaints
                .unwrap_or_else(PoisonError::into_inner)
                .push(error.to_string());
        }
        None
    }

    /// The file of a slice, if it is from one.
    pub(super) fn file(&self, slice: Slice) -> Option<&SliceFile> {
        match self.tables[slice.number()].as_ref()? {
            Table::File(table) => Some(&table.file),
            Table::Resident(_) => None,
        }
    }

    /// The numbers of a slice.
    pub(super) fn index(&self, slice: Slice) -> Option<SliceIndex> {
        self.indices.slice(slice)
    }

    /// The slices in the set, those with fewer stones first.
    pub fn slices(&self) -> impl Iterator<Item = Slice> {
        Slice::twins_up_to(MAX_STONES, self.rules.rules().board)
            .flat_map(Slice::with_twin)
            .filter(|slice| self.tables[slice.number()].is_some())
    }
}

/// The best that captures achieve.
struct BestCapture<'a> {
    tables: &'a Tablebases,
    own: Bitboard,
    other: Bitboard,
    /// `None` once a capture has led out of the set.
    best: Option<Wdl>,
}

impl Visitor for BestCapture<'_> {
    fn turn(&mut self, from: u64, to: u64, captured: u64, _chained: bool) {
        let Some(best) = self.best else { return };
        if best != Wdl::Win {
            let own = Bitboard::from_bits(self.own.bits() ^ from ^ to);
            let left = self.other - Bitboard::from_bits(captured);
            let outcome = self.tables.outcome_of(left, own).map(|outcome| -outcome);
            self.best = outcome.map(|outcome| best.max(outcome));
        }
    }
}

/// The value of a position that the rules alone decide: the game is over.
pub(super) fn ended(rules: &Rules, position: &Position) -> Option<Value> {
    let wdl = if position.own().is_empty() {
        Wdl::Loss
    } else if position.enemy().is_empty() {
        Wdl::Win
    } else if has_move(rules, position) {
        return None;
    } else {
        match rules.blocked {
            Blocked::Loss => Wdl::Loss,
            Blocked::Draw => Wdl::Draw,
        }
    };
    Some(Value { wdl, plies: 0 })
}
