//! The transposition table: one memory for all threads, without locks.
//!
//! # Memory model
//!
//! An entry is two `AtomicU64`, read and written with relaxed ordering, so there is no data race and
//! no undefined behaviour whatever the threads do. What can happen is that a reader sees the first
//! word of one write and the second of another. Therefore the first word holds the key *xor* the
//! second word (R. Hyatt, T. Mann, *A lock-less transposition-table implementation for parallel
//! search*, ICGA Journal 25(1), 2002): words of different writes give a key that does not match,
//! but for a chance of 2^-58. Nothing else is published through the table, so no stronger ordering
//! is needed. A move taken from it is only ever a hint: the search plays it if, and only if, the
//! generator has listed it.
//!
//! Apart from the memory itself ([`Buckets`]) all of this is safe Rust: the worst that the threads can do
//! to each other is a wrong hint. The script
//! `.ci/thread-sanitizer` runs searches with several threads, their stop flags and the table among them,
//! under ThreadSanitizer; it reports nothing, and thousands of races if one of the reads below is made a
//! plain one.
//!
//! # Layout
//!
//! Four entries of 16 bytes fill a cache line, a *bucket*. The bucket is chosen by the high bits of
//! the key (multiply-shift, so any number of buckets will do); the low six bits of the first word
//! hold the generation instead of key bits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::Score;
use super::buckets::Buckets;
use super::stored::{Stored, StoredBound};

const ENTRIES_PER_BUCKET: usize = 4;
const GENERATION_MASK: u64 = 63;
/// Buckets that are worth a thread of their own when the table is emptied: 16 MiB.
const CLEARED_BY_ONE: usize = 1 << 18;
/// Buckets that are looked at to tell how full the table is: a thousand entries.
const SAMPLED_BUCKETS: usize = 1_000 / ENTRIES_PER_BUCKET;

#[repr(C)]
pub(super) struct Entry {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

#[repr(C, align(64))]
pub(super) struct Bucket([Entry; ENTRIES_PER_BUCKET]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// What a write to the table replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    /// An entry never used.
    Empty,
    /// The same position.
    SamePosition,
    /// Another position, which an earlier search left.
    Earlier,
    /// Another position, of the same search.
    Current,
    /// Nothing: what is there is worth more.
    Nothing,
}

/// The table.
pub(super) struct Table {
    buckets: Buckets,
    generation: AtomicU64,
    /// Whether a search has used the table since it was emptied.
    used: AtomicBool,
}

impl Table {
    /// An empty table of `mib` MiB, at least one; `None` if there is no memory for it.
    pub(super) fn new(mib: usize) -> Option<Table> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        if bytes as u64 > crate::memory::available() {
            return None;
        }
        Some(Table {
            buckets: Buckets::new(bytes / size_of::<Bucket>())?,
            generation: AtomicU64::new(0),
            used: AtomicBool::new(false),
        })
    }

    /// Empties the table, on so many threads.
    pub(super) fn clear(&self, threads: usize) {
        // Memory that was never written to is not taken from the system only to be emptied.
        if !self.used.swap(false, Ordering::Relaxed) {
            return;
        }
        let buckets = self.buckets.as_ref();
        let empty = |chunk: &[Bucket]| {
            for entry in chunk.iter().flat_map(|bucket| &bucket.0) {
                entry.key_xor_data.store(0, Ordering::Relaxed);
                entry.data.store(0, Ordering::Relaxed);
            }
        };
        let chunk = buckets.len().div_ceil(threads).max(CLEARED_BY_ONE);
        thread::scope(|scope| {
            let mut chunks = buckets.chunks(chunk);
            let first = chunks.next();
            let others: Vec<_> = chunks
                .map(|chunk| scope.spawn(move || empty(chunk)))
                .collect();
            first.into_iter().for_each(empty);
            for other in others {
                // Storing zeros does not panic.
                let _ = other.join();
            }
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: entries of earlier ones give way first.
    pub(super) fn age(&self) {
        self.used.store(true, Ordering::Relaxed);
        let next = self.generation().wrapping_add(1) & GENERATION_MASK;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = self.buckets.as_ref();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    /// Says that the position with this key will be asked for soon. Said early enough, it makes the
    /// search a tenth faster and more: entries lie far away in memory.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        // Elsewhere there is no stable way.
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: nothing is read, and the bucket is there.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
    }

    /// What is known of the position with this key. `ply` is its distance from the root: decided
    /// scores come back counted from there.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Stored> {
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            let stored_key = entry.key_xor_data.load(Ordering::Relaxed) ^ data;
            if (stored_key ^ key) & !GENERATION_MASK == 0 && data != 0 {
                let mut stored = Stored::unpack(data);
                stored.score = from_stored(stored.score, ply);
                return Some(stored);
            }
        }
        None
    }

    /// Keeps what was found of the position with this key at `ply`.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, mut stored: Stored) -> Replaced {
        stored.score = to_stored(stored.score, ply);
        let generation = self.generation();
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut replaced = Replaced::Empty;
        let mut least = i32::MAX;
        for entry in &bucket.0 {
            let data = entry.data.load(Ordering::Relaxed);
            let stored_key = entry.key_xor_data.load(Ordering::Relaxed) ^ data;
            if (stored_key ^ key) & !GENERATION_MASK == 0 && data != 0 {
                let old = Stored::unpack(data);
                if !stored.best.is_some() {
                    stored.best = old.best;
                }
                stored.evaluation = stored.evaluation.or(old.evaluation);
                // A deeper result of the same search is worth more than a shallow bound.
                let current = (stored_key ^ generation) & GENERATION_MASK == 0;
                if stored.bound != StoredBound::Exact && current && old.depth > stored.depth + 3 {
                    return Replaced::Nothing;
                }
                victim = entry;
                replaced = Replaced::SamePosition;
                break;
            }
            let age = generation.wrapping_sub(stored_key) & GENERATION_MASK;
            let worth = if data == 0 {
                i32::MIN
            } else {
                Stored::unpack(data).depth - 8 * age as i32
            };
            if worth < least {
                least = worth;
                victim = entry;
                replaced = match (data, age) {
                    (0, _) => Replaced::Empty,
                    (_, 0) => Replaced::Current,
                    _ => Replaced::Earlier,
                };
            }
        }
        let data = stored.pack();
        let key = (key & !GENERATION_MASK) | generation;
        victim.data.store(data, Ordering::Relaxed);
        victim.key_xor_data.store(key ^ data, Ordering::Relaxed);
        replaced
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let buckets = self.buckets.as_ref();
        let sample = &buckets[..buckets.len().min(SAMPLED_BUCKETS)];
        let entries = sample.iter().flat_map(|bucket| &bucket.0);
        let current = entries
            .filter(|entry| {
                let data = entry.data.load(Ordering::Relaxed);
                let key = entry.key_xor_data.load(Ordering::Relaxed) ^ data;
                data != 0 && key & GENERATION_MASK == generation
            })
            .count();
        (current * 1_000 / (sample.len() * ENTRIES_PER_BUCKET)) as u32
    }
}

/// Scores that count plies are stored as counted from the position, not from the root.
fn to_stored(score: i32, ply: usize) -> i32 {
    if !Score::from_raw(score).counts_plies() {
        score
    } else if score > 0 {
        score + ply as i32
    } else {
        score - ply as i32
    }
}

fn from_stored(score: i32, ply: usize) -> i32 {
    if !Score::from_raw(score).counts_plies() {
        score
    } else if score > 0 {
        score - ply as i32
    } else {
        score + ply as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Move, Point};
    use crate::search::stored::MoveSignature;

    fn sample(depth: i32) -> Stored {
        let (from, to) = (Point::at(3, 1), Point::at(4, 2));
        let mv = Move::new(
            from.expect("a point"),
            to.expect("a point"),
            Bitboard::from_bits(1 << 35),
        );
        Stored {
            best: MoveSignature::of(mv),
            score: -1234,
            evaluation: Some(77),
            depth,
            bound: StoredBound::Lower,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1).expect("one MiB");
        for key in (1..2_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            assert_eq!(table.probe(key, 0), None);
            table.store(key, 0, sample(5));
            assert_eq!(table.probe(key, 0), Some(sample(5)));
        }
    }

    #[test]
    fn decided_scores_count_from_where_they_are_read() {
        let table = Table::new(1).expect("one MiB");
        let stored = Stored {
            score: Score::win_in(9).raw(),
            ..sample(3)
        };
        table.store(99, 4, stored);
        let read = table.probe(99, 2).expect("just stored");
        assert_eq!(read.score, Score::win_in(7).raw());
    }

    #[test]
    fn clearing_empties_and_old_entries_do_not_count_as_full() {
        let table = Table::new(1).expect("one MiB");
        table.age();
        for n in 0..200_000_u64 {
            table.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), 0, sample(1));
        }
        assert!(table.hashfull() > 900);
        table.age();
        assert_eq!(table.hashfull(), 0);
        table.clear(2);
        assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15, 0), None);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(Table::new(usize::MAX).is_none());
        assert!(Table::new(1 << 30).is_none());
    }
}
