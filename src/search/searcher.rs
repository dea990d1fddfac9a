//! The way into the search.

use std::io;
use std::iter::once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use thiserror::Error;

use super::params::Params;
use super::root::{Found, RootLine};
use super::tablebases::{Probe, ProbeSettings};
use super::threads::{Cooperation, ThreadPool, vote};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{MainThread, Shared, ThreadData, search_on_this_thread};
use super::{Bound, Control, Limits, Line, Parameters, Report, Score, SearchCounts, SearchResult};
use crate::eval::Evaluation;
use crate::rules::{Blocked, Game, Rules, legal_moves};
use crate::tablebase::Tablebases;

/// The most memory that the transposition table may be given, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;
/// The most threads that a search may be given.
pub const MAX_THREADS: usize = 1024;

/// Bytes of stack for a thread that searches: the search recurses as deep as its deepest line, and one of
/// its threads is the one that calls it.
pub const STACK_BYTES: usize = 16 << 20;

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
        error: io::Error,
    },
}

/// Owns what outlives a search: the transposition table, the threads, what they have learned.
pub struct Searcher {
    table: Option<Arc<TranspositionTable>>,
    threads: Option<ThreadPool>,
    /// The rules of the last search: what was learned under others is of no use.
    rules: Option<Rules>,
    tablebases: Option<Arc<Tablebases>>,
    probe: ProbeSettings,
    evaluation: Evaluation,
    params: Arc<Params>,
}

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher::new()
    }
}

impl Searcher {
    /// The default size of the table, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;

    /// A searcher with one thread and a table of [`Searcher::DEFAULT_HASH_MIB`]. Takes no memory
    /// worth mention until it is first needed.
    #[must_use]
    pub fn new() -> Searcher {
        Searcher {
            table: None,
            threads: None,
            rules: None,
            tablebases: None,
            probe: ProbeSettings::default(),
            evaluation: Evaluation::default(),
            params: Arc::new(Params::new(Parameters::STANDARD)),
        }
    }

    /// Sets the number of threads (1 to [`MAX_THREADS`]; values outside are brought inside).
    ///
    /// # Errors
    ///
    /// If the threads cannot be started; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SearchError> {
        let threads = threads.clamp(1, MAX_THREADS);
        if self.threads.as_ref().map(ThreadPool::threads) != Some(threads) {
            let pool = ThreadPool::new(threads);
            self.threads = Some(pool.map_err(|error| SearchError::Threads { threads, error })?);
        }
        Ok(())
    }

    /// Replaces the table by an empty one of `mib` MiB (1 to [`MAX_HASH_MIB`]; values outside are
    /// brought inside).
    ///
    /// # Errors
    ///
    /// If there is no memory for it; the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), SearchError> {
        let mib = mib.clamp(1, MAX_HASH_MIB);
        // The old table is given up only once the new one is there.
        let table = TranspositionTable::new(mib).ok_or(SearchError::Memory { mib })?;
        self.table = Some(Arc::new(table));
        Ok(())
    }

    /// Sets the tablebases; searches under rules that they are not for do without.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
    }

    /// Sets what positions are evaluated with. Forgets everything learned with another evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.clear();
    }

    /// Sets the parameters of the search, in a build with the feature `tune`; elsewhere they are constants.
    /// Forgets everything learned under others.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.params = Arc::new(Params::new(parameters));
        self.clear();
    }

    /// What positions are evaluated with.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Sets how far tablebases are used.
    pub fn set_probe(&mut self, probe: ProbeSettings) {
        self.probe = probe;
    }

    /// Takes the memory and starts the threads that the next search needs, if that has not happened.
    ///
    /// # Errors
    ///
    /// If they cannot be had.
    pub fn prepare(&mut self) -> Result<(), SearchError> {
        self.ready().map(|_| ())
    }

    /// The table and the threads, made now if need be.
    fn ready(&mut self) -> Result<(&Arc<TranspositionTable>, &mut ThreadPool), SearchError> {
        if self.table.is_none() {
            self.set_hash(Searcher::DEFAULT_HASH_MIB)?;
        }
        if self.threads.is_none() {
            self.set_threads(1)?;
        }
        match (&self.table, &mut self.threads) {
            (Some(table), Some(threads)) => Ok((table, threads)),
            _ => unreachable!("both have just been made"),
        }
    }

    /// Forgets everything learned: empties the table and the threads' statistics.
    pub fn clear(&mut self) {
        if let Some(pool) = &mut self.threads {
            pool.with_data(ThreadData::clear);
        }
        if let Some(table) = &self.table {
            table.clear(self.threads.as_ref().map_or(1, ThreadPool::threads));
        }
    }

    /// What all threads have counted since they were started; `None` in a build without the feature
    /// `stats`, which counts nothing.
    #[must_use]
    pub fn counts(&self) -> Option<SearchCounts> {
        match &self.threads {
            Some(pool) => pool.counts(),
            None => cfg!(feature = "stats").then(SearchCounts::default),
        }
    }

    /// Searches the current position of `game`. Blocks until the search is done; `report` is called
    /// on this thread. Helper threads may still be on their way to a halt when it returns. Also searches
    /// games that have ended by repetition or by the limit; without a legal move the result has no best
    /// move and one line with an empty `pv`.
    ///
    /// A search of limited [strength](super::Strength) has one thread, whatever
    /// [`Searcher::set_threads`] has said.
    ///
    /// # Errors
    ///
    /// If memory or threads that were not needed before cannot be had.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, SearchError> {
        let mut limits = limits.clone();
        if !limits.strength.is_full() {
            limits.multipv = 1;
        }
        let threads = self.threads.as_ref().map_or(1, ThreadPool::threads);
        let mut time = TimeManager::start(&limits, self.params.values(), threads);
        if legal_moves(game.rules(), game.position()).is_empty() {
            let result = finished(game, &time);
            report(&Report::Line(result.lines[0].clone()));
            hold_back(&limits, control);
            return Ok(result);
        }
        let other_rules = self.rules.replace(*game.rules()) != Some(*game.rules());
        let probe = self
            .tablebases
            .as_ref()
            .and_then(|tables| Probe::new(tables, self.probe, game.rules(), &limits));
        let network = self.evaluation.network_for(game.rules()).cloned();
        let centistones_per_unit = self.evaluation.centistones_per_unit(game.rules());
        let params = Arc::clone(&self.params);
        let (table, pool) = self.ready()?;
        if other_rules {
            pool.with_data(ThreadData::clear);
        }
        table.age();
        let alone =
            !limits.strength.is_full() || time.is_too_short_for_help() || control.is_stopped();
        let threads = if alone { 1 } else { pool.threads() };
        let search = Arc::new(Shared {
            cooperation: Cooperation::new(threads, limits.multipv),
            game: game.clone(),
            limits,
            table: Arc::clone(table),
            network,
            probe,
            params,
            centistones_per_unit,
            stop: AtomicBool::new(false),
            deadline: time.deadline().map_or_else(OnceLock::new, OnceLock::from),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
        });
        let known = search.probe.as_ref();
        let lines = if let Some(lines) = known.and_then(|probe| probe.root(game, &search.limits)) {
            search
                .tablebase_hits
                .store(lines.len() as u64, Ordering::Relaxed);
            lines
        } else {
            // Whatever happens to this thread: the others, which have no clock, are stopped.
            let (_running, data) = pool.start(&search);
            let main = MainThread {
                time: &mut time,
                control,
                report,
            };
            let first = search_on_this_thread(&search, 0, Some(main), data);
            conclude(&search, first)
        };
        let result = tell(&search, &lines, time.elapsed(), report);
        hold_back(&search.limits, control);
        Ok(result)
    }
}

/// Waits where the result is not wanted yet.
fn hold_back(limits: &Limits, control: &Control) {
    control.wait_until(|control| {
        control.is_stopped() || !(limits.infinite || limits.ponder && !control.is_ponderhit())
    });
}

/// The result where there is no legal move.
fn finished(game: &Game, time: &TimeManager) -> SearchResult {
    let position = game.position();
    let score = if position.own().is_empty() {
        Score::loss_in(0)
    } else if position.enemy().is_empty() {
        Score::win_in(0)
    } else if game.rules().blocked == Blocked::Loss {
        Score::loss_in(0)
    } else {
        Score::DRAW
    };
    let line = Line {
        depth: 0,
        seldepth: 0,
        complete: true,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: time.elapsed(),
        tablebase_hits: 0,
        hashfull: 0,
        pv: Vec::new(),
    };
    SearchResult {
        best: None,
        ponder: None,
        time: line.time,
        lines: vec![line],
        nodes: 0,
    }
}

/// The final lines of all threads.
fn conclude(search: &Shared, first: Found) -> Vec<RootLine> {
    let all: Vec<Arc<Found>> = once(Arc::new(first))
        .chain(search.cooperation.others(0))
        .collect();
    let mut lines = vote(&all, &search.limits).lines.clone();
    if let Some(probe) = &search.probe {
        for line in &mut lines {
            probe.extend(&search.game, &mut line.line);
        }
    }
    lines
}

/// Tells the final lines, and makes a result of them.
fn tell(
    search: &Shared,
    lines: &[RootLine],
    elapsed: Duration,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let lines: Vec<Line> = lines
        .iter()
        .enumerate()
        .map(|(rank, line)| line.told(rank, search, elapsed))
        .collect();
    for line in &lines {
        report(&Report::Line(line.clone()));
    }
    let pv = &lines[0].pv;
    SearchResult {
        best: pv.first().copied(),
        ponder: pv.get(1).copied(),
        nodes: search.nodes.load(Ordering::Relaxed),
        time: elapsed,
        lines,
    }
}
