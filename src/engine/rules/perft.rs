//! Perft: counting the complete turns of a position to a depth.
//!
//! Each distinct path counts as one turn. `repeat` and `limit` are ignored; a side without stones or
//! without a legal move has no turns.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::generator::{count_turns, path_moves_into};
use super::turn_rules::with_variant;
use super::{Path, Rules, Variant, legal_paths};
use crate::board::{Move, Position};
use crate::buckets::{Buckets, Slot};
use crate::memory::{self, ResourceError};
use crate::random::split_mix;

/// Minimum depth at which the turns of a position are distributed over threads.
const PARALLEL_DEPTH: u32 = 4;
/// Minimum depth of counts stored in the hash.
const HASHED_DEPTH: u32 = 2;

/// Counts turns on a number of threads, optionally with a shared hash.
pub struct Perft {
    rules: Rules,
    pool: Option<ThreadPool>,
    hash: Option<Buckets>,
}

impl Perft {
    /// A perft under `rules` on `threads` threads (at least one). `hash_mib` is the approximate size of
    /// the shared hash in MiB; 0 disables it.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started, or there is not as much memory.
    pub fn new(rules: Rules, threads: usize, hash_mib: usize) -> Result<Perft, ResourceError> {
        let pool = (threads > 1).then(|| memory::thread_pool(threads, "perft", None));
        let pool = pool.transpose()?;
        let hash =
            (hash_mib > 0).then(|| Buckets::new(hash_mib).ok_or(ResourceError::Memory(hash_mib)));
        let hash = hash.transpose()?;
        Ok(Perft { rules, pool, hash })
    }

    /// The number of turns at `depth` plies, [`u64::MAX`] if there are as many or more; 1 at depth 0. `None` if `stop`
    /// was set.
    pub fn count(&self, position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
        self.run(|| {
            with_variant!(&self.rules, |variant| Counter(variant, self, stop)
                .count(position, depth))
        })
    }

    /// The number of turns at `depth` plies below each turn of `position`, sorted by notation; empty at
    /// depth 0. `None` if `stop` was set.
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        stop: &AtomicBool,
    ) -> Option<Vec<(Path, u64)>> {
        let Some(below) = depth.checked_sub(1) else {
            return Some(Vec::new());
        };
        self.run(|| {
            with_variant!(&self.rules, |variant| {
                let counter = Counter(variant, self, stop);
                let turns = legal_paths(&self.rules, position);
                let count = |(path, mv)| Some((path, counter.count(&position.play(mv), below)?));
                match &self.pool {
                    Some(_) => turns.into_par_iter().map(count).collect(),
                    None => turns.into_iter().map(count).collect(),
                }
            })
        })
    }

    fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Counts under rules known at compile time, until the flag is set.
struct Counter<'a, V>(V, &'a Perft, &'a AtomicBool);

impl<V: Variant> Counter<'_, V> {
    fn count(&self, position: &Position, depth: u32) -> Option<u64> {
        let mut lists = vec![Vec::new(); depth as usize];
        self.count_below(position, depth, &mut lists)
    }

    fn count_below(&self, position: &Position, depth: u32, lists: &mut [Vec<Move>]) -> Option<u64> {
        let Counter(variant, perft, stop) = self;
        let Some((moves, lists)) = lists.split_first_mut() else {
            return Some(1);
        };
        if depth == 1 {
            return Some(count_turns(variant, position));
        }
        if depth > 2 && stop.load(Ordering::Relaxed) {
            return None;
        }
        let hash = perft.hash.as_ref().filter(|_| depth >= HASHED_DEPTH);
        // All that decides the count below a position. Another one has the same key once in 2^64.
        let special = perft.rules.is_special_first_turn(position);
        let key = position.key() ^ split_mix(u64::from(depth) << 1 | u64::from(special));
        let hashed = hash.map(|hash| (hash, key));
        let found = hashed.and_then(|(hash, key)| {
            let mut slots = hash.at(key).iter().map(Slot::read);
            slots.find(|&(found, count)| found == key && count > 0)
        });
        if let Some((_, count)) = found {
            return Some(count);
        }
        path_moves_into(variant, position, moves);
        let total = if perft.pool.is_some() && depth >= PARALLEL_DEPTH {
            moves
                .par_iter()
                .map(|&mv| self.count(&position.play(mv), depth - 1))
                .try_reduce(|| 0, |sum, count| Some(sum.saturating_add(count)))?
        } else {
            let mut total = 0;
            for &mut mv in moves {
                let count = self.count_below(&position.play(mv), depth - 1, lists)?;
                total = count.saturating_add(total);
            }
            total
        };
        if let Some((hash, key)) = hashed {
            hash.at(key)[key as usize % 4].write(key, total);
        }
        Some(total)
    }
}
