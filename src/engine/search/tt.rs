//! The transposition table: shared by all threads, lock-free.
//!
//! # Memory model
//!
//! Two words with relaxed ordering, and no locks: see `docs/architecture.md`; the first word holds the key *xor* the
//! second (R. Hyatt, T. Mann, *A lock-less transposition-table implementation for parallel search*, ICGA Journal
//! 25(1), 2002). `.ci/thread-sanitizer` runs multi-threaded searches under ThreadSanitizer; it reports no race, but
//! thousands if one of the reads below is made non-atomic.
//!
//! # Layout
//!
//! Four entries of 16 bytes form a *bucket*, one cache line, selected by the high bits of the key
//! (multiply-shift, so the number of buckets is arbitrary). The low six bits of the first word hold the
//! generation instead of key bits; [`TtData::pack`] has the layout of the second.

use std::thread;

use super::{Bound, Score};
use crate::board::Move;
use crate::buckets::{Bucket, Buckets};
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ENTRIES_PER_BUCKET: usize = 4;
const GENERATION_MASK: u64 = 63;
/// The least page of memory that there is.
const PAGE_BYTES: usize = 4096;
/// Buckets sampled for hashfull: a thousand entries.
const SAMPLED_BUCKETS: usize = 1_000 / ENTRIES_PER_BUCKET;
/// Minimum number of buckets per thread when the table is cleared: 16 MiB.
const CLEARED_BY_ONE: usize = 1 << 18;
/// Stands for no evaluation; below the minimum evaluation.
const NO_EVALUATION: i32 = i16::MIN as i32;

/// A move in 20 bits: origin, end point and eight bits that distinguish captured sets. 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TtMove(u32);

impl TtMove {
    #[inline]
    pub(super) fn of(mv: Move) -> TtMove {
        let captured = mv.captured().bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        TtMove(mv.from().index() as u32 | (mv.to().index() as u32) << 6 | (captured as u32) << 12)
    }

    #[inline]
    pub(super) fn is(self, mv: Move) -> bool {
        let ends = mv.from().index() as u32 | (mv.to().index() as u32) << 6;
        ends == self.0 & 0xfff && self == TtMove::of(mv)
    }

    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.0 != 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtData {
    /// The best move, or the refutation.
    pub(super) mv: TtMove,
    /// The score. (In the table, decided scores count from the position itself.)
    pub(super) score: i32,
    /// The undamped static evaluation, if it was computed.
    pub(super) evaluation: Option<i32>,
    /// The depth searched, in plies; 0 for quiescence.
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

impl TtData {
    /// Whether the score causes a cutoff in the window from `alpha` to `beta`.
    #[inline]
    pub(super) const fn settles(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
            Bound::Exact => true,
        }
    }

    /// Whether the score is a proof: a win as a lower bound, a loss as an upper one.
    #[inline]
    pub(super) const fn is_proof(&self) -> bool {
        Score::from_raw(self.score).counts_plies()
            && match self.bound {
                Bound::Lower => self.score > 0,
                Bound::Upper => self.score < 0,
                Bound::Exact => true,
            }
    }

    /// Whether the entry causes a cutoff of a search `depth` plies deep: if it is as deep, or at any depth by a proof.
    #[inline]
    pub(super) const fn cuts(&self, depth: i32, alpha: i32, beta: i32) -> bool {
        // An exact win of a lesser depth may be nearer than it says: it is a bound on its own side only.
        self.depth >= depth && self.settles(alpha, beta)
            || self.is_proof()
                && match self.score > 0 {
                    true => self.score >= beta,
                    false => self.score <= alpha,
                }
    }

    /// Packs the entry into one word, never 0: 20 bits of move, 16 of score, 16 of evaluation, 8 of
    /// depth and 2 of bound, from the lowest bit up.
    fn pack(self) -> u64 {
        debug_assert!(self.evaluation != Some(NO_EVALUATION));
        u64::from(self.mv.0)
            | u64::from(self.score as i16 as u16) << 20
            | u64::from(self.evaluation.unwrap_or(NO_EVALUATION) as i16 as u16) << 36
            | u64::from(self.depth.clamp(0, 255) as u8) << 52
            | (self.bound as u64) << 60
    }

    fn unpack(data: u64) -> TtData {
        let evaluation = i32::from((data >> 36) as u16 as i16);
        TtData {
            mv: TtMove((data & 0xf_ffff) as u32),
            score: i32::from((data >> 20) as u16 as i16),
            evaluation: (evaluation != NO_EVALUATION).then_some(evaluation),
            depth: i32::from((data >> 52) as u8),
            bound: match data >> 60 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }
}

#[derive(Debug)]
pub(super) struct TranspositionTable {
    pub(super) buckets: Buckets,
    generation: AtomicU64,
    /// Whether a search has used the table since it was cleared.
    used: AtomicBool,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB, at least one; `None` if the allocation fails.
    pub(super) fn new(mib: usize) -> Option<TranspositionTable> {
        Some(TranspositionTable {
            buckets: Buckets::new(mib)?,
            generation: AtomicU64::new(0),
            used: AtomicBool::new(false),
        })
    }

    pub(super) fn clear(&self, threads: usize) {
        // Memory that was never written to is not faulted in just to be cleared.
        if self.used.swap(false, Ordering::Relaxed) {
            self.write_zeros(1, threads);
            self.generation.store(0, Ordering::Relaxed);
        }
    }

    /// Faults in the memory of a new table, which a search would otherwise wait for at every page.
    pub(super) fn touch(&self, threads: usize) {
        self.write_zeros(PAGE_BYTES / size_of::<Bucket>(), threads);
    }

    /// Writes zeros to every `step`-th bucket.
    fn write_zeros(&self, step: usize, threads: usize) {
        let empty = |chunk: &[Bucket]| {
            for entry in chunk.iter().step_by(step).flat_map(|bucket| &bucket.0) {
                entry.write(0, 0);
            }
        };
        let buckets = self.buckets.all();
        let chunk = buckets.len().div_ceil(threads).max(CLEARED_BY_ONE);
        thread::scope(|scope| {
            let mut chunks = buckets.chunks(chunk);
            let first = chunks.next();
            for chunk in chunks {
                let started = thread::Builder::new().spawn_scoped(scope, move || empty(chunk));
                if started.is_err() {
                    empty(chunk);
                }
            }
            first.into_iter().for_each(empty);
        });
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub(super) fn age(&self) {
        self.used.store(true, Ordering::Relaxed);
        let next = self.generation().wrapping_add(1) & GENERATION_MASK;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Probes the entry with this key. `ply` is the distance from the root: decided scores are converted to count from
    /// there. One that counts more plies than `plies_left`, those until the no-capture limit, says nothing.
    #[inline]
    pub(super) fn probe(
        &self,
        key: u64,
        ply: usize,
        plies_left: impl FnOnce() -> i32,
    ) -> Option<TtData> {
        for entry in self.buckets.at(key) {
            let (stored_key, data) = entry.read();
            if (stored_key ^ key) & !GENERATION_MASK == 0 && data != 0 {
                let mut found = TtData::unpack(data);
                if let Some(plies) = Score::from_raw(found.score).plies_counted() {
                    if plies <= plies_left() {
                        found.score -= ply as i32 * found.score.signum();
                    } else {
                        (found.score, found.bound) = (-Score::INFINITE.raw(), Bound::Lower);
                    }
                }
                return Some(found);
            }
        }
        None
    }

    /// Stores the result for the position with this key at `ply`.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, mut new: TtData) {
        // In the table decided scores count from the position, in the search from the root.
        if Score::from_raw(new.score).counts_plies() {
            new.score += ply as i32 * new.score.signum();
        }
        let generation = self.generation();
        let bucket = self.buckets.at(key);
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for entry in bucket {
            let (stored_key, data) = entry.read();
            if (stored_key ^ key) & !GENERATION_MASK == 0 && data != 0 {
                let old = TtData::unpack(data);
                if !new.mv.is_some() {
                    new.mv = old.mv;
                }
                new.evaluation = new.evaluation.or(old.evaluation);
                // A proof is kept. So is a deeper result of the same search, over a shallower bound.
                let current = (stored_key ^ generation) & GENERATION_MASK == 0;
                if old.is_proof() && !new.is_proof() {
                    new = old;
                } else if new.bound != Bound::Exact && current && old.depth > new.depth + 3 {
                    return;
                }
                victim = entry;
                break;
            }
            let age = generation.wrapping_sub(stored_key) & GENERATION_MASK;
            let worth = if data == 0 {
                i32::MIN
            } else {
                TtData::unpack(data).depth - 8 * age as i32
            };
            if worth < least {
                least = worth;
                victim = entry;
            }
        }
        let data = new.pack();
        let key = (key & !GENERATION_MASK) | generation;
        victim.write(key, data);
    }

    /// Share of entries of this search, in thousandths, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.buckets.all()[..self.buckets.all().len().min(SAMPLED_BUCKETS)];
        let entries = sample.iter().flat_map(|bucket| &bucket.0);
        let current = entries
            .filter(|entry| {
                let (key, data) = entry.read();
                data != 0 && key & GENERATION_MASK == generation
            })
            .count();
        (current * 1_000 / (sample.len() * ENTRIES_PER_BUCKET)) as u32
    }
}

#[cfg(all(test, vato_loom))]
#[path = "../../../tests/loom/table.rs"]
mod models;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Point};

    fn sample(depth: i32) -> TtData {
        let [from, to] =
            [(3, 1), (4, 2)].map(|(column, row)| Point::at(column, row).expect("a point"));
        let mv = Move::new(from, to, Bitboard::from_bits(1 << 35));
        TtData {
            mv: TtMove::of(mv),
            score: -1234,
            evaluation: Some(77),
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = TranspositionTable::new(1).expect("one MiB");
        for key in (1..2_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            assert_eq!(table.probe(key, 0, || i32::MAX), None);
            table.store(key, 0, sample(5));
            assert_eq!(table.probe(key, 0, || i32::MAX), Some(sample(5)));
        }
    }

    #[test]
    fn decided_scores_count_from_where_they_are_read() {
        let table = TranspositionTable::new(1).expect("one MiB");
        let mut stored = sample(3);
        stored.score = Score::win_in(9).raw();
        table.store(99, 4, stored);
        let read = table.probe(99, 2, || i32::MAX).expect("just stored");
        assert_eq!(read.score, Score::win_in(7).raw());
    }

    #[test]
    fn clearing_empties_and_old_entries_do_not_count_as_full() {
        let table = TranspositionTable::new(1).expect("one MiB");
        table.age();
        for n in 0..200_000_u64 {
            table.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), 0, sample(1));
        }
        assert!(table.hashfull() > 900);
        table.age();
        assert_eq!(table.hashfull(), 0);
        table.clear(2);
        assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15, 0, || i32::MAX), None);
    }

    #[test]
    fn evaluations_come_back_and_so_does_that_there_is_none() {
        for evaluation in [None, Some(0), Some(-1), Some(20_000), Some(-20_000)] {
            let stored = TtData {
                evaluation,
                ..sample(7)
            };
            assert_eq!(TtData::unpack(stored.pack()), stored);
        }
    }
}
