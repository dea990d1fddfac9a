//! Workers: each plays games one after the other, with a process for each engine of a game.

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::engine::StartError;
use super::engine_pool::EnginePool;
use super::forfeits::{Forfeits, MOST_MISSED, Missed};
use super::formats::{Asking, Next, ScheduledGame, SharedSchedule};
use super::game::{Finished, GameSetup, Referee};
use super::match_error::MatchError;
use super::record::GameEntry;
use super::resources::Resources;
use super::settings::MatchSettings;
use crate::notation::pgn::Termination;

/// How often the thread that plays no games hears that time passes.
const TICK: Duration = Duration::from_millis(200);

/// Capacity of the queue of finished games: forfeits can come faster than a file is written.
const BACKLOG: usize = 64;

#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// The game of this number begins, between White's engine and Black's.
    Started(u32, [usize; 2]),
    /// A game runs: its moves so far.
    Moved(Box<GameEntry>),
    /// A game has been played.
    Finished(Box<Finished>),
    /// An engine has not started: what becomes of it, the end of a sentence that begins with its name.
    Absent(usize, String),
    /// An engine does not start, and there are no games without it.
    Unplayable(usize, StartError),
    /// The schedule cannot tell who plays next, in so many encounters.
    NobodyToPair(usize),
    Done,
}

/// Plays the games of `schedule` at `workers` workers, which are bound to the processors `cpus` (for each
/// worker) if these are named. On this thread `take` hears what happens, and `None` as time passes.
pub(super) fn play_games(
    settings: &MatchSettings,
    resources: &Resources,
    schedule: &SharedSchedule,
    workers: usize,
    cpus: Option<&[Vec<usize>]>,
    mut take: impl FnMut(Option<WorkerEvent>),
) -> Result<(), MatchError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(workers)
        .thread_name(|number| format!("games {}", number + 1))
        .build()
        .map_err(|error| MatchError::missing("cannot start threads", error))?;
    let forfeits = Forfeits::new(settings);
    let (events, inbox) = sync_channel(BACKLOG);
    pool.in_place_scope(|scope| {
        // Moved here, so that a panic of this thread drops it and no worker blocks on it.
        let inbox = inbox;
        let _guard = resources.stop.exit_guard(|| ());
        scope.spawn_broadcast(|_, thread| {
            let number = thread.index();
            let cpus = cpus.map(|cpus| cpus[number].as_slice());
            let worker = GameWorker {
                settings,
                schedule,
                forfeits: &forfeits,
                pool: EnginePool {
                    resources,
                    label: (number + 1).to_string(),
                    cpus,
                    idle: Vec::new(),
                },
            };
            worker.run(&events.clone());
        });
        // A pool may have fewer threads than were asked for.
        let mut running = pool.current_num_threads();
        while running > 0 {
            match inbox.recv_timeout(TICK) {
                Ok(WorkerEvent::Done) => running -= 1,
                Ok(event) => take(Some(event)),
                Err(RecvTimeoutError::Timeout) => take(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    Ok(())
}

struct GameWorker<'a> {
    settings: &'a MatchSettings,
    schedule: &'a SharedSchedule,
    forfeits: &'a Forfeits<'a>,
    pool: EnginePool<'a>,
}

impl GameWorker<'_> {
    /// Plays games until there are none, or everything is to stop.
    fn run(mut self, events: &SyncSender<WorkerEvent>) {
        // A receiver that is gone has given the signal to stop.
        let tell = |event| drop(events.send(event));
        let stop = &self.pool.resources.stop;
        let _guard = stop.exit_guard(|| tell(WorkerEvent::Done));
        let mut last = None;
        loop {
            let idle = self.pool.idle.iter();
            let running: Vec<usize> = idle.map(|(engine, _)| *engine).collect();
            let asking = Asking {
                running: &running,
                last,
            };
            let game = match self.schedule.next(asking, stop) {
                Next::Game(game) => game,
                Next::Finished | Next::Wait => break,
                Next::NobodyToPair(encounters) => {
                    tell(WorkerEvent::NobodyToPair(encounters));
                    break;
                }
            };
            tell(WorkerEvent::Started(game.number, game.players));
            if self.play(&game, &tell).is_none() {
                break;
            }
            last = Some(game.number);
        }
    }

    /// Plays a game, or forfeits it if an engine is absent; `None` if this worker cannot go on.
    fn play(&mut self, game: &ScheduledGame, tell: &dyn Fn(WorkerEvent)) -> Option<()> {
        let finish = |finished| tell(WorkerEvent::Finished(Box::new(finished)));
        let setup = GameSetup::new(game, self.settings, self.pool.resources);
        let absent = game
            .players
            .map(|engine| self.forfeits.is_withdrawn(engine));
        if absent.contains(&true) {
            let why = format!("is withdrawn: it has not started for {MOST_MISSED} games in a row");
            finish(setup.forfeit(absent, Termination::Withdrawn, &why));
            return Some(());
        }
        let failed = |engine, error| {
            let what = format!("has not started, trying again: {error}");
            tell(WorkerEvent::Absent(engine, what));
        };
        match self.pool.take(game.players, &setup.rules, &failed) {
            Ok(mut players) => {
                for engine in game.players {
                    self.forfeits.came(engine);
                }
                let moved = |entry| tell(WorkerEvent::Moved(Box::new(entry)));
                let finished = Referee::new(&setup, &mut players).play(&moved);
                // Broken ones are started again when needed.
                let players = game.players.into_iter().zip(players);
                self.pool.idle = players.filter(|(_, player)| !player.is_broken).collect();
                finish(finished?);
            }
            // What stops a match may stop its engines too: that is no forfeit.
            Err(_) if self.pool.resources.stop.is_given() => return None,
            Err((engine, error)) => {
                let missed = self.forfeits.missed(engine);
                if missed == Missed::Match {
                    tell(WorkerEvent::Unplayable(engine, error));
                    return None;
                }
                let absent = game.players.map(|other| other == engine);
                let why = format!("has not started: {error}");
                finish(setup.forfeit(absent, Termination::NoStart, &why));
                if missed == Missed::Withdrawn {
                    let what = "is withdrawn: it has not started for several games in a row, and loses those that are still \
                                to come";
                    tell(WorkerEvent::Absent(engine, what.to_owned()));
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_ends_the_match() {
        let stop = crate::stop::StopSignal::new();
        let (events, inbox) = sync_channel(1);
        let worker = |panics: bool| {
            let _guard = stop.exit_guard(|| drop(events.send(WorkerEvent::Done)));
            assert!(!panics, "as it was to be");
        };
        thread::scope(|scope| scope.spawn(|| worker(false)).join()).expect("no panic");
        assert!(matches!(inbox.try_recv(), Ok(WorkerEvent::Done)));
        assert!(!stop.is_given());
        thread::scope(|scope| scope.spawn(|| worker(true)).join()).expect_err("a panic");
        assert!(matches!(inbox.try_recv(), Ok(WorkerEvent::Done)));
        assert!(stop.is_now());
    }
}
