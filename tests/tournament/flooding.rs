//! Engines that say far more than anybody wants to hear.

use std::time::Duration;

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::timed_trial;

/// What the runner may need, whatever its engines say.
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 256;

/// Short times for a move, and for other answers that never come.
const LIMITS: &str = "--move-timeout 1 --hang-timeout 2";

pub fn trials() -> Vec<Trial> {
    vec![
        timed_trial("flooding: a chatty engine plays on", chatty),
        timed_trial("flooding: information without end is a hang", || {
            loses_by_hanging("endless-info:2");
        }),
        timed_trial("flooding: a line without end is a hang", || {
            loses_by_hanging("endless-line:2");
        }),
        timed_trial(
            "flooding: information in place of readyok is a hang",
            || {
                loses_by_hanging("flood-at-ready:2");
            },
        ),
        timed_trial(
            "flooding: information in place of the handshake",
            in_place_of_the_handshake,
        ),
        #[cfg(unix)]
        timed_trial(
            "flooding: a flood does not hold up the end",
            stopped_in_a_flood,
        ),
    ]
}

/// Plays to the end and looks at the memory meanwhile.
fn play(run: &MatchRun) -> Ended {
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
    let mut running = run.start();
    #[cfg(target_os = "linux")]
    while running.is_running() {
        let memory = crate::runner::processes::peak_memory(running.id());
        assert!(memory.unwrap_or(0) < MOST_MEMORY, "{memory:?} MiB");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.finish()
}

fn chatty() {
    let files = MatchFiles::new();
    // It goes on between its moves and between games.
    let chatty = Contender::new("Chatty", "flood:2").seed(1);
    let steady = Contender::new("Steady", "honest").seed(2);
    let run = MatchRun::new(&files, [&chatty, &steady])
        .args("--each nodes=1 --games 4 --openings start --max-plies 16 --concurrency 1");
    play(&run).assert_code(0);
    let record = files.record();
    record.assert_games(4);
    for game in &record.games {
        assert_eq!(game.termination, "adjudicated-length", "{}", game.reason);
        assert_eq!(game.checks.len(), 0, "{:?}", game.checks);
    }
    assert_pgn_agrees(&files);
}

fn loses_by_hanging(behaviour: &str) {
    let files = MatchFiles::new();
    let chatty = Contender::new("Chatty", behaviour).with("nodes=1");
    let steady = Contender::new("Steady", "honest").with("tc=60+1");
    let run = MatchRun::new(&files, [&chatty, &steady])
        .args("--games 2 --openings start --concurrency 1")
        .args(LIMITS);
    let ended = play(&run);
    ended.assert_code(0);
    let record = files.record();
    record.assert_games(2);
    for game in &record.games {
        assert_eq!(game.termination, "hang", "{}", game.reason);
        assert_eq!(game.winner.as_deref(), Some("Steady"));
        assert!(game.reason.contains("Chatty"), "{}", game.reason);
    }
    assert_pgn_agrees(&files);
}

fn in_place_of_the_handshake() {
    let files = MatchFiles::new();
    let chatty = Contender::new("Chatty", "flood-at-start");
    let steady = Contender::new("Steady", "honest");
    let run = MatchRun::new(&files, [&chatty, &steady])
        .args("--games 2 --each nodes=1 --start-timeout 0.3");
    let ended = play(&run);
    ended.assert_code(1);
    ended.assert_error(&["Chatty", "ugiok"]);
    files.assert_no_game();
}

#[cfg(unix)]
fn stopped_in_a_flood() {
    let files = MatchFiles::new();
    let chatty = Contender::new("Chatty", "endless-info");
    let steady = Contender::new("Steady", "honest");
    let mut running = MatchRun::new(&files, [&chatty, &steady])
        .args("--games 2 --openings start --each nodes=1 --concurrency 1")
        .start();
    running.wait_until("the record", || files.lines() == 1);
    running.signal("TERM");
    let ended = running.finish();
    ended.assert_code(3);
    assert!(ended.time < Duration::from_secs(60), "{ended}");
    files.assert_no_game();
}
