//! Engines that say far more than anybody wants to hear.

use std::time::Duration;

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        timed_trial,
        "flooding",
        a_chatty_engine_plays_on,
        in_place_of_the_handshake,
        #[cfg(unix)]
        a_flood_does_not_hold_up_the_end,
    );
    for behaviour in ["endless-info:2", "endless-line:2", "flood-at-ready:2"] {
        let name = format!("flooding: {behaviour} is a hang");
        trials.push(timed_trial(name, move || loses_by_hanging(behaviour)));
    }
    trials
}

/// Plays against a steady engine; whatever the engine says, the runner does not need more memory for it.
fn play(files: &MatchFiles, chatty: &Contender, options: &str) -> Ended {
    let steady = Contender::new("Steady", "honest").seed(2);
    let run = MatchRun::new(files, [chatty, &steady])
        .args("--each nodes=1 --openings start --concurrency 1")
        .args(options);
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
    let mut running = run.start();
    #[cfg(target_os = "linux")]
    while running.is_running() {
        let memory = crate::runner::processes::peak_memory(running.id());
        assert!(memory.unwrap_or(0) < 256, "{memory:?} MiB");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.finish()
}

/// It goes on between its moves and between games.
fn a_chatty_engine_plays_on() {
    let files = MatchFiles::new();
    let chatty = Contender::new("Chatty", "flood:2").seed(1);
    play(&files, &chatty, "--games 4 --max-plies 16").assert_code(0);
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
    let chatty = Contender::new("Chatty", behaviour);
    let options = "--games 2 --move-timeout 1 --hang-timeout 2";
    play(&files, &chatty, options).assert_code(0);
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
    let ended = play(&files, &chatty, "--games 2 --start-timeout 0.3");
    ended.assert_code(1);
    ended.assert_error(&["Chatty", "ugiok"]);
    files.assert_no_game();
}

#[cfg(unix)]
fn a_flood_does_not_hold_up_the_end() {
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
