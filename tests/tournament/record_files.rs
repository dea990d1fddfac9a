//! The files of a record belong to one match, and to one runner at a time.

use std::fs;

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    trials!(
        trial,
        "record",
        files_that_are_there_are_not_overwritten,
        more_games_and_a_larger_margin,
        a_head_is_enough_to_go_on_with,
        // Elsewhere nobody can read what another process has locked, not even this test.
        #[cfg(unix)]
        two_runners_at_once,
        #[cfg(unix)]
        files_that_others_change_meanwhile,
        #[cfg(unix)]
        what_cannot_be_made_leaves_nothing,
        #[cfg(target_os = "linux")]
        files_that_may_not_grow_and_too_few_of_them,
    )
}

fn engines() -> [Contender; 2] {
    [("First", 1), ("Second", 2)].map(|(name, seed)| Contender::new(name, "honest").seed(seed))
}

/// A short match of them.
fn short_match(files: &MatchFiles) -> MatchRun {
    MatchRun::new(files, &engines()).args("--each nodes=1 --games 2 --openings start --rules dimy")
}

fn files_that_are_there_are_not_overwritten() {
    for extension in ["toml", "jsonl", "pgn"] {
        let files = MatchFiles::new();
        let path = files.name().with_extension(extension);
        fs::write(&path, "precious").expect("the folder can be written to");
        let ended = short_match(&files).fails(&["error", "exists", &format!("bout.{extension}")]);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "precious");
        let others = fs::read_dir(files.folder()).expect("the folder is there");
        assert_eq!(others.count(), 1, "no other file was made");
        // What is no match cannot go on.
        assert!(!ended.stderr.contains("--resume"), "{ended}");
    }
}

/// A file that cannot be made, after others could.
#[cfg(unix)]
fn what_cannot_be_made_leaves_nothing() {
    for extension in ["toml", "pgn"] {
        let files = MatchFiles::new();
        let path = files.name().with_extension(extension);
        // It is not there, and is not to be replaced.
        std::os::unix::fs::symlink("nowhere", &path).expect("a link");
        short_match(&files).fails(&["error", &format!("bout.{extension}")]);
        let left = fs::read_dir(files.folder()).expect("the folder is there");
        assert_eq!(left.count(), 1, "the link");
    }
}

/// What the system refuses ends a match with an error that names it, and nothing is lost.
#[cfg(target_os = "linux")]
fn files_that_may_not_grow_and_too_few_of_them() {
    let run = |files: &MatchFiles| {
        MatchRun::new(files, &engines())
            .args("--each nodes=1 --games 12 --openings random --rules dimy --concurrency 1")
    };
    let undisturbed = MatchFiles::new();
    run(&undisturbed).play_well();
    let too_large: &[&str] = &["bout.jsonl", "File too large", "--resume"];
    let too_many: &[&str] = &["does not start", "Too many open files"];
    for (limit, words) in [("ulimit -f 16", too_large), ("ulimit -n 14", too_many)] {
        let files = MatchFiles::new();
        run(&files).under(limit).fails(words);
        if files.state().exists() {
            MatchRun::resume(&files.state()).play_well();
            assert_eq!(
                files.record().essences(),
                undisturbed.record().essences(),
                "{limit}"
            );
            assert_pgn_agrees(&files);
        }
    }
}

/// Once its head is written a match can go on, whatever else was to come.
fn a_head_is_enough_to_go_on_with() {
    let whole = MatchFiles::new();
    short_match(&whole).play_well();
    let text = fs::read_to_string(whole.state()).expect("the state is there");
    let head = text.split_inclusive('\n').next().expect("a head");
    let files = MatchFiles::new();
    fs::write(files.state(), head).expect("it can be written");
    MatchRun::from_config(&whole.toml(), &files).fails(&["bout.jsonl exists already", "--resume"]);
    MatchRun::resume(&files.state()).play_well();
    assert_eq!(files.record().essences(), whole.record().essences());
    assert_pgn_agrees(&files);
}

#[cfg(unix)]
fn two_runners_at_once() {
    let files = MatchFiles::new();
    let slow = Contender::new("Slow", "delay:30").seed(1);
    let [_, second] = engines();
    let run = MatchRun::new(&files, [&slow, &second])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1 --max-plies 30");
    let mut running = run.start();
    running.wait_until("its first game", || files.lines() > 1);
    let resumed = MatchRun::resume(&files.state()).play();
    let begun = run.play();
    assert!(
        running.is_running(),
        "the match was long enough for this test"
    );
    resumed.assert_code(1);
    resumed.assert_error(&["error", "bout.jsonl", "in use"]);
    begun.assert_code(1);
    begun.assert_error(&["error", "exists"]);
    running.finish().assert_code(0);
    files.record().assert_games(4);
    assert_pgn_agrees(&files);
}

/// An editor that replaces a file, one that adds a note to it, and one who removes it.
#[cfg(unix)]
fn files_that_others_change_meanwhile() {
    let slow = Contender::new("Slow", "delay:10").seed(1);
    let [_, second] = engines();
    let options = "--each nodes=1 --games 6 --openings start --concurrency 1 --max-plies 30";
    let run = |files: &MatchFiles, code: i32, change: &dyn Fn(&str)| {
        let mut running = MatchRun::new(files, [&slow, &second]).args(options).start();
        running.wait_until("its first game", || files.lines() > 1);
        change(&fs::read_to_string(files.pgn()).expect("it is there"));
        let ended = running.finish();
        ended.assert_code(code);
        ended
    };
    let replace = |path: &std::path::Path, text: String| {
        let new = path.with_extension("new");
        fs::write(&new, text).expect("it can be written");
        fs::rename(new, path).expect("it can be replaced");
    };
    let [replaced, noted, removed] = [0; 3].map(|_| MatchFiles::new());
    let ended = run(&replaced, 0, &|text| {
        replace(&replaced.pgn(), text.to_owned() + "; note\n")
    });
    ended.assert_error(&[
        "bout.pgn: it was changed, and lacks",
        "of 6 games",
        "move it away",
    ]);
    let ended = run(&noted, 0, &|text| {
        fs::write(noted.pgn(), text.to_owned() + "; note\n").expect("it can be written");
    });
    ended.assert_error(&[
        "bout.pgn: it was changed, and lacks",
        "of 6 games",
        "move it away",
    ]);
    for files in [replaced, noted] {
        let text = fs::read_to_string(files.pgn()).expect("it is there");
        assert!(text.ends_with("; note\n"), "{text}");
        fs::remove_file(files.pgn()).expect("it is there");
        MatchRun::resume(&files.state()).play().assert_code(0);
        let text = fs::read_to_string(files.pgn()).expect("it is written anew");
        assert_eq!(text.matches("[Event ").count(), 6);
    }
    let ended = run(&removed, 0, &|_| {
        fs::remove_file(removed.state()).expect("it is there")
    });
    ended.assert_error(&["bout.jsonl: another program has", "the games are in"]);
    ended.assert_summary(&["bout.pgn\n"]);
    assert!(!ended.stdout.contains("bout.jsonl"), "{ended}");

    let gone = MatchFiles::new();
    let ended = run(&gone, 0, &|_| {
        fs::remove_file(gone.pgn()).expect("it is there");
    });
    ended.assert_error(&["bout.pgn: it was removed; --resume the match"]);
    assert!(!ended.stdout.contains("bout.pgn"), "{ended}");
    let gone = MatchFiles::new();
    let ended = run(&gone, 1, &|_| {
        fs::remove_dir_all(gone.folder()).expect("it is there");
    });
    ended.assert_error(&[
        "bout.jsonl: another program has",
        "the same has happened to",
    ]);
    let summary = ended.stdout.lines().next().unwrap_or_default();
    assert!(summary.ends_with(", 6 games"), "{ended}");
    assert!(!ended.stdout.contains("\nrecord"), "{ended}");
}

/// Like another match of that length, however often it goes on.
fn more_games_and_a_larger_margin() {
    let [files, whole] = [MatchFiles::new(), MatchFiles::new()];
    let new = |files: &MatchFiles, games: u32| {
        let options = "--each nodes=1 --openings riatra --max-plies 10 --concurrency 1 --games";
        files.play(&engines(), &format!("{options} {games}"));
    };
    new(&files, 4);
    new(&whole, 8);
    let resume = |arguments: &str, error: &str| {
        let ended = MatchRun::resume(&files.state()).args(arguments).play();
        ended.assert_code(if error.is_empty() { 0 } else { 2 });
        ended.assert_error(&[error]);
    };
    resume("--games 2", "invalid games '2': expected at least 4");
    resume("--games 6", "");
    files.record().assert_games(6);
    resume("--games 8 --each timemargin=30", "");
    resume(
        "--each timemargin=20",
        "invalid timemargin '20': expected at least 30",
    );
    resume("", "");
    assert_eq!(files.record().essences(), whole.record().essences());
    let toml = fs::read_to_string(files.toml()).expect("the settings");
    assert!(
        toml.contains("games = 8\n") && toml.contains("timemargin = 30\n"),
        "{toml}"
    );
}
