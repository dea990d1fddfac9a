//! The games of a tuning run: pairs between the parameters perturbed in opposite directions.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::spsa::{Perturbation, Spsa};
use super::{OPTION, TuneSettings};
use crate::tournament::formats::{Asking, Format, Next, PairsOfGames, ScheduledGame};
use crate::tournament::game::Finished;
use crate::tournament::statistics::{GameCounts, GameScore};
use crate::tournament::worker::GameSource;
use vato_engine::memory::lock;
use vato_engine::notation::pgn::Termination;
use vato_engine::protocol::SetOption;
use vato_engine::stop::StopSignal;

/// The schedule of the remaining pairs of games.
#[derive(Debug)]
pub(super) struct TuningGames<'a> {
    settings: &'a TuneSettings,
    pairs: PairsOfGames,
    queue: Mutex<Queue>,
    /// A pair is no longer running.
    learned: Condvar,
}

/// How often a worker that waits looks whether everything is to stop.
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug)]
struct Queue {
    /// The values to perturb for the next pair.
    spsa: Spsa,
    /// The next iteration, unless it is done already.
    next: u32,
    running: BTreeMap<u32, RunningPair>,
}

#[derive(Debug)]
struct RunningPair {
    perturbation: Perturbation,
    /// Its games so far, from the view of the first player.
    games: GameCounts,
    /// Whether no game has ended by a fault that says nothing about the values.
    is_sound: bool,
}

impl<'a> TuningGames<'a> {
    pub(super) fn new(settings: &'a TuneSettings, spsa: Spsa) -> TuningGames<'a> {
        TuningGames {
            settings,
            pairs: PairsOfGames::new(vec![[0, 1]], settings.iterations.saturating_mul(2), 1),
            queue: Mutex::new(Queue {
                spsa,
                next: 1,
                running: BTreeMap::new(),
            }),
            learned: Condvar::new(),
        }
    }

    /// A game of an iteration, from 0.
    fn game(&self, iteration: u32, game: u32) -> Next {
        Next::Game(self.pairs.game(iteration - 1, game, [0, 1], &[]))
    }

    /// Sets the values to perturb for further pairs: what was learned from this one is in them.
    pub(super) fn start_from(&self, iteration: u32, spsa: &Spsa) {
        let mut queue = lock(&self.queue);
        queue.running.remove(&iteration);
        queue.spsa.clone_from(spsa);
        self.learned.notify_all();
    }

    /// Records a game. Once its pair is complete, returns the perturbation and the games from the view of
    /// the first player; `None` for the games if one of them ended by a fault.
    pub(super) fn add(&self, finished: &Finished) -> Option<(Perturbation, Option<GameCounts>)> {
        let mut queue = lock(&self.queue);
        let iteration = finished.game.pair;
        let pair = queue.running.get_mut(&iteration)?;
        // Losses on time count as results; a crash says nothing about the values.
        let termination = finished.entry.termination;
        if termination.is_fault() && termination != Termination::TimeLoss {
            pair.is_sound = false;
            log::warn!("pair {iteration}: {}", finished.entry.reason);
        }
        let winner = finished
            .winner
            .map(|side| finished.game.players[side.index()]);
        pair.games.add(GameScore::of(winner));
        if pair.games.games() < 2 {
            return None;
        }
        let games = pair.is_sound.then_some(pair.games);
        Some((pair.perturbation.clone(), games))
    }
}

impl GameSource for TuningGames<'_> {
    fn next(&self, asking: Asking<'_>, stop: &StopSignal) -> Next {
        // The second game of a pair follows the first.
        if let Some(last) = asking.last
            && !last.is_multiple_of(2)
        {
            return self.game(last.div_ceil(2), 1);
        }
        let mut queue = lock(&self.queue);
        // With one game at a time each pair then begins where the one before ended.
        let is_running = |queue: &Queue| {
            let last = asking.last.map(|last| last / 2);
            last.is_some_and(|pair| queue.running.contains_key(&pair))
        };
        while is_running(&queue) && !stop.is_given() {
            let waited = self.learned.wait_timeout(queue, TICK);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        while queue.spsa.progress.contains(queue.next) {
            queue.next += 1;
        }
        let iteration = queue.next;
        if stop.is_given() || iteration > self.settings.iterations {
            return Next::Finished;
        }
        queue.next += 1;
        let pair = RunningPair {
            perturbation: queue.spsa.perturb(self.settings, iteration),
            games: GameCounts::default(),
            is_sound: true,
        };
        queue.running.insert(iteration, pair);
        self.game(iteration, 0)
    }

    fn options(&self, game: &ScheduledGame) -> Option<[SetOption; 2]> {
        let queue = lock(&self.queue);
        let perturbation = &queue.running.get(&game.pair)?.perturbation;
        Some(game.players.map(|player| SetOption {
            name: OPTION.to_owned(),
            value: Some(self.settings.option(&perturbation.players[player])),
        }))
    }

    fn completes(&self, game: &ScheduledGame) -> bool {
        game.number.is_multiple_of(2)
    }
}
