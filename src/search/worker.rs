//! One thread of a search: what it has, and how it keeps in touch with the others.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rustc_hash::FxBuildHasher;

use super::counters::{Counters, count};
use super::draw::damped;
use super::history::History;
use super::movepick::{MovePicker, MoveScorer, ScoredMove};
use super::params::Params;
use super::root::Found;
use super::strength::NoisyEvaluator;
use super::tablebases::Probe;
use super::threads::Cooperation;
use super::time::TimeManager;
use super::tt::{TranspositionTable, TtData};
use super::{Control, Limits, Report};
use crate::board::{Move, Position};
use crate::eval::{Evaluator, HandMade, NetworkEvaluator};
use crate::network::{Accumulators, Network};
use crate::rules::{Game, MoveList, Rules, Variant, with_variant};

/// The deepest ply, quiescence included.
pub(super) const MAX_PLY: usize = 256;

/// One search, as all its threads see it.
pub(super) struct Shared {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) table: Arc<TranspositionTable>,
    /// What evaluates; `None` for the hand-made evaluation.
    pub(super) network: Option<Arc<Network>>,
    /// Tablebases for this game.
    pub(super) probe: Option<Probe>,
    pub(super) params: Arc<Params>,
    /// Centi-stones shown for each unit that the evaluation counts in.
    pub(super) centistones_per_unit: f32,
    /// What the threads tell each other.
    pub(super) cooperation: Cooperation,
    /// Set when any limit is reached.
    pub(super) stop: AtomicBool,
    /// When the search must end, once that is known. All threads look at it: with more of them than
    /// processors the main one, which has the clock, may have to wait for its turn.
    pub(super) deadline: OnceLock<Instant>,
    /// Nodes of all threads, as far as they have told.
    pub(super) nodes: AtomicU64,
    /// Positions found in tablebases by all threads, as far as they have told.
    pub(super) tablebase_hits: AtomicU64,
}

/// What only the main thread of a search has.
pub(super) struct MainThread<'a> {
    pub(super) time: &'a mut TimeManager,
    pub(super) control: &'a Control,
    pub(super) report: &'a mut dyn FnMut(&Report),
}

/// What a thread keeps from search to search; on cache lines of its own.
#[repr(align(128))]
pub(super) struct ThreadData {
    pub(super) history: History,
    pub(super) frames: Vec<Frame>,
    pub(super) counters: Counters,
    /// Made when it is first needed.
    pub(super) accumulators: Option<Accumulators>,
}

impl ThreadData {
    pub(super) fn new() -> ThreadData {
        ThreadData {
            history: History::new(),
            frames: std::iter::repeat_with(Frame::default)
                .take(MAX_PLY + 2)
                .collect(),
            counters: Counters::default(),
            accumulators: None,
        }
    }

    /// Forgets everything learned.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        for frame in &mut self.frames {
            frame.killers = [None; 2];
        }
    }
}

/// One thread's part of a search, from its beginning to its end. Only the first thread has `main`.
pub(super) fn search_on_this_thread(
    shared: &Shared,
    index: usize,
    main: Option<MainThread<'_>>,
    data: &mut ThreadData,
) -> Found {
    let rules = shared.game.rules();
    let strength = shared.limits.strength;
    let mut accumulators = shared.network.as_ref().map(|network| {
        let new = || Accumulators::new(network, MAX_PLY + 1);
        data.accumulators.take().unwrap_or_else(new)
    });
    let network = shared.network.as_ref().zip(accumulators.as_mut());
    let network = network.map(|(network, sums)| NetworkEvaluator::new(network, sums));
    let found = match network {
        // One search for all rules: it is slower, which nobody notices in so few nodes.
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

/// What belongs to one ply of the path that is searched now.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) moves: MoveList,
    /// Those of them that are to be searched, in the order of their search as far as they were picked.
    pub(super) scored: Vec<ScoredMove>,
    pub(super) killers: [Option<Move>; 2],
    /// The move that is searched from here.
    pub(super) current: Option<Move>,
    /// The best line from here.
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
    /// Tells entries of different rules, and of limited strength, apart in the table.
    rules_key: u64,
    /// Depth of the iteration under way, in plies.
    pub(super) iteration: usize,
    /// Keys of the game's positions since its last capture, then of the path searched.
    pub(super) keys: Vec<u64>,
    /// How many of them belong to the game, the root included.
    pub(super) game_keys: usize,
    pub(super) nodes: u64,
    tablebase_hits: u64,
    /// The nodes and tablebase hits that the others have been told.
    told: [u64; 2],
    pub(super) seldepth: usize,
    /// Work left until limits are looked at again.
    countdown: i64,
    pub(super) stopped: bool,
    /// Whether it is stopped only because another thread has completed the iteration under way.
    overtaken: bool,
}

/// Work between two looks at clock and flags: nodes, and moves generated for them.
const POLL_INTERVAL: i64 = 1024;

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
        Worker {
            shared,
            table: &shared.table,
            index,
            main,
            rules: game.rules(),
            variant,
            evaluator,
            data,
            params: &shared.params,
            rules_key: FxBuildHasher.hash_one(game.rules()) ^ shared.limits.strength.salt(),
            iteration: 0,
            game_keys: keys.len(),
            keys,
            nodes: 0,
            tablebase_hits: 0,
            told: [0; 2],
            seldepth: 0,
            countdown: 0,
            stopped: false,
            overtaken: false,
        }
    }

    /// Plays `mv` at `ply`: the next position, counted as a node. Taken back by [`Worker::unmake`].
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let next = position.play(mv);
        self.keys.push(self.variant.key(&next));
        self.table.prefetch(self.table_key(&next, ply + 1));
        self.data.frames[ply].current = Some(mv);
        self.nodes += 1;
        next
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
    }

    /// The next move of a node, after the moves `previous` to it.
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

    /// Fetches what the table knows of the move that comes next while another one is searched. Memory is so
    /// far away that a search without this spends a third of its time waiting for the table.
    #[inline]
    pub(super) fn prefetch_next(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        ply: usize,
    ) {
        if TranspositionTable::PREFETCHES
            && let Some(mv) = picker.peek(&mut self.data.frames[ply])
        {
            // Near the limit the key is another, which does not matter much.
            let key = self.variant.key(&position.play(mv)) ^ self.rules_key;
            self.table.prefetch(key);
        }
    }

    /// The key under which the table knows `position`, `ply` plies from the root. Where this iteration
    /// can see the no-capture limit, the plies left until then are part of it.
    #[inline]
    pub(super) fn table_key(&self, position: &Position, ply: usize) -> u64 {
        let key = self.keys[self.keys.len() - 1] ^ self.rules_key;
        let (quiet, limit) = (
            usize::from(position.halfmove_clock()),
            usize::from(self.rules.limit),
        );
        let sight = self.iteration.saturating_sub(ply);
        if limit != 0 && quiet + sight >= limit {
            let left = limit.saturating_sub(quiet) as u64;
            key ^ (left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
        } else {
            key
        }
    }

    /// Looks, now and then, whether the search must end; `work` is what has been done since.
    #[inline]
    pub(super) fn poll(&mut self, work: usize) -> bool {
        self.countdown -= 1 + work as i64;
        if self.countdown <= 0 {
            self.look();
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        self.countdown = POLL_INTERVAL;
        self.publish_progress();
        let limits = &self.shared.limits;
        // However weak a player is, it looks at each of its moves.
        let thinks_ahead = self.iteration > 1;
        for (limit, holds) in [
            (limits.nodes, true),
            (limits.strength.nodes(), thinks_ahead),
        ] {
            let Some(limit) = limit else {
                continue;
            };
            let left = limit.saturating_sub(self.shared.nodes.load(Ordering::Relaxed));
            if left == 0 && holds {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            // Every node polls, so one thread alone stops at the very node.
            self.countdown = self.countdown.min(i64::try_from(left).unwrap_or(i64::MAX));
        }
        let is_over = match &mut self.main {
            Some(MainThread { time, control, .. }) => {
                let is_over = time.is_over(control) || control.is_stopped();
                if let Some(deadline) = time.deadline() {
                    // Known from the beginning but for what was pondered on.
                    self.shared.deadline.get_or_init(|| deadline);
                }
                is_over
            }
            None => {
                let deadline = self.shared.deadline.get();
                deadline.is_some_and(|&deadline| Instant::now() >= deadline)
            }
        };
        if is_over {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        if self.shared.cooperation.is_overtaken(self.iteration as i32) {
            self.overtaken = true;
            self.stopped = true;
        }
        if self.shared.stop.load(Ordering::Relaxed) {
            self.overtaken = false;
            self.stopped = true;
        }
    }

    /// Whether there is more to do for a thread that has stopped: if it was only overtaken.
    pub(super) fn resume(&mut self) -> bool {
        let goes_on = std::mem::take(&mut self.overtaken);
        self.stopped = !goes_on;
        goes_on
    }

    /// Writes to the table.
    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: usize, data: TtData) {
        let replaced = self.table.store(key, ply, data);
        if let Some(counts) = self.data.counters.active() {
            counts.count_store(replaced);
        }
    }

    /// Tells the others what this thread has counted.
    pub(super) fn publish_progress(&mut self) {
        let [nodes, hits] = std::mem::replace(&mut self.told, [self.nodes, self.tablebase_hits]);
        let shared = self.shared;
        shared
            .nodes
            .fetch_add(self.nodes - nodes, Ordering::Relaxed);
        if self.tablebase_hits != hits {
            let new = self.tablebase_hits - hits;
            shared.tablebase_hits.fetch_add(new, Ordering::Relaxed);
        }
    }

    /// Time since the search began, on the main thread.
    pub(super) fn elapsed(&self) -> Option<Duration> {
        self.main.as_ref().map(|main| main.time.elapsed())
    }

    /// Reports, on the main thread.
    pub(super) fn report(&mut self, report: &Report) {
        if let Some(main) = &mut self.main {
            (main.report)(report);
        }
    }

    /// What the position is worth without search: `known` from the table, else evaluated.
    #[inline(always)]
    pub(super) fn static_evaluation(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        known: Option<i32>,
    ) -> i32 {
        if let Some(evaluation) = known {
            return evaluation;
        }
        count!(self, position, depth, evaluations += 1);
        self.evaluator.evaluate(position, ply)
    }

    /// A static evaluation scaled towards a draw (see [`damped`]). Table entries keep the undamped one.
    #[inline(always)]
    pub(super) fn damped(&self, position: &Position, evaluation: i32) -> i32 {
        let percent = self.params.values().quiet_damping;
        damped(self.rules, position, evaluation, percent)
    }

    /// The score of a position that the tablebases know.
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
