//! Solving positions from the end of the game backwards.
//!
//! [`twins`] solves a slice and its twin from what is known of smaller ones; [`build`] goes through
//! all slices of a set and writes them; [`plan`] says beforehand what that takes.

mod block;
#[cfg(feature = "tools")]
mod build;
mod captures;
mod cell;
mod knowledge;
mod load;
#[cfg(feature = "tools")]
mod plan;
mod solved;
mod steps;
mod tally;
mod twins;

#[cfg(feature = "tools")]
pub use self::build::{BuildReport, BuildSettings, build};
pub(super) use self::knowledge::Knowledge;
#[cfg(feature = "tools")]
pub use self::plan::Plan;
pub(super) use self::solved::Solved;
pub(super) use self::tally::Tally;
use self::twins::Twins;
use super::slice::Slice;
use super::table_rules::TableRules;

/// Solves a slice and its twin on the threads of the current pool; nothing if the board is too small.
/// Smaller slices are known. `progress` is told how much has been done since the last time, two for
/// each position of both slices in the end; slices that are their own twins count twice.
pub(super) fn solve_twins(
    rules: &TableRules,
    knowledge: &Knowledge,
    slice: Slice,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Solved> {
    Twins::new(rules, knowledge, slice).map_or(Vec::new(), |twins| twins.solve(progress))
}
