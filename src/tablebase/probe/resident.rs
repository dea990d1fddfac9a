//! Slices that are wholly in memory, and sets of them.

use std::sync::Arc;

use super::{Table, Tablebases};
use crate::rules::Rules;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::generator::{Knowledge, Solved, solve_twins};
use crate::tablebase::index::{Indices, SliceIndex};
use crate::tablebase::packing::PackedWdl;
use crate::tablebase::slice::Slice;
use crate::tablebase::table_rules::TableRules;
use crate::tablebase::value::Wdl;

/// A slice in memory.
#[derive(Debug)]
pub(super) struct Resident {
    index: SliceIndex,
    outcomes: PackedWdl,
    plies: Vec<u16>,
    longest: u16,
}

impl Resident {
    fn new(solved: &Solved, outcomes: PackedWdl) -> Resident {
        let mut plies = Vec::with_capacity(solved.index.entries() as usize);
        solved.for_each(0..solved.index.entries(), |value| {
            let most = |plies| u16::try_from(plies).unwrap_or(u16::MAX);
            plies.push(value.map_or(0, |value| most(value.plies)));
        });
        Resident {
            index: solved.index.clone(),
            outcomes,
            longest: plies.iter().copied().max().unwrap_or(0),
            plies,
        }
    }

    #[inline]
    pub(super) fn outcome(&self, own: u64, other: u64) -> Wdl {
        self.outcomes.get(self.index.number(own, other))
    }

    pub(super) fn plies(&self, own: u64, other: u64) -> u32 {
        u32::from(self.plies[self.index.number(own, other) as usize])
    }

    pub(super) fn longest(&self) -> u32 {
        u32::from(self.longest)
    }
}

impl Tablebases {
    /// Solves all positions with at most `stones` stones, on the threads of the current pool, and
    /// keeps them in memory. `cache_bytes` are for tables from files, should any be added.
    ///
    /// # Errors
    ///
    /// If there are no tables for these rules.
    pub fn solve(
        rules: &Rules,
        stones: u32,
        cache_bytes: u64,
    ) -> Result<Tablebases, TablebaseError> {
        let rules = TableRules::of(rules)?;
        let indices = Arc::new(Indices::new(rules.rules().board));
        let mut knowledge = Knowledge::new(Arc::clone(&indices));
        let mut tables = Tablebases::empty(rules, indices, cache_bytes);
        for slice in Slice::twins_up_to(stones, rules.rules().board) {
            for solved in solve_twins(&rules, &knowledge, slice, &|_| {}) {
                let outcomes = solved.outcomes();
                let resident = Resident::new(&solved, outcomes.clone());
                let number = solved.index.slice().number();
                tables.tables[number] = Some(Table::Resident(resident));
                knowledge.add(solved.index, outcomes);
            }
        }
        tables.stones = stones.min(rules.rules().board.points().count());
        Ok(tables)
    }
}
