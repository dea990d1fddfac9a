//! Endgame tables as files: building, checking, statistics, all values for other programs.
//! A build needs a byte of memory for each position of the slice and of its colour-swapped twin, up to symmetry, two where
//! both sides have equally many stones, and two bits for each of all smaller slices.

mod build;
mod dump;
mod manifest;
mod verify;

use vato_engine::rules::Rules;
use vato_engine::tablebase::{MAX_STONES, Slice, TableFolders, TablebaseError, Tablebases};

pub use self::build::{BuildReport, BuildSettings, Plan, build};
pub use self::dump::dump;
pub use self::manifest::{LongestInfo, Manifest, ManifestEntry, SliceInfo, info};
pub use self::verify::{Verification, verify};

/// The tables for a solver, with at least `stones` stones, or by default as many as are solved in some seconds:
/// those of [`Tablebases::for_play`] if they have as many, or else those of [`Tablebases::solve`].
///
/// # Errors
///
/// As those two; also if a folder has an error, if more than 1,000,000,000 positions would have to be solved, which
/// takes minutes and a gigabyte, or if there is not enough memory.
pub fn for_solving(
    rules: &Rules,
    folders: &TableFolders,
    stones: Option<u32>,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Tablebases, TablebaseError> {
    /// Positions, symmetric ones counted.
    const SOLVED_UNASKED: u64 = 30_000_000;
    const MOST_SOLVED: u64 = 1_000_000_000;
    let cache = Tablebases::DEFAULT_CACHE_BYTES;
    let (found, complaint) = Tablebases::for_play(rules, folders, cache, 2, goes_on)?;
    if let Some(error) = complaint {
        return Err(error);
    }
    let board = found.rules().rules().board;
    let positions = |stones| -> u64 {
        let slices = Slice::all_up_to(stones, board);
        slices.map(|slice| slice.positions(board)).sum()
    };
    let most = board.points().count().min(MAX_STONES);
    let wanted = match stones {
        Some(stones) => stones.min(most),
        None => (1..=most)
            .take_while(|&stones| positions(stones) <= SOLVED_UNASKED)
            .last()
            .unwrap_or(0),
    };
    if wanted <= found.stones() {
        return Ok(found);
    }
    let count = positions(wanted);
    let refused = |text| Err(TablebaseError::Resources(text));
    if count > MOST_SOLVED {
        return refused(format!(
            "tables of {wanted} stones have {count} positions, expected at most {MOST_SOLVED} to solve in memory; \
             `vato tablebase build` solves more"
        ));
    }
    if Vec::<u8>::new().try_reserve_exact(count as usize).is_err() {
        return refused(format!("no memory for tables of {wanted} stones"));
    }
    Tablebases::solve(rules, wanted, cache, goes_on)
}
