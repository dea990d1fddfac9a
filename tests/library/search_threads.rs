//! Searches with several threads, disturbed at any moment.
//!
//! What they find depends on how the threads take turns; that the moves are legal, that the search
//! ends, and that it ends no sooner than it may, does not. `.ci/thread-sanitizer` runs these tests
//! where data races are seen.

use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use vato_engine::board::Move;
use vato_engine::rules::{Game, Preset, Rules, legal_moves};
use vato_engine::search::{Clock, Control, Limits, Report, SearchResult, SearchSettings, Searcher};

/// Threads of a search: more than many machines have processors, so that some are held up anywhere.
const THREADS: usize = 4;

/// Longer than any of these searches may take, however slow and busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// A searcher, and settings with a small table, which threads fight for.
struct Searching {
    searcher: Searcher,
    settings: SearchSettings,
}

fn searcher() -> Searching {
    Searching {
        searcher: Searcher::new(),
        settings: SearchSettings {
            threads: THREADS,
            hash_mib: 1,
            ..SearchSettings::default()
        },
    }
}

fn limits() -> Limits {
    Limits {
        move_overhead: Duration::from_millis(1),
        ..Limits::default()
    }
}

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..limits()
    }
}

fn movetime(time: Duration) -> Limits {
    Limits {
        movetime: Some(time),
        ..limits()
    }
}

fn clock(remaining: Duration) -> Limits {
    let clock = Clock {
        remaining,
        increment: Duration::from_millis(1),
        moves_to_go: None,
    };
    Limits {
        clock: Some(clock),
        ..limits()
    }
}

fn pondering(limits: Limits) -> Limits {
    Limits {
        ponder: true,
        ..limits
    }
}

/// Searches, and requires that everything told is legal and told on this thread.
fn search(
    Searching { searcher, settings }: &mut Searching,
    game: &Game,
    limits: &Limits,
    control: &Control,
) -> SearchResult {
    let caller = thread::current().id();
    let started = Instant::now();
    let result = searcher.search(settings, game, limits, control, &mut |report| {
        assert_eq!(thread::current().id(), caller);
        if let Report::Line(line) = report {
            assert_line(game, &line.pv);
        }
    });
    let result = result.expect("nothing new is needed");
    let time = started.elapsed();
    assert!(time < PATIENCE, "{limits:?} took {time:?}");

    let best = result.best.expect("the game goes on");
    assert!(legal_moves(game.rules(), game.position()).contains(&best));
    assert_eq!(result.lines[0].pv.first(), Some(&best));
    assert_eq!(result.lines[0].pv.get(1).copied(), result.ponder);
    for line in &result.lines {
        assert_line(game, &line.pv);
    }
    result
}

fn assert_line(game: &Game, line: &[Move]) {
    let mut game = game.clone();
    for &mv in line {
        game.play(mv).expect("a legal line");
    }
}

/// A moment of up to `most`, often none at all.
fn moment(random: &mut SmallRng, most: Duration) -> Duration {
    if random.random_bool(0.2) {
        return Duration::ZERO;
    }
    most.mul_f64(random.random())
}

/// Does something after a while, on a thread of its own.
fn after<'scope>(
    scope: &'scope Scope<'scope, '_>,
    time: Duration,
    act: impl FnOnce() + Send + 'scope,
) -> ScopedJoinHandle<'scope, ()> {
    scope.spawn(move || {
        thread::sleep(time);
        act();
    })
}

/// Waits for a thread. (The end of a scope would wait as well, but within the standard library, where
/// the sanitizer does not see it.)
fn join(thread: ScopedJoinHandle<'_, ()>) {
    thread.join().expect("no panic");
}

/// Games that go on with the moves found, each under other rules than the one before: the table
/// keeps what was found under them.
struct Games {
    rules: Vec<Rules>,
    started: usize,
    game: Game,
}

impl Games {
    fn new() -> Games {
        let rules: Vec<Rules> = Preset::ALL.into_iter().filter_map(Preset::rules).collect();
        Games {
            game: Game::new(rules[0]),
            rules,
            started: 1,
        }
    }

    fn play(&mut self, mv: Move) {
        self.game.play(mv).expect("a legal move");
        if self.game.outcome().is_some() || self.game.moves().len() > 40 {
            self.next();
        }
    }

    fn next(&mut self) {
        self.game = Game::new(self.rules[self.started % self.rules.len()]);
        self.started += 1;
    }
}

#[test]
fn stops_and_hits_from_other_threads_at_any_moment() {
    let most = Duration::from_millis(4);
    let mut random = SmallRng::seed_from_u64(1);
    let mut searcher = searcher();
    let mut games = Games::new();
    for _ in 0..250 {
        let time = moment(&mut random, most);
        let limits = match random.random_range(0..6) {
            0 => infinite(),
            1 => movetime(time),
            2 => clock(time * 10),
            3 => pondering(movetime(time)),
            4 => pondering(clock(time * 10)),
            _ => Limits {
                nodes: Some(random.random_range(0..20_000)),
                multipv: 3,
                ..limits()
            },
        };
        let control = Control::new();
        let [stop, stop_again, hit] = [(); 3].map(|()| moment(&mut random, most));
        let result = thread::scope(|scope| {
            let others = [
                after(scope, stop, || control.stop()),
                after(scope, stop_again, || control.stop()),
                after(scope, hit, || control.ponderhit(Instant::now())),
            ];
            let result = search(&mut searcher, &games.game, &limits, &control);
            others.into_iter().for_each(join);
            result
        });
        assert!(control.is_stopped() && control.ponderhit_at().is_some());
        games.play(result.best.expect("a move"));
        disturb(&mut searcher, &mut random);
    }
}

/// Changes, now and then, what a searcher keeps from search to search.
fn disturb(Searching { searcher, settings }: &mut Searching, random: &mut SmallRng) {
    match random.random_range(0..16) {
        0 | 1 => searcher.clear(),
        2 => settings.hash_mib = random.random_range(1..=2),
        3 => settings.threads = random.random_range(1..=THREADS),
        4 => settings.threads = THREADS,
        _ => {}
    }
}

#[test]
fn a_stop_that_comes_first_is_obeyed() {
    let mut searcher = searcher();
    for limits in [infinite(), pondering(infinite()), limits()] {
        for preset in Preset::ALL {
            let Some(rules) = preset.rules() else {
                continue;
            };
            let control = Control::new();
            control.stop();
            search(&mut searcher, &Game::new(rules), &limits, &control);
        }
    }
}

#[test]
fn pondering_ends_with_the_hit_and_not_before() {
    let mut random = SmallRng::seed_from_u64(2);
    let mut searcher = searcher();
    let mut games = Games::new();
    for round in 0..60 {
        let time = moment(&mut random, Duration::from_millis(4));
        let limits = pondering(if round % 2 == 0 {
            movetime(time)
        } else {
            clock(time)
        });
        let control = Control::new();
        let hit = moment(&mut random, Duration::from_millis(8));
        let result = thread::scope(|scope| {
            let other = after(scope, hit, || control.ponderhit(Instant::now()));
            let result = search(&mut searcher, &games.game, &limits, &control);
            assert!(control.ponderhit_at().is_some(), "answered before the hit");
            join(other);
            result
        });
        games.play(result.best.expect("a move"));
    }
}

#[test]
fn searchers_do_not_disturb_each_other() {
    thread::scope(|scope| {
        let threads = [0, 1, 2].map(|seed| {
            scope.spawn(move || {
                let mut random = SmallRng::seed_from_u64(seed);
                let mut searcher = searcher();
                let mut games = Games::new();
                for _ in 0..seed {
                    games.next();
                }
                for _ in 0..60 {
                    let limits = Limits {
                        nodes: Some(random.random_range(1..10_000)),
                        ..limits()
                    };
                    let result = search(&mut searcher, &games.game, &limits, &Control::new());
                    games.play(result.best.expect("a move"));
                    disturb(&mut searcher, &mut random);
                }
            })
        });
        threads.into_iter().for_each(join);
    });
}

#[test]
fn a_table_is_emptied_on_all_threads() {
    let mut searcher = searcher();
    let game = Game::new(Rules::STANDARD);
    let limits = Limits {
        nodes: Some(30_000),
        ..limits()
    };
    for _ in 0..10 {
        let full = search(&mut searcher, &game, &limits, &Control::new());
        assert!(full.lines[0].hashfull > 0, "the search has kept something");
        searcher.searcher.clear();
        let nothing = Limits {
            nodes: Some(0),
            ..limits.clone()
        };
        let empty = search(&mut searcher, &game, &nothing, &Control::new());
        assert_eq!(empty.lines[0].hashfull, 0, "nothing is left of it");
    }
}

/// Whichever thread gets there first, and however many lines are wanted.
#[test]
fn the_depth_asked_for_is_given() {
    let game = Game::new(Rules::STANDARD);
    for threads in [2, THREADS] {
        for multipv in [1, 3] {
            for depth in [1, 2, 7, 10] {
                let mut searcher = searcher();
                searcher.settings.threads = threads;
                let limits = Limits {
                    depth: Some(depth),
                    multipv,
                    ..limits()
                };
                let result = search(&mut searcher, &game, &limits, &Control::new());
                assert_eq!(result.lines.len(), multipv);
                for line in &result.lines {
                    assert_eq!(line.depth, depth, "{threads} threads, {multipv} lines");
                    assert!(line.complete);
                }
            }
        }
    }
}

/// What is told last is what is returned, while other threads may still be at work.
#[test]
fn the_result_is_what_was_told_last() {
    let game = Game::new(Rules::STANDARD);
    let Searching {
        mut searcher,
        settings,
    } = searcher();
    for _ in 0..20 {
        let mut told = Vec::new();
        let result = searcher
            .search(
                &settings,
                &game,
                &clock(Duration::from_millis(200)),
                &Control::new(),
                &mut |report| {
                    told.push(report.clone());
                },
            )
            .expect("nothing new is needed");
        let lines = result.lines.iter().cloned().map(Report::Line);
        assert!(told.ends_with(&lines.collect::<Vec<_>>()));
    }
}
