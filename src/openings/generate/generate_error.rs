//! Why positions cannot be found.

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use super::{BARREN_LINES, BARREN_SEARCHES};
use crate::openings::random_lines::MOST_PLIES;
use crate::plural::counted;
use crate::search::SearchError;

/// Why there are not as many positions as are wanted.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// Bounds between which nothing lies.
    #[error("no score lies between {:+.2} and {:+.2}", f64::from(*.min) / 100.0, f64::from(*.max) / 100.0)]
    Bounds {
        /// The lower one, in centi-stones.
        min: i32,
        /// The upper one, in centi-stones.
        max: i32,
    },
    /// A side that is better by less than nothing.
    #[error("the lowest score of the better side cannot be below 0")]
    BetterSide,
    /// More plies than anybody wants.
    #[error("{0} random plies are too many (at most {MOST_PLIES})")]
    TooManyPlies(u32),
    /// No new positions turn up.
    #[error(
        "{kept} of {} found, then no new one in {BARREN_LINES} random lines of {}: want fewer \
         positions, wider bounds, or more plies (where games last that long)",
        counted(*count, "position", "positions"),
        counted(*plies, "ply", "plies")
    )]
    Exhausted {
        /// How many were found.
        kept: usize,
        /// How many were wanted.
        count: usize,
        /// Length of the lines.
        plies: u32,
    },
    /// New positions turn up, but none is within the bounds.
    #[error(
        "{kept} of {} found, then none within the bounds in {BARREN_SEARCHES} searches: want wider \
         bounds",
        counted(*count, "position", "positions")
    )]
    TooRare {
        /// How many were found.
        kept: usize,
        /// How many were wanted.
        count: usize,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// What the system said.
        error: ThreadPoolBuildError,
    },
    /// A search that could not be made.
    #[error(transparent)]
    Search(#[from] SearchError),
}
