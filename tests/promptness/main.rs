//! Limits on time: how soon the engine must be there, answer, and be gone.
//!
//! These tests run one at a time, and each takes the best of a few attempts: a
//! machine that is busy with something else delays an attempt now and then, an
//! engine that is too slow is too slow every time.

#[path = "../support/mod.rs"]
mod support;

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use support::standstill::unless_at_a_standstill;
use support::{Engine, Search, WAIT};

/// Held by the test that is running.
static ALONE: Mutex<()> = Mutex::new(());

/// How often it is tried.
const ATTEMPTS: usize = 5;

/// Requires that one of the attempts takes no longer than `limit`.
fn within(limit: Duration, what: &str, attempt: impl Fn(&mut Vec<String>) -> Duration) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    unless_at_a_standstill(what, || {
        let mut times = Vec::new();
        let mut transcript = Vec::new();
        while times.len() < ATTEMPTS {
            transcript.clear();
            let time = attempt(&mut transcript);
            if time <= limit {
                return;
            }
            times.push(time);
        }
        panic!(
            "{what} took {times:?}, {limit:?} are allowed\n{}",
            transcript.join("\n")
        );
    });
}

const TENTH: Duration = Duration::from_millis(100);

#[test]
fn the_handshake_is_done_in_50_ms() {
    for word in ["ugi", "uci"] {
        let limit = Duration::from_millis(50);
        within(limit, &format!("{word}ok"), |transcript| {
            let start = Instant::now();
            let engine = Engine::opened_by(word);
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

/// Ends an attempt and keeps what was said.
fn finish(mut engine: Engine, transcript: &mut Vec<String>) {
    transcript.push(engine.transcript());
    engine.finish();
}

/// The states in which a session may be left.
const STATES: [&str; 12] = [
    "setoption name UCI_Variant value free-capture\ngo infinite",
    "setoption name UCI_Variant value custom\nsetoption name Rules value chain=full capture=free\ngo infinite",
    "perft 8",
    "isready",
    "position startpos\ngo infinite",
    "position startpos\ngo depth 100",
    "position startpos\ngo ponder p1time 1000 p2time 1000",
    "position startpos\ngo p1time 600000 p2time 600000",
    "setoption name Threads value 4\nposition startpos\ngo infinite",
    "setoption name Hash value 256\nposition startpos\ngo infinite",
    "setoption name MultiPV value 4\nposition startpos moves d3-e3A\ngo infinite",
    "position fen 9/9/9/9/w8 b 0 40\ngo infinite",
];

#[test]
fn the_process_ends_within_100_ms() {
    for state in STATES {
        for quit in [true, false] {
            let what = format!("the end after {state:?}, quit {quit},");
            within(TENTH, &what, |transcript| {
                let mut engine = Engine::ugi();
                engine.send(state);
                if state.starts_with("perft") && !quit {
                    // At the end of the input it is finished.
                    engine.send("stop");
                }
                if state.contains("go") && !state.contains("UCI_Variant") {
                    engine.expect_line(WAIT, "info line", |line| line.contains(" score "));
                    thread::sleep(Duration::from_millis(50));
                }
                let start = Instant::now();
                if quit {
                    engine.send("quit");
                } else {
                    engine.close_stdin();
                }
                let status = engine.wait_exit(WAIT);
                let time = start.elapsed();
                let lines = engine.rest();
                engine.expect_no_panic();
                assert!(status.success(), "{what} has {status}");
                let best = lines.iter().filter(|line| line.starts_with("bestmove"));
                let go = usize::from(state.contains("go"));
                assert_eq!(best.count(), go, "bestmove lines of {what} {lines:?}");
                transcript.push(engine.transcript());
                time
            });
        }
    }
}

/// A change of preset only opens tables that are in the program.
#[test]
fn another_preset_is_ready_in_20_ms() {
    for preset in ["dimy", "telo", "full-chain", "free-capture", "vela"] {
        let limit = Duration::from_millis(20);
        within(limit, preset, |transcript| {
            let mut engine = Engine::ugi();
            engine.send("isready");
            engine.expect("readyok");
            let start = Instant::now();
            engine.send(&format!("setoption name UCI_Variant value {preset}"));
            engine.send("isready");
            engine.expect("readyok");
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

/// The main thread has the clock, and has to wait for its turn.
#[test]
fn with_more_threads_than_processors_time_is_kept() {
    within(TENTH, "movetime 100 with 64 threads", |transcript| {
        let mut engine = Engine::ugi();
        engine.send("setoption name Threads value 64\nposition startpos\nisready");
        engine.expect("readyok");
        let start = Instant::now();
        engine.send("go movetime 100");
        engine.read_search();
        let time = start.elapsed();
        finish(engine, transcript);
        time
    });
}

/// A delay of the machine is allowed for, not what would break the promise.
#[test]
fn the_overhead_is_kept_back() {
    for (overhead, limit, allowed) in [
        (2_000, "p1time 2500 p2time 2500 movestogo 1", 400),
        (5_000, "p1time 5500 p2time 5500 movestogo 1", 400),
        (5_000, "p1time 5500 p2time 5500", 7),
        (1_000, "movetime 1300", 300),
        (1_000, "movetime 900", 10),
        (300, "p1time 200 p2time 200 p1inc 5000 p2inc 5000", 0),
    ] {
        let allowed = Duration::from_millis(allowed) + TENTH;
        within(allowed, limit, |transcript| {
            let mut engine = Engine::ugi();
            engine.send(&format!("setoption name Move Overhead value {overhead}"));
            engine.send("position startpos\nisready");
            engine.expect("readyok");
            let start = Instant::now();
            engine.send(&format!("go {limit}"));
            engine.read_search();
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

#[test]
fn isready_is_answered_at_once_during_a_search() {
    for threads in [1, 2] {
        within(TENTH, "readyok", |transcript| {
            let mut engine = Engine::ugi();
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("position startpos\ngo infinite");
            engine.expect_line(WAIT, "info line", |line| line.contains(" score "));
            thread::sleep(Duration::from_millis(100));
            let start = Instant::now();
            engine.send("isready");
            let lines = engine.expect("readyok");
            let time = start.elapsed();
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
            engine.send("stop");
            engine.read_search();
            finish(engine, transcript);
            time
        });
    }
}

#[test]
fn stop_is_obeyed_at_once() {
    for go in [
        "infinite",
        "ponder",
        "depth 100",
        "movetime 60000",
        "mate 99",
    ] {
        within(TENTH, &format!("the stop of {go}"), |transcript| {
            let mut engine = Engine::ugi();
            engine.send(&format!("position startpos\ngo {go}"));
            engine.expect_line(WAIT, "info line", |line| line.contains(" score "));
            thread::sleep(Duration::from_millis(100));
            let start = Instant::now();
            engine.send("stop");
            engine.read_search();
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

/// The time of a search in a session that has been used before.
fn search_time(go: &str, transcript: &mut Vec<String>) -> Duration {
    let mut engine = Engine::ugi();
    engine.send("position startpos moves d3-e3A");
    engine.search("go depth 3");
    engine.sync();
    let start = Instant::now();
    let search: Search = engine.search(go);
    let time = start.elapsed();
    if let Err(message) = search.check() {
        engine.fail(&message);
    }
    finish(engine, transcript);
    time
}

/// A clock at 0 has lost: the move comes before.
#[test]
fn a_short_clock_is_not_overstepped() {
    for (left, go) in [
        (20, "go p1time 20 p2time 20"),
        (50, "go p1time 50 p2time 50 p1inc 1000 p2inc 1000"),
        (50, "go wtime 50 btime 50 movestogo 1"),
        (200, "go p1time 200 p2time 200 movestogo 1"),
        (200, "go p1time 60000 p2time 200"),
    ] {
        let limit = Duration::from_millis(left - 1);
        within(limit, go, |transcript| search_time(go, transcript));
    }
}

#[test]
fn movetime_is_kept() {
    for time in [1, 20, 100] {
        let limit = Duration::from_millis(time + 30);
        let go = format!("go movetime {time}");
        within(limit, &go, |transcript| search_time(&go, transcript));
    }
}

#[test]
fn senseless_limits_take_no_time() {
    for go in [
        "go depth abc",
        "go depth 0",
        "go nodes 0",
        "go movetime 0",
        "go movetime -5",
        "go p1time 0 p2time 0",
        "go p1time -1000 p2time -1000",
        "go wtime 100000",
    ] {
        within(TENTH, go, |transcript| search_time(go, transcript));
    }
}

/// These have thousands of moves.
#[test]
fn a_move_among_thousands_takes_no_time() {
    for fen in [
        "bwbbbbbwb/b2bbb2b/1b2b2b1/2b3b2/bwbbbbbwb w 0 2",
        "b1bbb1bbb/1bb3b2/1b3b2b/bbw1bb1bb/b1bbb1bbb w 0 2",
    ] {
        let limit = Duration::from_millis(200);
        within(limit, fen, |transcript| {
            let mut engine = Engine::ugi();
            engine.send(&format!("position fen {fen}"));
            engine.sync();
            let start = Instant::now();
            engine.search("go nodes 1");
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

#[test]
fn the_clock_runs_from_the_ponderhit_on() {
    for (limit, go) in [(600, "p1time 600 p2time 600"), (130, "movetime 100")] {
        let limit = Duration::from_millis(limit);
        within(limit, &format!("ponderhit of {go}"), |transcript| {
            let mut engine = Engine::ugi();
            engine.send(&format!("position startpos\ngo ponder {go}"));
            engine.expect_line(WAIT, "info line", |line| line.contains(" score "));
            thread::sleep(TENTH);
            let start = Instant::now();
            engine.send("ponderhit");
            engine.read_search();
            let time = start.elapsed();
            finish(engine, transcript);
            time
        });
    }
}

/// Managers send the whole list again and again.
#[test]
fn a_list_of_5000_moves_is_read_in_a_second() {
    let cycle = "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(1250);
    let line = format!("position fen 8b/9/9/9/w8 w 0 20 moves {cycle}");
    let limit = Duration::from_secs(1);
    within(limit, "a list of 5000 moves", |transcript| {
        let mut engine = Engine::ugi();
        let start = Instant::now();
        engine.send(&line);
        engine.sync();
        let time = start.elapsed();
        transcript.push(format!("{} bytes", line.len()));
        engine.finish();
        time
    });
}
