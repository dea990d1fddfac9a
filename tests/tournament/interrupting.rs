//! A match that is stopped before its end and goes on later.

use std::fs;

use libtest_mimic::Trial;
use vato_solver::files::AppendFile;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    trials!(
        trial,
        "interrupting",
        #[cfg(unix)]
        running_games_are_finished,
        a_match_that_is_over_stays_as_it_is,
        #[cfg(unix)]
        while_engines_start,
    )
}

/// Games of the matches here.
const GAMES: u32 = 10;

/// Slow enough to be interrupted in the middle of games.
fn new_match(files: &MatchFiles) -> MatchRun {
    let engines = [1, 2].map(|seed| Contender::new(&format!("E{seed}"), "delay:5").seed(seed));
    MatchRun::new(files, &engines)
        .args("--each nodes=1 --rules dimy --openings random --concurrency 2")
        .args(&format!("--games {GAMES}"))
}

#[cfg(unix)]
fn running_games_are_finished() {
    let files = MatchFiles::new();
    let mut running = new_match(&files).start();
    running.wait_until("its first game", || files.lines() > 1);
    running.signal("INT");
    let ended = running.finish();
    ended.assert_code(3);
    ended.assert_error(&["--resume", "bout.jsonl"]);
    let record = files.record();
    let played = record.games.len() as u32;
    assert!((2..GAMES).contains(&played), "{played} games");
    // Each pair is played by one place in its order: no first game that was under way is missing.
    let numbers = record.by_number();
    for number in numbers.keys().filter(|number| *number % 2 == 0) {
        assert!(numbers.contains_key(&(number - 1)), "{number} alone");
    }
    record.assert_faultless();
    assert_pgn_agrees(&files);
    ended.assert_summary(&[&format!("{played} games of {GAMES} (stopped)")]);

    let resumed = MatchRun::resume(&files.state()).play_well();
    let whole = files.record();
    whole.assert_games(GAMES);
    whole.assert_faultless();
    assert_pgn_agrees(&files);
    resumed.assert_score(&whole, "E1");
    for (before, after) in record.games.iter().zip(&whole.games) {
        assert_eq!(
            format!("{before:?}"),
            format!("{after:?}"),
            "what was there stays"
        );
    }
}

fn a_match_that_is_over_stays_as_it_is() {
    let files = MatchFiles::new();
    let ended = new_match(&files).play_well();
    let read = || [files.state(), files.pgn()].map(|path| fs::read(path).expect("a file"));
    let before = read();
    let score = |ended: &Ended| {
        let mut lines = ended.stdout.lines();
        lines
            .find(|line| line.starts_with("score"))
            .map(str::to_owned)
    };
    let resumed = MatchRun::resume(&files.state()).play_well();
    assert_eq!(score(&ended), score(&resumed));
    // It is told, too, where the files can only be read, here as another process has them.
    let _held = AppendFile::open(&files.state(), false).expect("the file is there");
    let resumed = MatchRun::resume(&files.state()).play_well();
    assert_eq!(score(&ended), score(&resumed));
    assert_eq!(before, read());
}

/// Starts a match whose engines never start, and stops it.
#[cfg(unix)]
fn stop_at_the_start(run: &MatchRun, files: &MatchFiles, signal: &str) -> Ended {
    let told = files.subfolder("told");
    let mut running = run.start();
    running.wait_until("the start of an engine", || {
        fs::read_dir(&told).is_ok_and(|mut folder| folder.next().is_some())
    });
    running.signal(signal);
    let ended = running.finish();
    assert!(ended.time.as_secs() < 30, "{ended}");
    ended
}

#[cfg(unix)]
fn while_engines_start() {
    const NEVER: &str = "slow-start:600000";
    let run = |files: &MatchFiles, behaviour: &str| {
        let told = files.folder().join("told");
        let first = Contender::new("First", behaviour).transcripts(&told);
        let second = Contender::new("Second", "honest");
        MatchRun::new(files, [&first, &second])
            .args("--each nodes=1 --games 2 --openings start --rules dimy --start-timeout 100")
    };
    // A new match: there is nothing to go on with.
    let files = MatchFiles::new();
    let ended = stop_at_the_start(&run(&files, NEVER), &files, "INT");
    ended.assert_code(3);
    ended.assert_error(&["stopped before the first game"]);
    assert!(!files.state().exists());

    // One that goes on: its record has a game, and its engines have become slow.
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    run(&files, "honest").play_well();
    fs::remove_dir_all(&told).expect("the folder can be removed");
    let text = fs::read_to_string(files.state()).expect("the state is there");
    let slow = text.replacen("honest", NEVER, 1);
    let slow: String = slow.split_inclusive('\n').take(2).collect();
    fs::write(files.state(), &slow).expect("it can be written");
    fs::remove_file(files.pgn()).expect("it can be removed");
    let ended = stop_at_the_start(&MatchRun::resume(&files.state()), &files, "TERM");
    ended.assert_code(3);
    ended.assert_error(&["--resume", "bout.jsonl"]);
    assert_eq!(
        fs::read_to_string(files.state()).expect("it is there"),
        slow
    );
}
