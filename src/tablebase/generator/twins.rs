//! Solving a slice and its twin together.
//!
//! *Retrograde analysis* (Ströhlein 1970; Thompson 1986). First every position is looked at once: if
//! the side to move can capture, the captures lead to smaller slices, which are solved; what remains
//! *open* has a count of its quiet moves. Then positions decided in 0, 1, 2, … plies are followed
//! backwards: before a lost one stands a won one; before a won one stands one with a losing move, and
//! one that has no other move left is lost. Positions that are still open at the end are draws.
//!
//! Positions are kept by small and large group (see [`index`](crate::tablebase::index)), in two
//! tables: with the small group to move and with the large group to move. A quiet move of the large
//! group stays within a block; all those of the small group from one block by one step lead into one
//! other block. So work goes block by block, and what it touches stays in the cache. Each block has a
//! lock; a thread holds one at a time. In slices with as many stones on each side the two tables are
//! mirror images, and it costs less to keep both than to look each up in the other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::block::Block;
use super::captures::first_cell;
use super::knowledge::Knowledge;
use super::solved::{Late, Solved};
use super::steps::{Edge, StepsBack, edges_back};
use crate::rules::{TurnRules, with_variant};
use crate::tablebase::TableRules;
use crate::tablebase::index::{Geometry, SliceIndex, for_each_combination, rank, unrank};
use crate::tablebase::slice::Slice;

/// Which group is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Small = 0,
    Large = 1,
}

/// A slice and its twin that are to be solved.
#[derive(Debug)]
pub(super) struct Twins<'a> {
    rules: &'a TableRules,
    knowledge: &'a Knowledge,
    /// Of the slice in which the small group is to move.
    index: SliceIndex,
    steps: StepsBack,
}

/// The same at work.
struct Work<'a, 'c> {
    twins: &'a Twins<'a>,
    /// Blocks by class; first with the small group to move, then with the large one.
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

fn lock<'b, 'c>(block: &'b Mutex<Block<'c>>) -> MutexGuard<'b, Block<'c>> {
    block.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Twins<'a> {
    /// The twins of `slice`, not solved yet; `None` if the board is too small. Smaller slices are
    /// known.
    pub(super) fn new(
        rules: &'a TableRules,
        knowledge: &'a Knowledge,
        slice: Slice,
    ) -> Option<Twins<'a>> {
        let small_to_move = if slice.own() <= slice.other() {
            slice
        } else {
            slice.twin()
        };
        let index = knowledge.indices().slice(small_to_move)?;
        Some(Twins {
            rules,
            knowledge,
            steps: StepsBack::new(index.geometry()),
            index,
        })
    }

    fn classes(&self) -> u32 {
        self.index.placements().classes() as u32
    }

    fn geometry(&self) -> &Geometry {
        self.index.geometry()
    }

    /// Where the large group may stand while the small one is the representative of `class`.
    fn free(&self, class: u32) -> u64 {
        self.geometry().points() & !self.index.placements().representative(class)
    }

    /// Stones of the large group.
    fn large_stones(&self) -> u32 {
        self.index.slice().other()
    }

    /// Solves both slices on the threads of the current pool. `progress` is told now and then how much
    /// has been done since; in the end that is twice the number of cells in the two tables.
    pub(super) fn solve(&self, progress: &(dyn Fn(u64) + Sync)) -> Vec<Solved> {
        let block = self.index.block() as usize;
        // Two large pieces of memory, which go back to the system as soon as they are not needed.
        let mut cells = [(); 2].map(|()| vec![0; self.index.entries() as usize]);
        let work = Work {
            twins: self,
            tables: cells.each_mut().map(|cells| {
                let blocks = cells.chunks_mut(block);
                blocks.map(|cells| Mutex::new(Block::new(cells))).collect()
            }),
        };
        let [small_late, large_late] = work.run(progress);
        let [small, large] = cells;
        let slice = self.index.slice();
        let mut solved = vec![Solved::new(self.index.clone(), small, small_late)];
        if slice.twin() != slice
            && let Some(index) = self.knowledge.indices().slice(slice.twin())
        {
            solved.push(Solved::new(index, large, large_late));
        }
        solved
    }
}

impl Work<'_, '_> {
    /// Solves; what is left are the cells, and the late positions of each block.
    fn run(self, progress: &(dyn Fn(u64) + Sync)) -> [Vec<Vec<Late>>; 2] {
        with_variant!(self.twins.rules.rules(), |variant| self
            .look_at_captures(TableRules::turn(&variant), progress));
        let mut plies = 0;
        let mut left = 2 * self.twins.index.entries();
        loop {
            let found = self.follow_back(plies);
            progress(found.min(left));
            left = left.saturating_sub(found);
            if found == 0 && plies > 0 {
                break;
            }
            plies += 1;
        }
        progress(left);
        let late = |block: Mutex<Block<'_>>| {
            let block = block.into_inner();
            block.unwrap_or_else(PoisonError::into_inner).into_late()
        };
        self.tables
            .map(|blocks| blocks.into_iter().map(late).collect())
    }

    /// Fills all cells with what is known before quiet moves are followed.
    fn look_at_captures<T: TurnRules + Send + Sync>(
        &self,
        turn: T,
        progress: &(dyn Fn(u64) + Sync),
    ) {
        self.jobs().for_each(|(mover, class)| {
            let small = self.twins.index.placements().representative(class);
            let points = Geometry::single_points(self.twins.free(class));
            let rules = self.twins.rules.rules();
            let mut block = lock(&self.tables[mover as usize][class as usize]);
            let mut cells = block.cells.iter_mut();
            for_each_combination(&points, self.twins.large_stones(), &mut |large| {
                let (own, enemy) = match mover {
                    Mover::Small => (small, large),
                    Mover::Large => (large, small),
                };
                // As many cells as placements.
                if let Some(cell) = cells.next() {
                    *cell = first_cell(turn, rules, self.twins.knowledge, own, enemy);
                }
            });
            block.freshen(0);
            block.freshen(1);
            progress(self.twins.index.block());
        });
    }

    /// Every block of both tables.
    fn jobs(&self) -> impl ParallelIterator<Item = (Mover, u32)> {
        let classes = self.twins.classes();
        (0..2 * classes).into_par_iter().map(move |job| {
            let mover = if job % 2 == 0 {
                Mover::Small
            } else {
                Mover::Large
            };
            (mover, job / 2)
        })
    }

    /// Follows all positions decided in exactly `plies` plies one quiet move back. Returns how many
    /// such positions there are.
    fn follow_back(&self, plies: u32) -> u64 {
        let found = AtomicU64::new(0);
        self.jobs()
            .for_each_init(Scratch::default, |scratch, (mover, class)| {
                scratch.wins.clear();
                scratch.losses.clear();
                lock(&self.tables[mover as usize][class as usize]).decided_in(
                    plies,
                    &mut scratch.wins,
                    &mut scratch.losses,
                );
                let count = scratch.wins.len() + scratch.losses.len();
                if count == 0 {
                    return;
                }
                found.fetch_add(count as u64, Ordering::Relaxed);
                let free = self.twins.free(class);
                let place =
                    |place: &u32| unrank(u64::from(*place), self.twins.large_stones(), free);
                scratch.won.clear();
                scratch.won.extend(scratch.wins.iter().map(place));
                scratch.lost.clear();
                scratch.lost.extend(scratch.losses.iter().map(place));
                match mover {
                    // Whoever is to move here, the other side has moved before.
                    Mover::Small => self.large_steps_back(class, plies, scratch),
                    Mover::Large => self.small_steps_back(class, plies, scratch),
                }
            });
        found.into_inner()
    }

    /// Takes back quiet moves of the large group: they stay within the block.
    fn large_steps_back(&self, class: u32, plies: u32, scratch: &Scratch) {
        let small = self.twins.index.placements().representative(class);
        let free = self.twins.free(class);
        let mut block = lock(&self.tables[Mover::Large as usize][class as usize]);
        let forced = self.twins.rules.captures_are_forced();
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
                // A position where the step would have captured is not open.
                let mut from = self.twins.steps.neighbours(index) & !occupied;
                while from != 0 {
                    let origin = from & from.wrapping_neg();
                    from ^= origin;
                    each(large ^ stone ^ origin);
                }
            } else {
                for step in self.twins.steps.to(index) {
                    if step.from & occupied == 0 && step.in_line & small == 0 {
                        each(large ^ stone ^ step.from);
                    }
                }
            }
        }
    }

    /// Takes back quiet moves of the small group: each step leads into one other block.
    fn small_steps_back(&self, class: u32, plies: u32, scratch: &Scratch) {
        let geometry = self.twins.geometry();
        let edges = edges_back(
            geometry,
            self.twins.index.placements(),
            &self.twins.steps,
            class,
            self.twins.rules.captures_are_forced(),
        );
        for Edge {
            class,
            fold,
            barrier,
        } in edges
        {
            let free = self.twins.free(class);
            let mut block = lock(&self.tables[Mover::Small as usize][class as usize]);
            for &large in &scratch.won {
                if large & barrier == 0 {
                    let place = rank(geometry.image(fold, large), free) as usize;
                    block.move_loses(place, plies + 1);
                }
            }
            for &large in &scratch.lost {
                if large & barrier == 0 {
                    let place = rank(geometry.image(fold, large), free) as usize;
                    block.move_wins(place, plies + 1);
                }
            }
        }
    }
}
