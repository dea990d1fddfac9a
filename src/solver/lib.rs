//! The solver of Vato: proves whether a side can force a win, and makes and checks what proofs are kept in.
//!
//! [`Solver::can_win`] answers one question: can this side, the *attacker*, force a win from this position, or can the
//! *defender* prevent it? [`Solver::value`] asks it for both sides. The search is a proof-number search with endgame
//! tables at the leaves, which are reached by captures. Its result counts only if the positions of the proof form a
//! closed set: a [`Certificate`], which [`verify_certificate`] checks by the rules and the tables alone.
//! Repetition and the no-capture limit draw, which is no win: both help the defender. [`make_strategy`] makes of
//! certificates a reply for each position that one side's own play leads to.
//!
//! Rules without tables (`tie=count`, `blocked=pass`, `repeat=1`, the vela) are not supported.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use vato_engine::board::Side;
//! use vato_engine::rules::{Game, parse_rules};
//! use vato_engine::tablebase::{TableFolders, Tablebases, Wdl};
//! use vato_solver::{Solver, tables::for_solving};
//!
//! let rules = parse_rules("board=5x3")?;
//! let tables = for_solving(&rules, &TableFolders::auto(), Some(4), &|| true)?;
//! let solver = Solver::new(&rules, Arc::new(tables), 16, 1)?;
//! let stop = AtomicBool::new(false);
//! let solution = solver.value(&Game::new(rules), None, u64::MAX, &stop, &mut |_| {})?;
//! assert_eq!(solution.value(Side::White), Some(Wdl::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine reads all of this (`vato_engine::proofs`), and needs nothing of this crate. Nothing here reads standard
//! input or prints.

#![cfg_attr(
    not(test),
    deny(clippy::exit, clippy::print_stderr, clippy::print_stdout)
)]

mod certify;
mod checkpoint;
pub mod conditions;
pub mod files;
mod groups;
mod initial_numbers;
mod proof_table;
mod search;
mod strategy;
pub mod tables;
mod tree;
mod value;
mod verify;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use thiserror::Error;
use vato_engine::board::{Position, Side};
use vato_engine::container::ContainerError;
use vato_engine::memory::ResourceError;
use vato_engine::proofs::{Claim, Record, require_rules};
use vato_engine::rules::{Game, Rules};
use vato_engine::tablebase::Tablebases;

pub use self::certify::Certificate;
pub use self::strategy::{StrategyReport, make_strategy, verify_strategy};
pub use self::value::{Asked, Solution};
pub use self::verify::{Faults, verify_certificate};

use self::certify::certify;
use self::proof_table::Status;
use self::search::{ProofState, Prover};
use crate::tree::Tree;

/// Bytes of stack of a search thread, which recurses as deep as the longest line; the system provides pages when they
/// are used.
const STACK_BYTES: usize = 1 << 29;

/// Why a question cannot be asked or answered.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The rules are not supported, or the tables under these rules.
    #[error("{0}")]
    Unsupported(String),
    /// No memory for the table.
    #[error(transparent)]
    Memory(#[from] ResourceError),
    /// The positions of the proof do not form a closed set.
    #[error(
        "the proof is incomplete: an error of the memory, of the checkpoint, or of this program"
    )]
    Open,
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A checkpoint cannot be read or written, or does not fit the solver.
    #[error(transparent)]
    Checkpoint(#[from] ContainerError),
}

/// Progress of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes searched for it.
    pub nodes: u64,
    /// Proof number of the root, an estimate of the work to prove a win.
    pub proof: u32,
    /// Disproof number of the root, an estimate of the work to disprove one.
    pub disproof: u32,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Settled by a certificate, which has the claim.
    Settled(Certificate),
    /// Settled without a certificate: the game is over, the position is in the tables, or the answer depends on the
    /// game before, by the no-capture limit or by repetition, which certificates do not include.
    Known(Claim),
    /// Not settled before the limit of nodes or the stop.
    Unknown,
}

impl Answer {
    /// The claim, if the question is settled.
    pub fn claim(&self) -> Option<Claim> {
        match self {
            Answer::Settled(certificate) => Some(certificate.header.claim),
            Answer::Known(claim) => Some(*claim),
            Answer::Unknown => None,
        }
    }
}

/// Answers questions. Its proof table is kept between them, which helps if the attacker is the same.
pub struct Solver {
    rules: Rules,
    tables: Arc<Tablebases>,
    threads: usize,
    shared: ProofState,
}

impl Solver {
    /// A solver with a proof table of `hash_mib` MiB and this number of threads (1 to 1,024).
    ///
    /// # Errors
    ///
    /// If the rules or the tables are not supported, or there is no memory for the table.
    pub fn new(
        rules: &Rules,
        tables: Arc<Tablebases>,
        hash_mib: usize,
        threads: usize,
    ) -> Result<Solver, SolveError> {
        require_rules(rules).map_err(SolveError::Unsupported)?;
        if !tables.fit(rules) {
            let what = "the tables are not for these rules".to_owned();
            return Err(SolveError::Unsupported(what));
        }
        // A win in the tables may take longer than the no-capture limit.
        let (limit, longest) = (rules.limit, tables.longest());
        if limit != 0 && longest > u32::from(limit) {
            return Err(SolveError::Unsupported(format!(
                "the tables have conversions of {longest} plies, more than limit={limit} allows; where the program has \
                 no tables of its own, fewer --stones may help"
            )));
        }
        let threads = threads.clamp(1, 1024);
        let no_memory = ResourceError::Memory(hash_mib);
        let shared = ProofState::new(rules, hash_mib, threads).ok_or(no_memory)?;
        Ok(Solver {
            rules: *rules,
            tables,
            threads,
            shared,
        })
    }

    /// Nodes searched for all questions.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Proof and disproof number of the question that was searched last.
    pub fn numbers(&self) -> [u32; 2] {
        (self.shared.root.each_ref()).map(|number| number.load(Ordering::Relaxed))
    }

    /// Whether `attacker` can force a win from the current position of `game`. Ends when about `limit` nodes have been
    /// searched or `stop` is set. `tell` is called with the progress every few milliseconds. With one thread the search
    /// is deterministic unless `stop` is set.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started, or the proof is incomplete.
    pub fn can_win(
        &self,
        game: &Game,
        attacker: Side,
        limit: u64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Answer, SolveError> {
        let (position, rules) = (game.position(), &self.rules);
        if let Some(outcome) = game.outcome() {
            let claim = Claim::of(outcome.winner == Some(attacker));
            return Ok(Answer::Known(claim));
        }
        let drawing_keys = drawing_keys(game);
        let by_tables = self.claim_by_tables(position, attacker);
        if let Some(claim) = by_tables
            && (claim == Claim::CannotWin || drawing_keys.is_empty())
        {
            return Ok(Answer::Known(claim));
        }
        let shared = &self.shared;
        let limit = self.nodes().saturating_add(limit);
        let mut tree = Tree::new(rules, &self.tables, attacker);
        let mut bound = u32::MAX;
        // First without the game before and the no-capture limit: such a proof holds for every game. Only if it is a
        // win that these may turn into a draw, again with them.
        for with_game in [false, true] {
            if with_game {
                if rules.limit != 0 {
                    tree.limit = rules.limit.into();
                    bound = u32::from(rules.limit - position.halfmove_clock());
                }
                tree.drawing_keys.clone_from(&drawing_keys);
                tree.drawing_stones = position.occupied().count();
            } else if by_tables.is_some() {
                continue;
            }
            let root = tree.node(position);
            let search = |thread| {
                let status = Prover::new(shared, &tree, thread).settle(root, bound);
                shared.stop.store(true, Ordering::Relaxed);
                (!matches!(status, Status::Open { .. })).then_some(status)
            };
            let settled = self.run_threads(0..self.threads, limit, stop, tell, search)?;
            let rank = match (settled.into_iter().flatten().next(), with_game) {
                (None, _) => return Ok(Answer::Unknown),
                (Some(Status::Proven { rank }), _) if drawing_keys.is_empty() => Some(rank),
                (Some(Status::Proven { .. }), false) => continue,
                // Certificates do not include the game before.
                (Some(Status::Proven { .. }), true) => return Ok(Answer::Known(Claim::Wins)),
                (Some(_), true) => return Ok(Answer::Known(Claim::CannotWin)),
                (Some(_), false) => None,
            };
            let certify = |thread| {
                let mut worker = Prover::new(shared, &tree, thread);
                certify(&mut worker, &tree, position, rank)
            };
            // On a thread of its own with the same stack, as it may search again.
            let own = self.threads..self.threads + 1;
            let certified = self.run_threads(own, u64::MAX, stop, tell, certify)?;
            let is_in_time = |record: &Record| {
                let before = u16::from(record.node == root) * position.halfmove_clock();
                rules.limit == 0 || record.rank + u32::from(before) <= rules.limit.into()
            };
            match certified.into_iter().flatten().next() {
                Some(certificate) if certificate.records.iter().all(is_in_time) => {
                    return Ok(Answer::Settled(certificate));
                }
                Some(_) => {}
                None if stop.load(Ordering::Relaxed) => return Ok(Answer::Unknown),
                None => return Err(SolveError::Open),
            }
        }
        Err(SolveError::Open)
    }

    /// Runs `work` on a thread for each of these numbers and returns the results. The search is stopped when a thread
    /// ends or cannot be started, or when [`Solver::nodes`] reaches `limit`. A panic is propagated.
    fn run_threads<T: Send>(
        &self,
        numbers: Range<usize>,
        limit: u64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
        work: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let (shared, work) = (&self.shared, &work);
        shared.stop.store(false, Ordering::Relaxed);
        shared.limit.store(limit, Ordering::Relaxed);
        thread::scope(|scope| {
            let start = |number| {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, move || work(number))
            };
            let threads: Result<Vec<ScopedJoinHandle<T>>, _> = numbers.map(start).collect();
            let threads = threads.map_err(|error| {
                shared.stop.store(true, Ordering::Relaxed);
                SolveError::Thread(error)
            })?;
            let mut report = || {
                let (nodes, [proof, disproof]) = (self.nodes(), self.numbers());
                tell(Progress {
                    nodes,
                    proof,
                    disproof,
                });
            };
            // Short at first, as small questions end soon.
            let mut pause = Duration::from_micros(50);
            while !threads.iter().all(|thread| thread.is_finished()) {
                thread::park_timeout(pause);
                pause = (2 * pause).min(Duration::from_millis(5));
                if stop.load(Ordering::Relaxed) || threads.iter().any(|thread| thread.is_finished())
                {
                    shared.stop.store(true, Ordering::Relaxed);
                }
                report();
            }
            // They may have ended since.
            report();
            let results: Result<_, _> = threads.into_iter().map(ScopedJoinHandle::join).collect();
            results.or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// The claim by the tables, if the position is in them; repetitions of the game before are not considered.
    fn claim_by_tables(&self, position: &Position, attacker: Side) -> Option<Claim> {
        if !self.tables.covers(&self.rules, position) {
            return None;
        }
        let value = self.tables.value(position)?;
        Some(
            match value.exceeds_limit(position.halfmove_clock(), self.rules.limit) {
                true => Claim::CannotWin,
                false => Claim::of_outcome(value.wdl, position.side(), attacker),
            },
        )
    }
}

/// The keys of positions of a game, without the current one, whose next occurrence is a draw.
fn drawing_keys(game: &Game) -> Vec<u64> {
    let keys = game.keys_since_capture();
    let times = |key| keys.iter().filter(|&&other| other == key).count();
    let repeat = usize::from(game.rules().repeat);
    let current = game.rules().key(game.position());
    let draws = |&key: &u64| repeat != 0 && times(key) + 1 >= repeat && key != current;
    keys.iter().copied().filter(draws).collect()
}

#[cfg(test)]
mod tests;
