//! Short clocks on a machine that has something else to do.
//!
//! Whatever is lost there by an engine that answers at once was lost by the machine: that is what
//! `vato` is measured by. It may not lose more than such an engine does in the same run.
//!
//! The long runs, which are to have the machine to themselves (500 games each unless
//! `VATO_BUSY_GAMES` says otherwise):
//!
//! ```text
//! cargo test --release --test tournament -- --ignored --nocapture busy
//! ```

use std::fmt;
use std::fs;
use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use libtest_mimic::Trial;

use crate::lonely_trial;
use crate::runner::{Contender, Game, MatchFiles, MatchRun};

/// What each side has for the game, and for each move, in milliseconds.
const TIME: f64 = 200.0;
const INCREMENT: f64 = 2.0;

/// The same, as `vato match` has it. No game is adjudicated.
const SETTINGS: &str = "--each tc=0.2+0.002 --concurrency 1";

const VATO: &str = "Vato";
const OTHER_VATO: &str = "OtherVato";
const INSTANT: &str = "Instant";
const OTHER_INSTANT: &str = "OtherInstant";

/// Games of the long run, unless the environment tells.
const LONG_RUN: u32 = 500;

/// Games of one match: a match may not last for ever.
const MOST_GAMES: u32 = 40;

pub fn trials() -> Vec<Trial> {
    vec![
        lonely_trial("busy: no more time losses than an instant engine", || {
            against_each_other(10);
        }),
        lonely_trial("busy: a long run against an instant engine", || {
            against_each_other(long_run());
        })
        .with_ignored_flag(true),
        lonely_trial("busy: a long run beside instant engines", || {
            side_by_side(long_run());
        })
        .with_ignored_flag(true),
    ]
}

fn long_run() -> u32 {
    match std::env::var("VATO_BUSY_GAMES") {
        Ok(games) => games.parse().expect("a number of games"),
        Err(_) => LONG_RUN,
    }
}

/// The engine against the control: the games are short, for the control loses them fast.
fn against_each_other(games: u32) {
    let load = Load::on_all_processors();
    let played = play(&vato(VATO), &instant(INSTANT), games);
    drop(load);
    Count::of(&played, &[VATO]).assert_no_worse(&Count::of(&played, &[INSTANT]));
}

/// The engine against itself, in long games on a clock that is nearly down, while the control plays
/// itself in another match.
fn side_by_side(games: u32) {
    let load = Load::on_all_processors();
    let [played, control] = thread::scope(|scope| {
        let played = scope.spawn(|| play(&vato(VATO), &vato(OTHER_VATO), games));
        let control = scope.spawn(|| play(&instant(INSTANT), &instant(OTHER_INSTANT), games));
        [played, control].map(|thread| thread.join().expect("the match is well played"))
    });
    drop(load);
    let control = Count::of(&control, &[INSTANT, OTHER_INSTANT]);
    Count::of(&played, &[VATO, OTHER_VATO]).assert_no_worse(&control);
}

/// An engine as `--engine` has it. Two threads: that of the clock has another to wait for.
fn vato(name: &str) -> String {
    format!(
        "cmd=\"{}\",name={name},option.Threads=2",
        env!("CARGO_BIN_EXE_vato")
    )
}

/// The control, as `--engine` has it.
fn instant(name: &str) -> String {
    Contender::new(name, "honest")
        .seed(name.len() as u64)
        .text()
}

/// Plays so many games, in as many matches as that takes. All of them must have been played to
/// their end, but for time.
fn play(first: &str, second: &str, games: u32) -> Vec<Game> {
    let mut played = Vec::new();
    while (played.len() as u32) < games {
        let before = played.len() as u32;
        let wanted = (games - before).min(MOST_GAMES);
        let files = MatchFiles::new();
        let config = files.folder().join("config.toml");
        // Nothing but defaults: the engines are not both this binary.
        fs::write(&config, "").expect("the file can be written");
        MatchRun::from_config(&config, &files)
            .args("--engine")
            .arg(first)
            .args("--engine")
            .arg(second)
            .args(SETTINGS)
            // A pair of games with each opening.
            .args(&format!("--games {wanted} --start {}", before / 2 + 1))
            .play_well();
        let record = files.record();
        record.assert_games(wanted);
        played.extend(record.games);
    }
    for game in &played {
        let ended = ["normal", "time-loss"].contains(&game.termination.as_str());
        assert!(ended, "game {}: {}", game.game, game.reason);
    }
    played
}

/// How engines fared with their clocks.
#[derive(Debug)]
struct Count {
    engines: String,
    games: usize,
    moves: usize,
    /// What was lost on time, in words.
    losses: Vec<String>,
    /// The least that a clock had left after a move that was in time, in milliseconds.
    lowest: f64,
    /// Moves after which it had less than a tenth of its first time.
    low: usize,
    /// The move that took longest, in milliseconds.
    longest: f64,
}

impl Count {
    /// Of the engines with these names.
    fn of(games: &[Game], engines: &[&str]) -> Count {
        let mut count = Count {
            engines: engines.join(" and "),
            games: games.len(),
            moves: 0,
            losses: Vec::new(),
            lowest: TIME,
            low: 0,
            longest: 0.0,
        };
        for game in games {
            engines.iter().for_each(|engine| count.add(game, engine));
        }
        count
    }

    fn add(&mut self, game: &Game, engine: &str) {
        let lost = game.winner.as_deref().is_some_and(|name| name != engine);
        if lost && game.termination == "time-loss" {
            self.losses
                .push(format!("game {}: {}", game.game, game.reason));
        }
        let mut left = TIME;
        for time in game.moves_of(engine).filter_map(|mv| mv.time_ms) {
            // Times are told rounded.
            let after = (left - time).max(0.0);
            self.moves += 1;
            self.lowest = self.lowest.min(after);
            self.low += usize::from(after < TIME / 10.0);
            self.longest = self.longest.max(time);
            left = after + INCREMENT;
        }
    }

    fn assert_no_worse(&self, control: &Count) {
        println!("{self}\n{control}");
        let wanted = self.losses.len() <= control.losses.len();
        assert!(wanted, "{self}\n{control}\n{:#?}", self.losses);
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} time losses in {} games, {} moves in time, {} of them leaving less than {} ms, \
             the lowest clock {:.1} ms, the longest move {:.1} ms",
            self.engines,
            self.losses.len(),
            self.games,
            self.moves,
            self.low,
            TIME / 10.0,
            self.lowest,
            self.longest,
        )
    }
}

/// Threads that do nothing, as fast as they can, until this is dropped.
#[derive(Debug)]
struct Load {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// As many as there are processors.
    fn on_all_processors() -> Load {
        let over = Arc::new(AtomicBool::new(false));
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = std::iter::repeat_with(|| Arc::clone(&over))
            .map(|over| {
                thread::spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        hint::spin_loop();
                    }
                })
            })
            .take(processors)
            .collect();
        Load { over, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It cannot have failed.
            let _ = thread.join();
        }
    }
}
