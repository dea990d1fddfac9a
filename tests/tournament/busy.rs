//! Short clocks on a machine that has something else to do.
//!
//! Whatever is lost there by an engine that answers at once was lost by the machine: that is what
//! `vato` is measured by. It may not lose more than such an engine does in the same run.
//!
//! The long run, which is to have the machine to itself (500 games unless `VATO_BUSY_GAMES` says otherwise):
//!
//! ```text
//! cargo test --release --test tournament -- --ignored --nocapture busy
//! ```

use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use libtest_mimic::Trial;

use crate::lonely_trial;
use crate::runner::{Contender, MatchFiles, MatchRun};

/// What each side has for the game, and for each move. No game is adjudicated.
const SETTINGS: &str = "--each tc=0.2+0.002 --concurrency 1";

/// Games of one match: a match may not last for ever.
const MOST_GAMES: u32 = 40;

pub fn trials() -> Vec<Trial> {
    vec![
        lonely_trial("busy: no more time losses than an instant engine", || {
            play(10)
        }),
        lonely_trial("busy: a long run against an instant engine", || {
            let games = std::env::var("VATO_BUSY_GAMES");
            play(games.map_or(500, |games| games.parse().expect("a number of games")));
        })
        .with_ignored_flag(true),
    ]
}

/// The engine against the control, while every processor has a thread that does nothing, as fast as it can.
fn play(games: u32) {
    let over = AtomicBool::new(false);
    let lost = thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..processors {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let lost = std::panic::catch_unwind(|| time_losses(games));
        over.store(true, Ordering::Relaxed);
        lost
    });
    let [vato, instant] = lost.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    println!("lost on time by vato: {vato:#?}, by an instant engine: {instant:#?}");
    assert!(vato.len() <= instant.len(), "{vato:#?} {instant:#?}");
}

/// Why vato has lost games on time, and why the control has.
fn time_losses(games: u32) -> [Vec<String>; 2] {
    let instant = Contender::new("Instant", "honest").seed(7);
    // Two threads: that of the clock has another to wait for.
    let vato = format!(
        "cmd=\"{}\",name=Vato,option.Threads=2",
        env!("CARGO_BIN_EXE_vato")
    );
    let mut lost = [Vec::new(), Vec::new()];
    for before in (0..games).step_by(MOST_GAMES as usize) {
        let files = MatchFiles::new();
        let wanted = (games - before).min(MOST_GAMES);
        MatchRun::new(&files, [&instant])
            .arg("--engine")
            .arg(&vato)
            .args(SETTINGS)
            // A pair of games with each opening.
            .args(&format!("--games {wanted} --start {}", before / 2 + 1))
            .play_well();
        files.record().assert_games(wanted);
        for game in files.record().games {
            match game.termination.as_str() {
                "normal" => {}
                "time-loss" => {
                    lost[usize::from(game.winner.as_deref() == Some("Vato"))].push(game.reason)
                }
                _ => panic!("game {}: {}", game.game, game.reason),
            }
        }
    }
    lost
}
