//! Retrograde analysis of a slice and the colour-swapped one together (Ströhlein 1970; Thompson 1986).
//!
//! First every position is visited once: captures lead to smaller slices, which are solved; a position
//! that they do not decide is *open*, and its quiet moves are counted. Then positions decided in 0, 1, 2, … plies
//! are propagated to their predecessors: those of a lost position are won; the count of those of a won
//! position is reduced, and they are lost at 0. Positions that are open at the end are draws.
//!
//! Positions are kept by small and large group (see [`index`](crate::tablebase::index)), in two
//! tables: with the small group to move and with the large group to move. A quiet move of the large
//! group stays within a block; a step of the small group leads from all positions of a block into one
//! other block. So the work is done block by block and stays in the CPU cache. Each block has a
//! lock; a thread holds one at a time. In slices with as many stones on each side the two tables are
//! mirror images; storing both is faster than looking up one in the other.

mod captures;
mod cell;
mod solved;
mod steps;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

pub use self::captures::WdlTables;
pub(super) use self::captures::best_capture;
use self::captures::first_cell;
use self::cell::{Block, Late};
pub use self::solved::SolvedSlice;
use self::steps::{StepsBack, edges_back};
use super::index::{SliceIndex, for_each_combination, rank, single_points, unrank};
use super::rules::TableRules;
use super::slice::Slice;
use crate::memory::lock;
use crate::rules::{TurnRules, with_variant};

/// Solves a slice of [`Slice::pairs_up_to`] and the colour-swapped one, on the threads of the current
/// pool, with smaller slices in `known`; empty if the board is too small. `progress` is called with the work done since
/// the last call (four for each number of the slice in all). Stops and returns `None` when it returns false.
pub fn solve_pair(
    rules: &TableRules,
    known: &WdlTables,
    slice: Slice,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Vec<SolvedSlice>> {
    let Some(index) = known.indices.slice(slice) else {
        return Some(Vec::new());
    };
    let block = index.block as usize;
    // Allocated separately, so that one can be freed before the other.
    let mut cells = [(); 2].map(|()| vec![0; index.entries() as usize]);
    let solver = Solver {
        rules,
        known,
        steps: StepsBack::new(index.board.points(), rules.captures_are_forced()),
        index: index.clone(),
        tables: cells.each_mut().map(|cells| {
            let blocks = cells.chunks_mut(block);
            blocks.map(|cells| Mutex::new(Block::new(cells))).collect()
        }),
    };
    let [small_late, large_late] = solver.run(progress)?;
    let [small, large] = cells;
    let mut solved = vec![SolvedSlice::new(index, small, small_late)];
    if slice.swapped() != slice
        && let Some(index) = known.indices.slice(slice.swapped())
    {
        solved.push(SolvedSlice::new(index, large, large_late));
    }
    Some(solved)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Small = 0,
    Large = 1,
}

struct Solver<'a, 'c> {
    rules: &'a TableRules,
    known: &'a WdlTables,
    /// The index of the slice with the small group to move; the other stones are those of the large one.
    index: SliceIndex,
    steps: StepsBack,
    /// Blocks by [`Mover`] and class.
    tables: [Vec<Mutex<Block<'c>>>; 2],
}

/// Buffers of one thread.
#[derive(Default)]
struct Scratch {
    wins: Vec<u32>,
    losses: Vec<u32>,
    won: Vec<u64>,
    lost: Vec<u64>,
}

impl<'c> Solver<'_, 'c> {
    fn block(&self, mover: Mover, class: u32) -> MutexGuard<'_, Block<'c>> {
        let block = &self.tables[mover as usize][class as usize];
        lock(block)
    }

    /// Solves both tables; returns the late positions of each block.
    fn run(self, progress: &(dyn Fn(u64) -> bool + Sync)) -> Option<[Vec<Vec<Late>>; 2]> {
        with_variant!(self.rules.rules(), |variant| self
            .initialise(TableRules::turn(&variant), progress))?;
        let mut plies = 0;
        let mut left = 2 * self.index.entries();
        loop {
            let found = self.propagate(plies);
            if !progress(found.min(left)) {
                return None;
            }
            left = left.saturating_sub(found);
            if found == 0 && plies > 0 {
                break;
            }
            plies += 1;
        }
        progress(left);
        let late = |block: Mutex<Block<'_>>| {
            let block = block.into_inner();
            block.unwrap_or_else(PoisonError::into_inner).late
        };
        let tables = self.tables;
        Some(tables.map(|blocks| blocks.into_iter().map(late).collect()))
    }

    /// Fills all cells with the outcomes of captures and the numbers of quiet moves.
    fn initialise<T: TurnRules + Send + Sync>(
        &self,
        turn: T,
        progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Option<()> {
        self.jobs().try_for_each(|(mover, class)| {
            let small = self.index.placements.representatives[class as usize];
            let points = single_points(self.index.free(class));
            let rules = self.rules.rules();
            let mut block = self.block(mover, class);
            let mut cells = block.cells.iter_mut();
            for_each_combination(&points, self.index.slice.other(), 0, &mut |large| {
                let (own, enemy) = match mover {
                    Mover::Small => (small, large),
                    Mover::Large => (large, small),
                };
                // Never `None`: there are as many cells as placements.
                if let Some(cell) = cells.next() {
                    *cell = first_cell(turn, rules, self.known, own, enemy);
                }
            });
            // Cells may be decided in 0 plies or in 1.
            block.has_new = [true; 2];
            progress(self.index.block).then_some(())
        })
    }

    /// Every block of both tables.
    fn jobs(&self) -> impl ParallelIterator<Item = (Mover, u32)> {
        let classes = self.index.placements.representatives.len() as u32;
        (0..2 * classes).into_par_iter().map(move |job| {
            let mover = [Mover::Small, Mover::Large][job as usize % 2];
            (mover, job / 2)
        })
    }

    /// Propagates all positions decided in exactly `plies` plies to their predecessors by quiet moves. Returns the
    /// number of these positions.
    fn propagate(&self, plies: u32) -> u64 {
        let found = AtomicU64::new(0);
        self.jobs()
            .for_each_init(Scratch::default, |scratch, (mover, class)| {
                scratch.wins.clear();
                scratch.losses.clear();
                let (wins, losses) = (&mut scratch.wins, &mut scratch.losses);
                self.block(mover, class).decided_in(plies, wins, losses);
                let count = scratch.wins.len() + scratch.losses.len();
                if count == 0 {
                    return;
                }
                found.fetch_add(count as u64, Ordering::Relaxed);
                let free = self.index.free(class);
                let place = |place: &u32| unrank(u64::from(*place), self.index.slice.other(), free);
                scratch.won.clear();
                scratch.won.extend(scratch.wins.iter().map(place));
                scratch.lost.clear();
                scratch.lost.extend(scratch.losses.iter().map(place));
                match mover {
                    // The group that is not to move has made the last move.
                    Mover::Small => self.large_steps_back(class, plies, scratch),
                    Mover::Large => self.small_steps_back(class, plies, scratch),
                }
            });
        found.into_inner()
    }

    /// Takes back quiet moves of the large group: they stay within the block.
    fn large_steps_back(&self, class: u32, plies: u32, scratch: &Scratch) {
        let small = self.index.placements.representatives[class as usize];
        let free = self.index.free(class);
        let mut block = self.block(Mover::Large, class);
        let forced = self.rules.captures_are_forced();
        for &large in &scratch.won {
            self.for_each_large_step(small, large, forced, |before| {
                block.move_loses(rank(before, free) as usize, plies + 1);
            });
        }
        for &large in &scratch.lost {
            self.for_each_large_step(small, large, forced, |before| {
                block.move_wins(rank(before, free) as usize, plies + 1);
            });
        }
    }

    #[inline(always)]
    fn for_each_large_step(
        &self,
        small: u64,
        large: u64,
        captures_are_forced: bool,
        mut each: impl FnMut(u64),
    ) {
        let occupied = small | large;
        let mut stones = large;
        while stones != 0 {
            let stone = stones & stones.wrapping_neg();
            stones ^= stone;
            let index = stone.trailing_zeros();
            if captures_are_forced {
                // The same, faster, as nothing has to be checked but that the point is free.
                let mut from = self.steps.neighbours(index) & !occupied;
                while from != 0 {
                    let origin = from & from.wrapping_neg();
                    from ^= origin;
                    each(large ^ stone ^ origin);
                }
            } else {
                for step in self.steps.to(index) {
                    if step.from & occupied == 0 && step.in_line & small == 0 {
                        each(large ^ stone ^ step.from);
                    }
                }
            }
        }
    }

    /// Takes back quiet moves of the small group: each step leads into one other block.
    fn small_steps_back(&self, class: u32, plies: u32, scratch: &Scratch) {
        for edge in edges_back(&self.index, &self.steps, class) {
            let free = self.index.free(edge.class);
            let place = |&large: &u64| {
                let is_free = large & edge.barrier == 0;
                is_free.then(|| rank(edge.fold.bits(&self.index.shape, large), free) as usize)
            };
            let mut block = self.block(Mover::Small, edge.class);
            for place in scratch.won.iter().filter_map(place) {
                block.move_loses(place, plies + 1);
            }
            for place in scratch.lost.iter().filter_map(place) {
                block.move_wins(place, plies + 1);
            }
        }
    }
}
