//! State of one search thread, and its communication with the others.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustc_hash::FxBuildHasher;

use super::draw::damped;
use super::history::History;
use super::movepick::{MovePicker, MoveScorer, ScoredMove};
use super::params::{CONTEMPT_STONES, Params};
use super::strength::NoisyEvaluator;
use super::tablebases::Probe;
use super::threads::ThreadResults;
use super::time::{LEAST_NODES, TimeManager};
use super::tt::{TranspositionTable, TtData};
use super::{Control, Limits, Line, Report};
use crate::board::{Move, Position};
use crate::buckets::Buckets;
use crate::eval::{Evaluator, HandMade, MOST_EVALUATION};
use crate::instant::Instant;
use crate::network::{Accumulators, Network};
use crate::rules::{Game, MoveList, Rules, Variant, with_variant};

/// The maximum ply, quiescence included.
pub(super) const MAX_PLY: usize = 256;

/// State of one search, shared by all its threads.
pub(super) struct Shared {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) table: Arc<TranspositionTable>,
    /// Evaluation network; `None` for the hand-made evaluation.
    pub(super) network: Option<Arc<Network>>,
    pub(super) probe: Option<Probe>,
    pub(super) params: Arc<Params>,
    /// Centi-stones reported for each unit of the evaluation.
    pub(super) centistones_per_unit: f32,
    pub(super) results: ThreadResults,
    /// Set when any limit is reached.
    pub(super) stop: AtomicBool,
    /// Whether the prover has found a win or loss within [`Limits::mate`] plies; empty until it knows, and without a prover.
    pub(super) verdict: OnceLock<bool>,
    /// Hard deadline, once known. Polled by all threads: with more threads than processors, the main
    /// thread, which has the clock, may not be running.
    pub(super) deadline: OnceLock<Instant>,
    /// Nodes of all threads, as last published.
    pub(super) nodes: AtomicU64,
    /// Tablebase hits of all threads, as last published.
    pub(super) tablebase_hits: AtomicU64,
}

impl Shared {
    /// A line as reported; `rank` counts from 0.
    pub(super) fn reported(&self, rank: usize, line: &Line, time: Duration) -> Line {
        Line {
            seldepth: line.seldepth.max(line.depth),
            multipv: rank + 1,
            score: line.score.shown(self.centistones_per_unit),
            nodes: self.nodes.load(Ordering::Relaxed),
            time,
            tablebase_hits: self.tablebase_hits.load(Ordering::Relaxed),
            hashfull: self.table.hashfull(),
            ..line.clone()
        }
    }
}

pub(super) struct MainThread<'a> {
    pub(super) time: &'a mut TimeManager,
    pub(super) control: &'a Control,
    pub(super) report: &'a mut dyn FnMut(&Report),
}

/// Data that a thread keeps between searches; aligned to avoid false sharing.
#[repr(align(128))]
pub(super) struct ThreadData {
    pub(super) history: History,
    pub(super) frames: Vec<Frame>,
    /// Allocated on first use.
    pub(super) accumulators: Option<Accumulators>,
}

impl ThreadData {
    pub(super) fn new() -> ThreadData {
        ThreadData {
            history: History::new(),
            frames: std::iter::repeat_with(Frame::default)
                .take(MAX_PLY + 2)
                .collect(),
            accumulators: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        for frame in &mut self.frames {
            frame.killers = [None; 2];
        }
    }
}

/// Runs one thread's part of a search. Only the first thread has `main`.
pub(super) fn search_on_this_thread(
    shared: &Shared,
    index: usize,
    main: Option<MainThread<'_>>,
    data: &mut ThreadData,
) -> Vec<Line> {
    let rules = shared.game.rules();
    let strength = shared.limits.strength;
    let mut accumulators = shared.network.as_ref().map(|network| {
        let new = || Accumulators::new(network, MAX_PLY + 1);
        data.accumulators.take().unwrap_or_else(new)
    });
    let network = shared.network.as_deref().zip(accumulators.as_mut());
    let found = match network {
        // Not specialised by variant: slower, but the node count is small.
        _ if !strength.is_full() => {
            let sound: Box<dyn Evaluator + '_> = match network {
                Some(network) => Box::new(network),
                None => Box::new(HandMade::new(rules, *rules)),
            };
            let evaluator = NoisyEvaluator::new(sound, strength);
            Worker::new(shared, index, main, *rules, evaluator, data).iterate()
        }
        Some(network) => with_variant!(rules, |variant| {
            Worker::new(shared, index, main, variant, network, data).iterate()
        }),
        None => with_variant!(rules, |variant| {
            let evaluator = HandMade::new(rules, variant);
            Worker::new(shared, index, main, variant, evaluator, data).iterate()
        }),
    };
    if accumulators.is_some() {
        data.accumulators = accumulators;
    }
    found
}

/// State of one ply of the path being searched.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) moves: MoveList,
    /// Moves to search, scored; in search order as far as they have been picked.
    pub(super) scored: Vec<ScoredMove>,
    pub(super) killers: [Option<Move>; 2],
    /// The move being searched.
    pub(super) current: Option<Move>,
    /// Principal variation from this ply.
    pub(super) pv: Vec<Move>,
}

/// One thread of a search.
pub(super) struct Worker<'a, 'm, V, E> {
    pub(super) shared: &'a Shared,
    pub(super) table: &'a TranspositionTable,
    /// 0 for the main thread.
    pub(super) index: usize,
    pub(super) main: Option<MainThread<'m>>,
    pub(super) rules: &'a Rules,
    pub(super) variant: V,
    pub(super) evaluator: E,
    pub(super) data: &'a mut ThreadData,
    pub(super) params: &'a Params,
    /// Separates entries of different rules, of limited strength, of contempt, and of games that other positions end.
    rules_key: u64,
    /// Contempt of the side to move at the root, in units of the search for each stone.
    contempt: i32,
    /// Depth of the current iteration, in plies.
    pub(super) iteration: usize,
    /// Position keys of the game since its last capture, then of the path being searched.
    pub(super) keys: Vec<u64>,
    /// Number of keys that belong to the game, the root included.
    pub(super) game_keys: usize,
    pub(super) nodes: u64,
    tablebase_hits: u64,
    /// Nodes and tablebase hits already published.
    published: [u64; 2],
    pub(super) seldepth: usize,
    /// Work left until limits are checked again, how much it was, and when they were checked last.
    countdown: i64,
    interval: i64,
    looked: Instant,
    pub(super) stopped: bool,
    /// Whether it stopped only because another thread completed the current iteration.
    overtaken: bool,
}

/// Work between two checks of clock and flags: nodes, and moves generated for them.
const POLL_INTERVAL: i64 = 1024;

/// The least such interval: at the beginning, and where one has taken longer than `SLOW`. The system may take 0.4 ms
/// for each page of a large table, the first time that it is used.
const LEAST_INTERVAL: i64 = 32;
const SLOW: Duration = Duration::from_millis(1);

impl<'a, 'm, V: Variant, E: Evaluator> Worker<'a, 'm, V, E> {
    pub(super) fn new(
        shared: &'a Shared,
        index: usize,
        main: Option<MainThread<'m>>,
        variant: V,
        evaluator: E,
        data: &'a mut ThreadData,
    ) -> Worker<'a, 'm, V, E> {
        let game = &shared.game;
        let keys = game.keys_since_capture().to_vec();
        data.history.fade();
        let most = Limits::MAX_CONTEMPT;
        let contempt = shared.limits.contempt.clamp(-most, most) as f32;
        // A win found before may lead through positions that end the game by now.
        let ends = game.ending_keys().into_iter();
        let ends = ends.fold(0, |ends, key| ends ^ FxBuildHasher.hash_one(key));
        let mut worker = Worker {
            shared,
            table: &shared.table,
            index,
            main,
            rules: game.rules(),
            variant,
            evaluator,
            data,
            params: &shared.params,
            rules_key: FxBuildHasher.hash_one(game.rules()) ^ shared.limits.strength.salt() ^ ends,
            contempt: (contempt / shared.centistones_per_unit).round() as i32,
            iteration: 0,
            game_keys: keys.len(),
            keys,
            nodes: 0,
            tablebase_hits: 0,
            published: [0; 2],
            seldepth: 0,
            countdown: 0,
            interval: LEAST_INTERVAL,
            looked: Instant::now(),
            stopped: false,
            overtaken: false,
        };
        if worker.contempt != 0 {
            let root_side = game.position().side().index();
            worker.rules_key ^= FxBuildHasher.hash_one((worker.contempt, root_side));
        }
        worker
    }

    /// Plays `mv` at `ply`, counts a node and returns the next position. Undone by [`Worker::unmake`].
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let next = position.play(mv);
        self.keys.push(self.variant.key(&next));
        self.table.buckets.prefetch(self.table_key(&next, ply + 1));
        self.data.frames[ply].current = Some(mv);
        self.nodes += 1;
        next
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
    }

    /// The next move of a node; `previous` are the moves one and two plies earlier.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        previous: [Option<Move>; 2],
        ply: usize,
    ) -> Option<Move> {
        let (history, parameters) = (&self.data.history, self.params.values());
        picker.next(&mut self.data.frames[ply], |killers| {
            MoveScorer::new(history, position, parameters, previous, killers)
        })
    }

    /// Prefetches the table entry of the next move while the current one is searched. Without this the
    /// search spends a third of its time waiting for the table.
    #[inline]
    pub(super) fn prefetch_next(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        ply: usize,
    ) {
        if Buckets::PREFETCHES
            && let Some(mv) = picker.peek(&mut self.data.frames[ply])
        {
            // Near the no-capture limit the actual key differs; then the prefetch is wasted.
            let key = self.variant.key(&position.play(mv)) ^ self.rules_key;
            self.table.buckets.prefetch(key);
        }
    }

    /// The table key of `position`, `ply` plies from the root. Where this iteration can reach the
    /// no-capture limit, the plies left until then are part of the key.
    #[inline]
    pub(super) fn table_key(&self, position: &Position, ply: usize) -> u64 {
        let key = self.keys[self.keys.len() - 1] ^ self.rules_key;
        let quiet = usize::from(position.halfmove_clock());
        let limit = usize::from(self.rules.limit);
        let sight = self.iteration.saturating_sub(ply);
        if limit != 0 && quiet + sight >= limit {
            let left = limit.saturating_sub(quiet) as u64;
            key ^ (left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
        } else {
            key
        }
    }

    /// Checks the limits periodically; `work` is the work done since the last call.
    #[inline]
    pub(super) fn poll(&mut self, work: usize) -> bool {
        self.countdown -= 1 + work as i64;
        if self.countdown <= 0 {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    pub(super) fn check_limits(&mut self) {
        let now = Instant::now();
        let is_slow = now - std::mem::replace(&mut self.looked, now) > SLOW;
        self.interval = match is_slow {
            true => LEAST_INTERVAL,
            false => POLL_INTERVAL.min(2 * self.interval),
        };
        self.countdown = self.interval;
        self.publish_progress();
        let limits = &self.shared.limits;
        // The clock, a stop and the node limit of limited strength apply after the first iteration. At limited strength the
        // clock and a stop end it, too: it may take long, as misjudged positions do not become quiet.
        let thinks_ahead = self.iteration > 1;
        let (strength, nodes) = (limits.strength.nodes(), &self.shared.nodes);
        let nodes = nodes.load(Ordering::Relaxed);
        for (limit, holds) in [(limits.nodes, true), (strength, thinks_ahead)] {
            let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(nodes));
            if left == 0 && holds {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            // Every node polls, so a single thread stops at the exact node.
            self.countdown = self.countdown.min(i64::try_from(left).unwrap_or(i64::MAX));
        }
        let is_over = match &mut self.main {
            Some(MainThread { time, control, .. }) => {
                let may_end = thinks_ahead || !limits.strength.is_full();
                // It may come long after the iteration that would have been the last.
                let is_past = |mate| self.iteration > mate as usize;
                let is_deep = limits.mate.is_some_and(is_past);
                let verdict = self.shared.verdict.get();
                let is_settled = verdict.is_some_and(|&is_found| is_found || is_deep);
                let is_over =
                    may_end && (time.is_over(control, nodes) || control.is_stopped() || is_settled);
                if let Some(deadline) = time.deadline() {
                    // Known from the start, except after pondering.
                    self.shared.deadline.get_or_init(|| deadline);
                }
                is_over
            }
            None => {
                let deadline = self.shared.deadline.get();
                // Where threads adopt results, the first iteration is anybody's.
                let results = &self.shared.results;
                let is_enough = limits.clock.is_none() || nodes >= LEAST_NODES;
                deadline.is_some_and(|&deadline| now >= deadline && is_enough)
                    && (results.completed() > 0 || !results.takes_over)
            }
        };
        if is_over {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let is_stopped = self.shared.stop.load(Ordering::Relaxed);
        self.overtaken = !is_stopped && self.shared.results.is_overtaken(self.iteration as i32);
        self.stopped |= is_stopped || self.overtaken;
    }

    /// Resumes a thread that was stopped only because it was overtaken; returns whether it was.
    pub(super) fn resume(&mut self) -> bool {
        let goes_on = std::mem::take(&mut self.overtaken);
        self.stopped = !goes_on;
        goes_on
    }

    /// The table's entry of `position`.
    #[inline]
    pub(super) fn probe(&self, key: u64, position: &Position, ply: usize) -> Option<TtData> {
        self.table.probe(key, ply, || match self.rules.limit {
            0 => i32::MAX,
            limit => i32::from(limit) - i32::from(position.halfmove_clock()),
        })
    }

    /// Publishes the counts of this thread.
    pub(super) fn publish_progress(&mut self) {
        let [nodes, hits] =
            std::mem::replace(&mut self.published, [self.nodes, self.tablebase_hits]);
        let shared = self.shared;
        shared
            .nodes
            .fetch_add(self.nodes - nodes, Ordering::Relaxed);
        if self.tablebase_hits != hits {
            let new = self.tablebase_hits - hits;
            shared.tablebase_hits.fetch_add(new, Ordering::Relaxed);
        }
    }

    /// Reports a line; does nothing unless this is the main thread.
    pub(super) fn report_line(&mut self, rank: usize, line: &Line) {
        if let Some(time) = self.elapsed() {
            self.publish_progress();
            self.report(&Report::Line(self.shared.reported(rank, line, time)));
        }
    }

    /// Time since the search began; `None` unless this is the main thread.
    pub(super) fn elapsed(&self) -> Option<Duration> {
        self.main.as_ref().map(|main| main.time.elapsed())
    }

    /// Reports; does nothing unless this is the main thread.
    pub(super) fn report(&mut self, report: &Report) {
        if let Some(main) = &mut self.main {
            (main.report)(report);
        }
    }

    /// Static evaluation: `known` from the table, or computed.
    #[inline(always)]
    pub(super) fn static_evaluation(
        &mut self,
        position: &Position,
        ply: usize,
        known: Option<i32>,
    ) -> i32 {
        if let Some(evaluation) = known {
            return evaluation;
        }
        self.evaluator.evaluate(position, ply)
    }

    /// A static evaluation corrected by the correction history, then scaled towards a draw (see [`damped`]), and with
    /// contempt. Table entries keep the evaluation as it was.
    #[inline(always)]
    pub(super) fn adjusted(&self, position: &Position, evaluation: i32, ply: usize) -> i32 {
        let percent = self.params.values().quiet_damping;
        let (history, previous) = (&self.data.history, self.previous(ply));
        let corrected = history.corrected(position, previous, evaluation);
        let value = damped(self.rules, position, corrected, percent);
        match self.contempt {
            0 => value,
            _ => self.with_contempt(position, value),
        }
    }

    /// An evaluation with what [`Limits::contempt`] adds for the side to move at the root.
    fn with_contempt(&self, position: &Position, value: i32) -> i32 {
        let stones = position.occupied().count().min(CONTEMPT_STONES);
        let bonus = self.contempt * stones as i32;
        let is_root_side = position.side() == self.shared.game.position().side();
        let bonus = if is_root_side { bonus } else { -bonus };
        (value + bonus).clamp(-MOST_EVALUATION, MOST_EVALUATION)
    }

    /// The move that led to `ply`; `None` at the root.
    #[inline(always)]
    pub(super) fn previous(&self, ply: usize) -> Option<Move> {
        self.data.frames[ply.checked_sub(1)?].current
    }

    /// Tablebase score of a position; `None` if it is not in the tablebases.
    #[inline]
    pub(super) fn tablebase_score(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let probe = self.shared.probe.as_ref()?;
        let score = probe.score(&self.variant, self.rules, position, depth, ply)?;
        self.tablebase_hits += 1;
        Some(score)
    }
}
