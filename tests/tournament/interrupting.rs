//! A match that is stopped before its end and goes on later.

use libtest_mimic::Trial;
use vato_solver::files::AppendFile;

use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    vec![
        #[cfg(unix)]
        trial(
            "interrupting: running games are finished",
            running_games_are_finished,
        ),
        trial(
            "interrupting: a match that is over stays as it is",
            over_is_over,
        ),
        #[cfg(unix)]
        trial("interrupting: before the first game", before_the_first_game),
        #[cfg(unix)]
        trial("interrupting: before a match goes on", before_it_goes_on),
    ]
}

/// Games of the matches here.
const GAMES: u32 = 10;

fn new_match(files: &MatchFiles) -> MatchRun {
    // Slow enough to be interrupted in the middle of games.
    let first = Contender::new("First", "delay:5").seed(1);
    let second = Contender::new("Second", "delay:5").seed(2);
    MatchRun::new(files, [&first, &second])
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
    ended.assert_summary(&[&format!("{played} games of {GAMES}")]);

    let resumed = MatchRun::resume(&files.state()).play_well();
    let whole = files.record();
    whole.assert_games(GAMES);
    whole.assert_faultless();
    assert_pgn_agrees(&files);
    resumed.assert_score(&whole, "First");
    for (before, after) in record.games.iter().zip(&whole.games) {
        assert_eq!(
            format!("{before:?}"),
            format!("{after:?}"),
            "what was there stays"
        );
    }
}

fn over_is_over() {
    let files = MatchFiles::new();
    let ended = new_match(&files).play_well();
    let [state, pgn] = [files.state(), files.pgn()];
    let read = || [&state, &pgn].map(|path| std::fs::read(path).expect("the file is there"));
    let before = read();
    let resumed = MatchRun::resume(&files.state()).play_well();
    assert_eq!(before, read());
    let score = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("score"))
            .map(str::to_owned)
    };
    assert_eq!(score(&ended.stdout), score(&resumed.stdout));
    // It is told, too, where the files can only be read, here as another process has them.
    let _held = AppendFile::open(&state, false).expect("the file is there");
    let resumed = MatchRun::resume(&state).play_well();
    assert_eq!(score(&ended.stdout), score(&resumed.stdout));
}

/// Stops a match while its engines start, which takes them for ever.
#[cfg(unix)]
fn stop_at_the_start(run: &MatchRun, files: &MatchFiles) -> crate::runner::Ended {
    let told = files.subfolder("told");
    let mut running = run.start();
    running.wait_until("the start of an engine", || {
        std::fs::read_dir(&told).is_ok_and(|mut folder| folder.next().is_some())
    });
    running.signal("TERM");
    let ended = running.finish();
    assert!(ended.time.as_secs() < 30, "{ended}");
    ended
}

/// Arguments of an engine that does not start before the test is over.
#[cfg(unix)]
const NEVER: &str = "slow-start:600000";

#[cfg(unix)]
fn before_the_first_game() {
    let files = MatchFiles::new();
    let first = Contender::new("First", NEVER).transcripts(&files.folder().join("told"));
    let second = Contender::new("Second", "honest");
    let run = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 2 --openings start --start-timeout 100");
    let ended = stop_at_the_start(&run, &files);
    // There is nothing to go on with.
    assert_ne!(ended.status.code(), Some(0), "{ended}");
    assert!(!files.state().exists());
}

#[cfg(unix)]
fn before_it_goes_on() {
    let files = MatchFiles::new();
    let first = Contender::new("First", "delay:5").transcripts(&files.folder().join("told"));
    let second = Contender::new("Second", "honest");
    let told = files.subfolder("told");
    let mut running = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 100 --openings start --start-timeout 100")
        .start();
    running.wait_until("its first game", || files.lines() > 1);
    running.signal("TERM");
    running.finish().assert_code(3);
    std::fs::remove_dir_all(&told).expect("the folder can be removed");

    let text = std::fs::read_to_string(files.state()).expect("the state is there");
    let slow = text.replacen("delay:5", NEVER, 1);
    std::fs::write(files.state(), &slow).expect("it can be written");
    let ended = stop_at_the_start(&MatchRun::resume(&files.state()), &files);
    ended.assert_code(3);
    ended.assert_error(&["--resume", "bout.jsonl"]);
    let after = std::fs::read_to_string(files.state()).expect("the state is there");
    assert_eq!(after, slow);
}
