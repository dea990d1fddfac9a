//! The entry point of the search.

use std::iter::once;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::params::Params;
use super::root::put_first;
use super::tablebases::Probe;
use super::threads::{ThreadPool, ThreadResults, vote};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{MainThread, Shared, ThreadData, search_on_this_thread};
use super::{Control, Limits, Line, Report, Score, SearchResult, SearchSettings, Strength, mate};
use crate::eval::Evaluation;
use crate::memory::ResourceError;
use crate::rules::{Game, Rules, blocked_winner, legal_moves};

/// Maximum size of the transposition table, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;
/// Maximum number of threads of a search.
pub const MAX_THREADS: usize = 1024;

/// Stack size of a searching thread, in bytes: the search recurses to the maximum ply, and the calling
/// thread searches too.
pub const STACK_BYTES: usize = 16 << 20;

/// Owns what persists between searches: transposition table, threads and their statistics. All of it is made when it is
/// first needed, and again when the settings ask for another size or number.
#[derive(Default)]
pub struct Searcher {
    /// The table, and the MiB that the settings asked for, which it may be smaller than.
    table: Option<(usize, Arc<TranspositionTable>)>,
    threads: Option<ThreadPool>,
    /// Rules and strength of the last search: statistics of others are invalid.
    learned_with: Option<(Rules, Strength)>,
    /// Of the last search: all results with others are invalid.
    made_with: Option<(Evaluation, Arc<Params>)>,
}

impl Searcher {
    /// A searcher without a table and threads.
    pub fn new() -> Searcher {
        Searcher::default()
    }

    /// Makes the table and the threads of these settings, unless there are such; clears what another evaluation or other
    /// parameters have left. Before a search that is ready for it, this does nothing.
    ///
    /// # Errors
    ///
    /// If there is not the memory, then there is no table, or threads cannot be started, then the old ones are kept.
    pub fn prepare(&mut self, settings: &SearchSettings) -> Result<(), ResourceError> {
        self.prepared(settings).map(|_| ())
    }

    /// As [`Searcher::prepare`], but where there is not the memory for a new table it has the half, the quarter, … of the
    /// size, and all of a new table is in memory. Returns the size in MiB if it is smaller.
    pub(crate) fn prepare_smaller(
        &mut self,
        settings: &SearchSettings,
    ) -> Result<Option<usize>, ResourceError> {
        // The table has what the threads leave.
        self.start_threads(settings)?;
        let wanted = settings.hash_mib.clamp(1, MAX_HASH_MIB);
        let mut mib = wanted;
        let old = self.table.as_ref().map(|(made, _)| *made);
        while let Err(error) = self.make_table(wanted, mib) {
            if mib == 1 {
                return Err(error);
            }
            mib /= 2;
        }
        let (table, pool, _) = self.prepared(settings)?;
        if old != Some(wanted) {
            table.touch(pool.threads());
        }
        Ok((mib < wanted).then_some(mib))
    }

    /// Starts the threads of these settings, unless there are as many.
    ///
    /// # Errors
    ///
    /// If they cannot be started; the old ones are kept.
    pub(crate) fn start_threads(&mut self, settings: &SearchSettings) -> Result<(), ResourceError> {
        let threads = settings.threads.clamp(1, MAX_THREADS);
        if self.threads.as_ref().map(ThreadPool::threads) != Some(threads) {
            let pool = ThreadPool::new(threads);
            self.threads =
                Some(pool.map_err(|error| ResourceError::Threads(threads, error.into()))?);
        }
        Ok(())
    }

    /// Frees the table; another one is made when it is needed.
    pub(crate) fn free_table(&mut self) {
        if let Some(pool) = &mut self.threads {
            // Helpers that have not stopped yet have it too.
            pool.with_data(|_| ());
        }
        self.table = None;
    }

    /// Makes a table of `mib` MiB, unless there is one for `wanted` MiB. The old one is freed first, so that there is
    /// room for the new one.
    fn make_table(&mut self, wanted: usize, mib: usize) -> Result<(), ResourceError> {
        if self.table.as_ref().is_some_and(|(made, _)| *made == wanted) {
            return Ok(());
        }
        self.free_table();
        let table = TranspositionTable::new(mib).ok_or(ResourceError::Memory(mib))?;
        self.table = Some((wanted, Arc::new(table)));
        Ok(())
    }

    /// The table and the threads for a search with these settings.
    fn prepared(
        &mut self,
        settings: &SearchSettings,
    ) -> Result<(&Arc<TranspositionTable>, &mut ThreadPool, &Arc<Params>), ResourceError> {
        self.start_threads(settings)?;
        let mib = settings.hash_mib.clamp(1, MAX_HASH_MIB);
        self.make_table(mib, mib)?;
        let is_same = |(evaluation, params): &(Evaluation, Arc<Params>)| {
            evaluation.is_same(&settings.evaluation)
                && params.values() == Params::in_force(&settings.parameters)
        };
        if !self.made_with.as_ref().is_some_and(is_same) {
            let params = Arc::new(Params::new(&settings.parameters));
            let made_with = (settings.evaluation.clone(), params);
            if self.made_with.replace(made_with).is_some() {
                self.clear();
            }
        }
        match (&self.table, &mut self.threads, &self.made_with) {
            (Some((_, table)), Some(threads), Some((_, params))) => Ok((table, threads, params)),
            _ => unreachable!("all have just been made"),
        }
    }

    /// Clears the transposition table and the threads' statistics.
    pub fn clear(&mut self) {
        if let Some(pool) = &mut self.threads {
            pool.with_data(ThreadData::clear);
        }
        if let Some((_, table)) = &self.table {
            table.clear(self.threads.as_ref().map_or(1, ThreadPool::threads));
        }
    }

    /// Searches the current position of `game`. Blocks until the search is done; `report` is called on this thread.
    /// Helper threads may still be stopping when it returns. Also searches games that have ended by repetition or
    /// by the limit; without a legal move the result has no best move and one line with an empty `pv`.
    ///
    /// A search of limited [strength](super::Strength) uses one thread, whatever the settings say.
    ///
    /// # Errors
    ///
    /// If memory or threads first needed now are not available.
    pub fn search(
        &mut self,
        settings: &SearchSettings,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, ResourceError> {
        let mut limits = limits.clone();
        if !limits.strength.is_full() {
            limits.multipv = 1;
        }
        let values = Params::in_force(&settings.parameters);
        let mut time = TimeManager::start(&limits, values, settings.threads.clamp(1, MAX_THREADS));
        if legal_moves(game.rules(), game.position()).is_empty() {
            let result = finished(game, &time);
            report(&Report::Line(result.lines[0].clone()));
            hold_back(&limits, control);
            return Ok(result);
        }
        let rules = game.rules();
        let probe = Probe::new(settings, rules, &limits);
        let evaluation = &settings.evaluation;
        let learned_with = (*rules, limits.strength);
        let are_others = self.learned_with.replace(learned_with) != Some(learned_with);
        let (table, pool, params) = self.prepared(settings)?;
        if are_others {
            pool.with_data(ThreadData::clear);
        }
        table.age();
        let alone =
            !limits.strength.is_full() || time.is_too_short_for_help() || control.is_stopped();
        let threads = if alone { 1 } else { pool.threads() };
        let search = Arc::new(Shared {
            results: ThreadResults::new(threads, limits.multipv),
            game: game.clone(),
            limits,
            table: Arc::clone(table),
            network: evaluation.network_for(rules).cloned(),
            probe,
            params: Arc::clone(params),
            centistones_per_unit: evaluation.centistones_per_unit(rules),
            stop: AtomicBool::new(false),
            verdict: OnceLock::new(),
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
            // Guard: stops the helpers, which have no clock, even if this thread panics.
            let (running, data) = pool.start(&search);
            let main = MainThread {
                time: &mut time,
                control,
                report,
            };
            let (first, mate) = thread::scope(|scope| {
                // Dropped before the scope waits for the prover, which has no clock either.
                let running = running;
                let (search, limits) = (&search, &search.limits);
                let prover = limits.mate.and_then(|plies| {
                    let find = move || {
                        let plies = plies.min(Score::MOST_PLIES as u32 - 1);
                        let find = || mate::find(&search.game, plies, limits, &search.stop);
                        // After a panic the search ends at the depth asked for.
                        let mate = catch_unwind(AssertUnwindSafe(find)).ok().flatten();
                        let is_found = matches!(mate, Some(Some(_)));
                        search.verdict.get_or_init(|| is_found);
                        mate
                    };
                    let prover = thread::Builder::new()
                        .stack_size(STACK_BYTES)
                        .spawn_scoped(scope, find);
                    let missing = |error| {
                        log::error!("go mate: not exact, cannot start a thread: {error}");
                        search.verdict.get_or_init(|| false);
                    };
                    prover.map_err(missing).ok()
                });
                let first = search_on_this_thread(search, 0, Some(main), data);
                drop(running);
                (first, prover.and_then(|prover| prover.join().ok()?))
            });
            if let (Some(None), Some(plies)) = (&mate, search.limits.mate) {
                report(&Report::NoMate(plies));
            }
            let mut lines = conclude(&search, first);
            if let Some(mate) = mate.flatten() {
                put_first(&mut lines, mate, search.limits.multipv.max(1));
            }
            lines
        };
        let elapsed = time.elapsed();
        let reported = |(rank, line)| search.reported(rank, line, elapsed);
        let lines: Vec<Line> = lines.iter().enumerate().map(reported).collect();
        for line in &lines {
            report(&Report::Line(line.clone()));
        }
        let result = SearchResult::of(lines, search.nodes.load(Ordering::Relaxed), elapsed);
        hold_back(&search.limits, control);
        Ok(result)
    }
}

fn hold_back(limits: &Limits, control: &Control) {
    control.wait_until(|control| {
        let ponders = limits.ponder && control.ponderhit_at().is_none();
        control.is_stopped() || !(limits.infinite || ponders)
    });
}

/// The result without a legal move.
fn finished(game: &Game, time: &TimeManager) -> SearchResult {
    let position = game.position();
    let score = match blocked_winner(game.rules(), position) {
        _ if position.own().is_empty() => Score::loss_in(0),
        _ if position.enemy().is_empty() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
        None => Score::DRAW,
    };
    SearchResult::unsearched(Vec::new(), score, time.elapsed())
}

/// The final lines of all threads.
fn conclude(search: &Shared, first: Vec<Line>) -> Vec<Line> {
    let all: Vec<Arc<[Line]>> = once(first.into()).chain(search.results.others(0)).collect();
    let mut lines = vote(&all, &search.limits).to_vec();
    if let Some(probe) = &search.probe {
        for line in &mut lines {
            probe.extend(&search.game, &mut line.pv);
        }
    }
    lines
}
