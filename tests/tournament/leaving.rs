//! Nothing outlives the runner: no engine, and nothing that an engine has started.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::runner::processes::{alive, assert_none_left, unique_tag};
use crate::runner::{Contender, MatchFiles, MatchRun, Running};
use crate::timed_trial;

/// An engine that does all it can to stay.
const STUBBORN: &str = "ignore-quit+spawn-child";

/// The same with moves that take for ever.
const STUBBORN_AND_SLOW: &str = "ignore-quit+spawn-child+delay:600000";

/// Runner, two games at a time: an engine and its child on both sides.
const PROCESSES: usize = 8;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        timed_trial,
        "leaving",
        at_the_end_of_a_match,
        engines_that_never_stop_playing,
        when_the_runner_is_killed_early,
        engines_that_have_crashed,
        engines_that_do_not_start,
    );
    for (signal, code) in [("TERM", Some(3)), ("HUP", Some(3)), ("KILL", None)] {
        trials.push(timed_trial(format!("leaving: by SIG{signal}"), move || {
            by_signal(signal, code);
        }));
    }
    trials
}

fn engines(behaviour: &str, tag: &str) -> [Contender; 2] {
    ["First", "Second"].map(|name| Contender::new(name, behaviour).tag(tag))
}

/// A match in which everybody thinks and nobody will ever move.
fn deadlocked(files: &MatchFiles, tag: &str) -> MatchRun {
    MatchRun::new(files, &engines(STUBBORN_AND_SLOW, tag))
        .args("--each nodes=1 --games 4 --openings start --concurrency 2")
}

/// The same when all its engines play.
fn under_way(files: &MatchFiles, tag: &str) -> Running {
    let mut running = deadlocked(files, tag).start();
    running.wait_until("its engines", || {
        files.lines() > 0 && alive(tag).len() >= PROCESSES
    });
    running
}

fn at_the_end_of_a_match() {
    let files = MatchFiles::new();
    let tag = unique_tag("end");
    let options = "--each nodes=1 --games 4 --openings start --concurrency 2 --max-plies 10";
    let (record, _) = files.play(&engines(STUBBORN, &tag), options);
    assert_none_left(&tag);
    record.assert_games(4);
}

fn engines_that_never_stop_playing() {
    let files = MatchFiles::new();
    let tag = unique_tag("int");
    let mut running = under_way(&files, &tag);
    running.signal("INT");
    // Two signals that come at once may count as one.
    thread::sleep(Duration::from_millis(250));
    running.signal("INT");
    // A third signal may end the runner at once: it comes only if the second was lost.
    let mut told = Instant::now();
    while running.is_running() {
        if told.elapsed() > Duration::from_secs(10) {
            running.signal("INT");
            told = Instant::now();
        }
        thread::sleep(Duration::from_millis(5));
    }
    let ended = running.finish();
    assert_none_left(&tag);
    ended.assert_code(3);
    ended.assert_error(&["--resume", "bout.jsonl"]);
    files.assert_no_game();
}

fn by_signal(signal: &str, code: Option<i32>) {
    // That a signal is ignored, as SIGHUP under `nohup`, passes to other programs; that it is handled does not.
    let handled = signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::default());
    handled.expect("a signal can be handled");
    let files = MatchFiles::new();
    let tag = unique_tag(signal);
    let running = under_way(&files, &tag);
    running.signal(signal);
    let ended = running.finish();
    assert_none_left(&tag);
    assert_eq!(ended.status.code(), code, "{ended}");
    if code.is_some() {
        ended.assert_error(&["--resume", "bout.jsonl"]);
    }
    files.assert_no_game();

    let tag = unique_tag(signal);
    let engines = engines(STUBBORN_AND_SLOW, &tag).map(|engine| engine.with("nodes=1"));
    let run = MatchRun::fastchess(&engines).args("-rounds 9 -concurrency 2");
    let mut running = run.start();
    running.wait_until("its engines", || alive(&tag).len() >= PROCESSES);
    running.signal(signal);
    let ended = running.finish();
    assert_none_left(&tag);
    assert_eq!(ended.status.code(), code, "{ended}");
}

/// Wherever it is in its preparations.
fn when_the_runner_is_killed_early() {
    for moment in 0..8 {
        let tag = unique_tag(&format!("early{moment}"));
        let running = deadlocked(&MatchFiles::new(), &tag).start();
        thread::sleep(Duration::from_millis(10 * moment));
        running.kill();
        assert_none_left(&tag);
    }
}

fn engines_that_have_crashed() {
    let files = MatchFiles::new();
    let tag = unique_tag("crash");
    let first = Contender::new("First", "spawn-child+crash:2").tag(&tag);
    let second = Contender::new("Second", STUBBORN).tag(&tag);
    let mut running = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 8 --openings start --concurrency 1 --move-timeout 1")
        .args("--hang-timeout 1")
        .start();
    // Children of earlier processes do not pile up: at most those of the processes that play, of
    // one that has just crashed and of one that has just been started.
    let mut most = 0;
    while running.is_running() {
        most = most.max(alive(&tag).len());
        thread::sleep(Duration::from_millis(5));
    }
    running.finish().assert_code(0);
    assert!(most <= 6, "{most} processes at a time");
    assert_none_left(&tag);
}

fn engines_that_do_not_start() {
    let files = MatchFiles::new();
    let tag = unique_tag("start");
    let first = Contender::new("First", "spawn-child+ignore-quit+hang-at-newgame").tag(&tag);
    let second = Contender::new("Second", STUBBORN).tag(&tag);
    let ended = MatchRun::new(&files, [&second, &first])
        .args("--each nodes=1 --games 2 --openings start --concurrency 1 --start-timeout 0.3")
        .play();
    ended.assert_code(1);
    assert_none_left(&tag);
}
