//! Probing tables.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};

use sha2::{Digest, Sha256};

use super::cache::BlockCache;
use super::file::{BLOCK_VALUES, SliceFile};
use super::index::{Indices, SliceIndex};
use super::retrograde::{SolvedSlice, best_capture};
use super::rules::TableRules;
use super::slice::{MAX_STONES, Slice};
use super::value::{Section, Value, Wdl, unpack};
use crate::board::{Bitboard, Position};
use crate::memory::lock;
use crate::rules::{Rules, can_capture, position_outcome, with_variant};

/// A set of tables for one set of rules: every slice up to some number of stones.
///
/// Several threads may probe it at once. When a file is found damaged, it is ignored from then
/// on, and [`Tablebases::complaints`] reports it once.
#[derive(Debug)]
pub struct Tablebases {
    pub(super) rules: TableRules,
    /// The numbers of the positions.
    pub indices: Arc<Indices>,
    /// By [`Slice::number`].
    pub(super) slices: Vec<Option<SliceTable>>,
    /// Positions with at most this many stones are in the set.
    pub(super) stones: u32,
    /// The longest distance by number of stones; computed on first use.
    pub(super) longest: OnceLock<[u32; MAX_STONES as usize + 1]>,
    cache: BlockCache,
    complaints: Mutex<Vec<String>>,
}

#[derive(Debug)]
pub(super) struct SliceTable {
    index: SliceIndex,
    /// The longest distance.
    longest: u32,
    values: Values,
}

#[derive(Debug)]
enum Values {
    /// With the packed outcomes, which take less memory.
    Solved(SolvedSlice, Vec<u8>),
    File(SliceFile),
}

impl SliceTable {
    /// A solved slice with its packed outcomes.
    pub(super) fn solved(solved: SolvedSlice, outcomes: Vec<u8>) -> SliceTable {
        let numbers = 0..solved.index.entries();
        SliceTable {
            index: solved.index.clone(),
            longest: (numbers.map(|number| solved.value(number).plies).max()).unwrap_or(0),
            values: Values::Solved(solved, outcomes),
        }
    }

    pub(super) fn of_file(index: SliceIndex, file: SliceFile) -> SliceTable {
        let longest = file.header.counts.longest;
        SliceTable {
            longest: longest.map_or(0, |longest| longest.plies),
            values: Values::File(file),
            index,
        }
    }
}

impl Tablebases {
    /// The default memory for unpacked blocks, in bytes: enough for the outcomes of six stones on the standard board.
    pub const DEFAULT_CACHE_BYTES: u64 = 64 << 20;

    pub(super) fn empty(rules: TableRules, cache_bytes: u64) -> Tablebases {
        Tablebases {
            rules,
            indices: Arc::new(Indices::new(rules.rules().board)),
            slices: (0..Slice::NUMBERS).map(|_| None).collect(),
            stones: 1,
            longest: OnceLock::new(),
            cache: BlockCache::new(cache_bytes),
            complaints: Mutex::default(),
        }
    }

    /// The rules that the tables are for.
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// Positions with at most this many stones can be looked up.
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// The longest distance in any slice, in plies.
    pub fn longest(&self) -> u32 {
        self.longest_by_stones().iter().copied().max().unwrap_or(0)
    }

    fn longest_by_stones(&self) -> &[u32; MAX_STONES as usize + 1] {
        self.longest.get_or_init(|| {
            let mut longest = [0; MAX_STONES as usize + 1];
            for (slice, plies) in self.longest_by_slice() {
                let most = &mut longest[slice.stones() as usize];
                *most = plies.max(*most);
            }
            longest
        })
    }

    /// The most stones of positions whose values are valid under this no-capture limit (0: none): the distances after
    /// the next conversion must not exceed it either.
    pub fn stones_within(&self, limit: u16) -> u32 {
        let longest = self.longest_by_stones();
        let is_late = |&stones: &u32| longest[stones as usize] > u32::from(limit);
        match (1..self.stones).find(is_late) {
            Some(late) if limit != 0 => late,
            _ => self.stones,
        }
    }

    /// The slices in the set with their longest distance in plies, those with fewer stones first.
    pub fn longest_by_slice(&self) -> impl Iterator<Item = (Slice, u32)> {
        self.slices().filter_map(|slice| {
            let table = self.slices[slice.number()].as_ref()?;
            Some((slice, table.longest))
        })
    }

    /// SHA-256, in hexadecimal, of what identifies the tables of up to so many stones: rules, slices and longest distances.
    pub fn digest(&self, stones: u32) -> String {
        let mut text = format!("{:#}\n", self.rules().rules());
        let slices = self.longest_by_slice();
        for (slice, longest) in slices.filter(|(slice, _)| slice.stones() <= stones) {
            text += &format!("{slice} {longest}\n");
        }
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// File errors since the last call.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.complaints))
    }

    /// Whether the tables are for games under these rules.
    pub fn fit(&self, rules: &Rules) -> bool {
        TableRules::of(rules).as_ref() == Ok(&self.rules)
    }

    /// Whether a position of a game under `rules` can be looked up: the tables are for these rules, there
    /// are [few enough](Tablebases::stones_within) stones, and it is not a special first turn.
    #[inline]
    pub fn covers(&self, rules: &Rules, position: &Position) -> bool {
        is_covered(rules, position, self.stones_within(rules.limit)) && self.fit(rules)
    }

    /// The outcome of a position for the side to move, `None` if it is not in the set. The no-capture
    /// counter and the move number are ignored: see [`Tablebases::covers`].
    pub fn outcome(&self, position: &Position) -> Option<Wdl> {
        match self.outcome_without_table(position) {
            Some(outcome) => outcome,
            None => self.stored_outcome(position),
        }
    }

    /// [`Tablebases::outcome`] of a position that is known to have no capture, or where captures are
    /// not forced: one look-up.
    #[inline]
    pub(crate) fn stored_outcome(&self, position: &Position) -> Option<Wdl> {
        let (table, number) = self.table(position)?;
        match &table.values {
            Values::Solved(_, outcomes) => Some(unpack(outcomes, number as usize)),
            Values::File(file) => self.read(file, Section::Outcomes, number, unpack),
        }
    }

    /// The outcome and the plies to the next conversion, `None` if the position is not in the set.
    pub fn value(&self, position: &Position) -> Option<Value> {
        if let Some(outcome) = self.outcome_without_table(position) {
            let is_over = position.own().is_empty() || position.enemy().is_empty();
            return outcome.map(|wdl| Value::new(wdl, u32::from(!is_over && wdl != Wdl::Draw)));
        }
        let wdl = self.stored_outcome(position)?;
        let plies = match wdl {
            Wdl::Draw => 0,
            Wdl::Win | Wdl::Loss => self.stored_plies(position)?,
        };
        Some(Value { wdl, plies })
    }

    /// The outcome of a position that is not stored, because a side has no stones or captures are forced;
    /// `None` if it is stored, `Some(None)` if a capture leads out of the set.
    fn outcome_without_table(&self, position: &Position) -> Option<Option<Wdl>> {
        let (own, other) = (position.own(), position.enemy());
        if own.is_empty() {
            return Some(Some(Wdl::Loss));
        }
        if other.is_empty() {
            return Some(Some(Wdl::Win));
        }
        if !self.rules.captures_are_forced() {
            return None;
        }
        with_variant!(self.rules.rules(), |variant| {
            if !can_capture(&variant, position) {
                return None;
            }
            let mut is_known = true;
            let outcome = |own, other| {
                let [own, other] = [own, other].map(Bitboard::from_bits);
                let outcome = self.outcome(&TableRules::position(own, other));
                is_known &= outcome.is_some();
                outcome.unwrap_or(Wdl::Draw)
            };
            let turn = TableRules::turn(&variant);
            let (best, _) = best_capture(turn, own.bits(), other.bits(), outcome);
            Some(best.filter(|_| is_known))
        })
    }

    /// The table that a position is in, and its number there.
    #[inline]
    fn table(&self, position: &Position) -> Option<(&SliceTable, u64)> {
        let (own, other) = (position.own(), position.enemy());
        let slice = Slice::new(own.count(), other.count())?;
        let table = self.slices[slice.number()].as_ref()?;
        Some((table, table.index.number(own.bits(), other.bits())))
    }

    fn stored_plies(&self, position: &Position) -> Option<u32> {
        let (table, number) = self.table(position)?;
        match &table.values {
            Values::Solved(solved, _) => Some(solved.value(number).plies),
            Values::File(file) => {
                let is_wide = file.header.distances.bits == 16;
                let plies = |block: &[u8], place: usize| match is_wide {
                    true => u32::from(block[2 * place]) | u32::from(block[2 * place + 1]) << 8,
                    false => block[place].into(),
                };
                self.read(file, Section::Distances, number, plies)
            }
        }
    }

    /// What `of` finds in the block with the value of this number, at the value's place there.
    #[inline]
    fn read<T>(
        &self,
        file: &SliceFile,
        section: Section,
        number: u64,
        of: impl FnOnce(&[u8], usize) -> T,
    ) -> Option<T> {
        let block = number / BLOCK_VALUES;
        let load = || self.load(file, section, block);
        let read = |bytes: &[u8]| of(bytes, (number % BLOCK_VALUES) as usize);
        file.cached[section as usize].get(&self.cache, block, load, read)
    }

    fn load(&self, file: &SliceFile, section: Section, block: u64) -> Option<Vec<u8>> {
        if file.is_damaged.load(Ordering::Relaxed) {
            return None;
        }
        let read = file.block(section, block);
        if let Err(error) = &read
            && !file.is_damaged.swap(true, Ordering::Relaxed)
        {
            lock(&self.complaints).push(error.to_string());
        }
        read.ok()
    }

    /// The file of a slice, if it is from a file.
    pub fn file(&self, slice: Slice) -> Option<&SliceFile> {
        match &self.slices[slice.number()].as_ref()?.values {
            Values::File(file) => Some(file),
            Values::Solved(..) => None,
        }
    }

    /// The slices in the set, those with fewer stones first.
    pub fn slices(&self) -> impl Iterator<Item = Slice> {
        Slice::all_up_to(MAX_STONES, self.rules.rules().board)
            .filter(|slice| self.slices[slice.number()].is_some())
    }
}

/// Whether tables of at most `stones` stones cover a position, if they are for these rules.
#[inline]
pub(super) fn is_covered(rules: &Rules, position: &Position, stones: u32) -> bool {
    position.occupied().count() <= stones
        && !position.own().is_empty()
        && !position.enemy().is_empty()
        && !rules.is_special_first_turn(position)
}

/// The value of a position in which the game is over by the rules.
pub fn ended(rules: &Rules, position: &Position) -> Option<Value> {
    let wdl = match position_outcome(rules, position)?.winner {
        None => Wdl::Draw,
        Some(winner) if winner == position.side() => Wdl::Win,
        Some(_) => Wdl::Loss,
    };
    Some(Value::new(wdl, 0))
}
