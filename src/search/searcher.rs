//! The way into the search.

use std::iter::{repeat_with, zip};
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use super::clock::SearchClock;
use super::guide::Guide;
use super::misjudgement::Misjudging;
use super::run::{finished, hold_back, run};
use super::table::Table;
use super::tablebases::{Probe, ProbeSettings};
use super::worker::{MAX_PLY, Memory};
use super::{Control, Limits, Parameters, Report, SearchCounts, SearchResult};
use crate::eval::{Evaluation, Evaluator, HandMade, NetworkEvaluator};
use crate::network::{Accumulators, Network};
use crate::rules::{Game, Rules, legal_moves, with_variant};
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
        error: rayon::ThreadPoolBuildError,
    },
}

/// Owns what outlives a search: the transposition table, the threads, what they have learned.
pub struct Searcher {
    table: Option<Table>,
    crew: Option<Crew>,
    /// The rules of the last search: what was learned under others is of no use.
    rules: Option<Rules>,
    tablebases: Option<Arc<Tablebases>>,
    probe: ProbeSettings,
    evaluation: Evaluation,
    /// The numbers that guide it.
    guide: Arc<Guide>,
}

/// The threads, and what each of them remembers.
struct Crew {
    pool: ThreadPool,
    memories: Vec<Memory>,
    /// For each thread, what its network remembers; made when it is first needed.
    accumulators: Vec<Option<Accumulators>>,
}

impl Crew {
    fn new(threads: usize) -> Result<Crew, SearchError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search-{index}"))
            .build()
            .map_err(|error| SearchError::Threads { threads, error })?;
        let memories = repeat_with(Memory::new).take(threads).collect();
        let accumulators = repeat_with(|| None).take(threads).collect();
        Ok(Crew {
            pool,
            memories,
            accumulators,
        })
    }
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
            crew: None,
            rules: None,
            tablebases: None,
            probe: ProbeSettings::default(),
            evaluation: Evaluation::default(),
            guide: Arc::new(Guide::new(Parameters::STANDARD)),
        }
    }

    /// Sets the number of threads (1 to [`MAX_THREADS`]; values outside are brought inside).
    ///
    /// # Errors
    ///
    /// If the threads cannot be started; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SearchError> {
        let threads = threads.clamp(1, MAX_THREADS);
        let current = self.crew.as_ref().map(|crew| crew.memories.len());
        if current != Some(threads) {
            self.crew = Some(Crew::new(threads)?);
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
        let table = Table::new(mib).ok_or(SearchError::Memory { mib })?;
        self.table = Some(table);
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

    /// Sets the numbers that guide the search. Forgets everything learned under others.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.guide = Arc::new(Guide::new(parameters));
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
    fn ready(&mut self) -> Result<(&mut Table, &mut Crew), SearchError> {
        if self.table.is_none() {
            self.set_hash(Searcher::DEFAULT_HASH_MIB)?;
        }
        if self.crew.is_none() {
            self.set_threads(1)?;
        }
        match (&mut self.table, &mut self.crew) {
            (Some(table), Some(crew)) => Ok((table, crew)),
            _ => unreachable!("both have just been made"),
        }
    }

    /// Forgets everything learned: empties the table and the threads' statistics.
    pub fn clear(&mut self) {
        if let Some(crew) = &mut self.crew {
            crew.memories.iter_mut().for_each(Memory::clear);
            if let Some(table) = &mut self.table {
                crew.pool.install(|| table.clear());
            }
        } else if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// What all threads have counted since they were started; `None` in a build without the feature
    /// `stats`, which counts nothing.
    #[must_use]
    pub fn counts(&self) -> Option<SearchCounts> {
        let mut sum = SearchCounts::default();
        for memory in self.crew.iter().flat_map(|crew| &crew.memories) {
            sum.add(memory.counters.counts()?);
        }
        cfg!(feature = "stats").then_some(sum)
    }

    /// Searches the current position of `game`. Blocks until the search is done; `report` is called
    /// on this thread. Also searches games that have ended by repetition or by the limit; without a
    /// legal move the result has no best move and one line with an empty `pv`.
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
        let strength = limits.strength;
        let limits = &Limits {
            multipv: match strength.is_full() {
                true => limits.multipv,
                false => 1,
            },
            ..limits.clone()
        };
        let clock = SearchClock::start(limits, &self.guide.parameters);
        let result = if legal_moves(game.rules(), game.position()).is_empty() {
            let result = finished(game, &clock);
            report(&Report::Line(result.lines[0].clone()));
            hold_back(limits, control);
            report(&Report::Result(result.clone()));
            result
        } else {
            let other_rules = self.rules.replace(*game.rules()) != Some(*game.rules());
            let probe = self
                .tablebases
                .as_ref()
                .and_then(|tables| Probe::new(tables, self.probe, game.rules(), limits));
            let network = self.evaluation.network_for(game.rules()).cloned();
            let unit = self.evaluation.shown_unit(game.rules());
            let guide = Arc::clone(&self.guide);
            let (table, crew) = self.ready()?;
            if other_rules {
                crew.memories.iter_mut().for_each(Memory::clear);
            }
            table.age();
            let Crew {
                pool,
                memories,
                accumulators,
            } = crew;
            match network {
                // One search for all rules: it is slower, which nobody notices in so few nodes.
                _ if !strength.is_full() => {
                    let variant = *game.rules();
                    let sound: Box<dyn Evaluator + Send> = match &network {
                        Some(network) => Box::new(by_network(network, &mut accumulators[0])),
                        None => Box::new(HandMade::new(game.rules(), variant)),
                    };
                    let minds = vec![(&mut memories[0], Misjudging::new(sound, strength))];
                    run(
                        variant, table, pool, minds, unit, probe, game, limits, control, clock,
                        &guide, report,
                    )
                }
                Some(network) => with_variant!(game.rules(), |variant| {
                    let evaluators = accumulators.iter_mut().map(|one| by_network(&network, one));
                    let minds = zip(memories, evaluators).collect();
                    run(
                        variant, table, pool, minds, unit, probe, game, limits, control, clock,
                        &guide, report,
                    )
                }),
                None => with_variant!(game.rules(), |variant| {
                    let by_hand = || HandMade::new(game.rules(), variant);
                    let minds = zip(memories, repeat_with(by_hand)).collect();
                    run(
                        variant, table, pool, minds, unit, probe, game, limits, control, clock,
                        &guide, report,
                    )
                }),
            }
        };
        Ok(result)
    }
}

/// The evaluation by a network for one thread.
fn by_network<'a>(
    network: &'a Network,
    accumulators: &'a mut Option<Accumulators>,
) -> NetworkEvaluator<'a> {
    let new = || Accumulators::new(network, MAX_PLY + 1);
    NetworkEvaluator::new(network, accumulators.get_or_insert_with(new))
}
