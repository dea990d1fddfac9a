//! Workers: each plays games one after the other, with a process for each engine of a game.

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::engine_pool::EnginePool;
use super::formats::{Asking, Next, ScheduledGame, SharedSchedule};
use super::game::{GameSetup, Referee};
use super::match_error::MatchError;
use super::resources::Resources;
use super::runner::MatchEvent;
use super::settings::{MatchSettings, TournamentFormat};
use vato_engine::memory::lock;
use vato_engine::text::plural;
use vato_records::pgn::Termination;

/// How often the thread that plays no games hears that time passes.
const TICK: Duration = Duration::from_millis(200);

/// Capacity of the queue of finished games: forfeits can come faster than a file is written.
const BACKLOG: usize = 64;

/// Missed games in a row after which an engine is withdrawn.
const MOST_MISSED: u32 = 3;

#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// What the observer hears as well; a game that has ended is not recorded yet.
    Match(MatchEvent),
    /// An engine does not start, and there are no games without it.
    Unplayable(MatchError),
    /// The schedule cannot tell who plays next.
    NobodyToPair(MatchError),
    Done,
}

/// Plays the games of `schedule` at `workers` workers, which are bound to the processors `cpus` (for each
/// worker) if these are named. On this thread `take` hears what happens, and that time passes.
pub(super) fn play_games(
    settings: &MatchSettings,
    resources: &Resources,
    schedule: &SharedSchedule,
    workers: usize,
    cpus: Option<&[Vec<usize>]>,
    mut take: impl FnMut(WorkerEvent),
) -> Result<(), MatchError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(workers)
        .thread_name(|number| format!("games {}", number + 1))
        .build()
        .map_err(|error| MatchError::missing("cannot start threads", error))?;
    let missed = Mutex::new(vec![0; settings.engines.len()]);
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
                missed: &missed,
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
                Ok(event) => take(event),
                Err(RecvTimeoutError::Timeout) => take(WorkerEvent::Match(MatchEvent::Tick)),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    Ok(())
}

struct GameWorker<'a> {
    settings: &'a MatchSettings,
    schedule: &'a SharedSchedule,
    /// How many games in a row each engine has missed as it has not started. In a match of two such an engine ends it.
    /// Among more it loses these games, and after some of them all that are to come, so that formats that wait for
    /// results go on; when the match is resumed, all are tried again.
    missed: &'a Mutex<Vec<u32>>,
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
                    let are = plural(encounters, "encounter is", "encounters are");
                    tell(WorkerEvent::NobodyToPair(MatchError::Schedule(format!(
                        "nobody can be paired any more: {encounters} {are} left, but no two engines may meet"
                    ))));
                    break;
                }
            };
            tell(WorkerEvent::Match(MatchEvent::Started {
                game: game.number,
                players: game
                    .players
                    .map(|engine| self.settings.engines[engine].known_name()),
            }));
            if self.play(&game, &tell).is_none() {
                break;
            }
            last = Some(game.number);
        }
    }

    /// Plays a game, or forfeits it if an engine is absent; `None` if this worker cannot go on.
    fn play(&mut self, game: &ScheduledGame, tell: &dyn Fn(WorkerEvent)) -> Option<()> {
        let tell_match = |event| tell(WorkerEvent::Match(event));
        let finish = |entry| tell_match(MatchEvent::Game(Box::new(entry)));
        let engines = &self.settings.engines;
        let absent = |engine: usize, what: &str| {
            let name = engines[engine].known_name();
            tell_match(MatchEvent::Absent(format!("{name} {what}")));
        };
        let setup = GameSetup::new(game, self.settings, self.pool.resources);
        let withdrawn = game
            .players
            .map(|engine| lock(self.missed)[engine] >= MOST_MISSED);
        if withdrawn.contains(&true) {
            let why = format!("is withdrawn: it has not started for {MOST_MISSED} games in a row");
            finish(setup.forfeit(withdrawn, Termination::Withdrawn, &why));
            return Some(());
        }
        let failed = |engine, error| {
            absent(engine, &format!("has not started, trying again: {error}"));
        };
        match self.pool.take(game.players, &setup.rules, &failed) {
            Ok(mut players) => {
                for engine in game.players {
                    count_start(&mut lock(self.missed)[engine]);
                }
                let moved = |entry| tell_match(MatchEvent::Moved(Box::new(entry)));
                let finished = Referee::new(&setup, &mut players).play(&moved);
                // Broken ones are started again when needed.
                let players = game.players.into_iter().zip(players);
                self.pool.idle = players.filter(|(_, player)| !player.is_broken).collect();
                finish(finished?);
            }
            // What stops a match may stop its engines too: that is no forfeit.
            Err(_) if self.pool.resources.stop.is_given() => return None,
            Err((engine, error)) => {
                let missed = count_missed(self.settings, &mut lock(self.missed), engine);
                let Some(missed) = missed else {
                    let error = MatchError::no_start(&engines[engine].known_name(), &error);
                    tell(WorkerEvent::Unplayable(error));
                    return None;
                };
                let why = format!("has not started: {error}");
                let is_absent = game.players.map(|other| other == engine);
                finish(setup.forfeit(is_absent, Termination::NoStart, &why));
                if missed == MOST_MISSED {
                    absent(
                        engine,
                        "is withdrawn: it has not started for several games in a row, and loses those that are still \
                         to come",
                    );
                }
            }
        }
        Some(())
    }
}

/// An engine has started: it has missed no games in a row. A withdrawal is final: later games may have been forfeited
/// already.
fn count_start(missed: &mut u32) {
    if *missed < MOST_MISSED {
        *missed = 0;
    }
}

/// Counts that an engine has not started for a game; `None` if the match cannot go on without it.
fn count_missed(settings: &MatchSettings, missed: &mut [u32], engine: usize) -> Option<u32> {
    let is_absent = |&other: &usize| other == engine || missed[other] >= MOST_MISSED;
    let absent: Vec<usize> = (0..missed.len()).filter(is_absent).collect();
    if !can_do_without(settings, &absent) {
        return None;
    }
    missed[engine] = missed[engine].saturating_add(1);
    Some(missed[engine])
}

/// Whether a match can go on when these engines (by their places in the settings) do not start: as long
/// as there are two others and, in a gauntlet, the one that all others play against.
pub(super) fn can_do_without(settings: &MatchSettings, absent: &[usize]) -> bool {
    let gauntlet = settings.format() == TournamentFormat::Gauntlet;
    let left = (0..settings.engines.len()).filter(|engine| !absent.contains(engine));
    left.count() >= 2 && !(gauntlet && absent.contains(&0))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_ends_the_match() {
        for panics in [false, true] {
            let stop = crate::stop::StopSignal::new();
            let (events, inbox) = sync_channel(1);
            let worker = || {
                let _guard = stop.exit_guard(|| drop(events.send(WorkerEvent::Done)));
                assert!(!panics, "as it was to be");
            };
            let ended = thread::scope(|scope| scope.spawn(worker).join());
            assert!(matches!(inbox.try_recv(), Ok(WorkerEvent::Done)));
            assert_eq!((ended.is_err(), stop.is_now()), (panics, panics));
        }
    }

    #[test]
    fn three_games_in_a_row_are_too_many() {
        let settings = MatchSettings::of_format(None, 4);
        let mut missed = [0; 4];
        let counts = [1, 2].map(|_| count_missed(&settings, &mut missed, 3));
        assert_eq!(counts, [Some(1), Some(2)]);
        count_start(&mut missed[3]);
        let counts = [1, 2, 3].map(|_| count_missed(&settings, &mut missed, 3));
        assert_eq!(counts, [Some(1), Some(2), Some(MOST_MISSED)]);
        let at_two_places_at_once = count_missed(&settings, &mut missed, 3);
        assert_ne!(at_two_places_at_once, Some(MOST_MISSED));
        count_start(&mut missed[3]);
        assert!(missed[3] >= MOST_MISSED);
    }

    #[test]
    fn two_have_to_be_left() {
        assert_eq!(
            count_missed(&MatchSettings::of_format(None, 2), &mut [0; 2], 0),
            None
        );
        let three = MatchSettings::of_format(None, 3);
        let mut missed = [0; 3];
        for wanted in 1..=MOST_MISSED {
            assert_eq!(count_missed(&three, &mut missed, 1), Some(wanted));
        }
        assert_eq!(count_missed(&three, &mut missed, 0), None);
    }

    #[test]
    fn who_is_needed_to_go_on() {
        let swiss = MatchSettings::of_format(TournamentFormat::Swiss, 4);
        let gauntlet = MatchSettings::of_format(TournamentFormat::Gauntlet, 4);
        for (settings, missing, goes_on) in [
            (&swiss, &[][..], true),
            (&swiss, &[0, 2], true),
            (&swiss, &[0, 2, 3], false),
            (&MatchSettings::of_format(None, 2), &[1], false),
            (&gauntlet, &[0], false),
            (&gauntlet, &[1], true),
        ] {
            assert_eq!(can_do_without(settings, missing), goes_on, "{missing:?}");
        }
    }
}
