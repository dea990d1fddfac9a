//! The files of a record belong to one match, and to one runner at a time.

use std::fs;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        // Elsewhere nobody can read what another process has locked, not even this test.
        #[cfg(unix)]
        trial("record: two runners at once", two_runners),
        trial(
            "record: its settings make the same match",
            settings_make_the_same_match,
        ),
        trial("record: no such file to go on with", nothing_to_resume),
        trial("record: more games and a larger margin", more_games),
        trial("record: a head is enough to go on with", a_head_is_enough),
        #[cfg(unix)]
        trial(
            "record: what cannot be made leaves nothing",
            nothing_is_left,
        ),
        #[cfg(target_os = "linux")]
        trial(
            "record: files that may not grow, and too few of them",
            limits,
        ),
    ];
    for extension in ["toml", "jsonl", "pgn"] {
        let name = format!("record: an existing .{extension} is not overwritten");
        trials.push(trial(name, move || not_overwritten(extension)));
    }
    trials
}

fn engines() -> [Contender; 2] {
    [("First", 1), ("Second", 2)].map(|(name, seed)| Contender::new(name, "honest").seed(seed))
}

fn not_overwritten(extension: &str) {
    let files = MatchFiles::new();
    let path = files.name().with_extension(extension);
    fs::write(&path, "precious").expect("the folder can be written to");
    let [first, second] = engines();
    let ended = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 2 --openings start")
        .fails(&["error", "exists", &format!("bout.{extension}")]);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "precious");
    let others = fs::read_dir(files.folder()).expect("the folder is there");
    assert_eq!(others.count(), 1, "no other file was made");
    // What is no match cannot go on.
    assert!(!ended.stderr.contains("--resume"), "{ended}");
}

/// A file that cannot be made, after others could.
#[cfg(unix)]
fn nothing_is_left() {
    for extension in ["toml", "pgn"] {
        let files = MatchFiles::new();
        let path = files.name().with_extension(extension);
        // It is not there, and is not to be replaced.
        std::os::unix::fs::symlink("nowhere", &path).expect("a link");
        let [first, second] = engines();
        MatchRun::new(&files, [&first, &second])
            .args("--each nodes=1 --games 2 --openings start")
            .fails(&["error", &format!("bout.{extension}")]);
        let left = fs::read_dir(files.folder()).expect("the folder is there");
        assert_eq!(left.count(), 1, "the link");
    }
}

/// What the system refuses ends a match with an error that names it, and nothing is lost.
#[cfg(target_os = "linux")]
fn limits() {
    let undisturbed = MatchFiles::new();
    let [first, second] = engines();
    let run = |files: &MatchFiles| {
        MatchRun::new(files, [&first, &second])
            .args("--each nodes=1 --games 12 --openings random --rules dimy --concurrency 1")
    };
    run(&undisturbed).play_well();
    for (limit, words) in [
        (
            "ulimit -f 16",
            &["bout.jsonl", "File too large", "--resume"][..],
        ),
        ("ulimit -n 14", &["does not start", "Too many open files"]),
    ] {
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
fn a_head_is_enough() {
    let whole = MatchFiles::new();
    let [first, second] = engines();
    MatchRun::new(&whole, [&first, &second])
        .args("--each nodes=1 --games 2 --openings start --rules dimy")
        .play_well();
    let text = fs::read_to_string(whole.state()).expect("the state is there");
    let head = text.split_inclusive('\n').next().expect("a head");
    let files = MatchFiles::new();
    fs::write(files.state(), head).expect("it can be written");
    MatchRun::from_config(&whole.toml(), &files).fails(&["bout.jsonl exists already", "--resume"]);
    MatchRun::resume(&files.state()).play_well();
    files.record().assert_games(2);
    assert_pgn_agrees(&files);
}

#[cfg(unix)]
fn two_runners() {
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

fn settings_make_the_same_match() {
    let files = MatchFiles::new();
    let [first, second] = engines();
    MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 4 --openings random --order random --seed 3 --rules dimy")
        .play_well();
    let again = MatchFiles::new();
    MatchRun::from_config(&files.toml(), &again).play_well();
    let [one, other] = [files.record(), again.record()];
    other.assert_games(4);
    for (one, other) in one.by_number().values().zip(other.by_number().values()) {
        assert_eq!(
            format!("{:?}", one.essence()),
            format!("{:?}", other.essence())
        );
    }
}

/// Like another match of that length, however often it goes on.
fn more_games() {
    let [files, whole] = [MatchFiles::new(), MatchFiles::new()];
    let new = |files: &MatchFiles, games: u32| {
        MatchRun::new(files, &engines())
            .args("--each nodes=1 --openings riatra --max-plies 10 --games")
            .arg(games.to_string())
            .play_well();
    };
    new(&files, 4);
    new(&whole, 8);
    let resume = |arguments: &str| MatchRun::resume(&files.state()).args(arguments).play();
    let refused = resume("--games 2");
    refused.assert_code(2);
    refused.assert_error(&["invalid games '2': expected at least 4"]);
    resume("--games 6").assert_code(0);
    assert_eq!(games(&files).len(), 6);
    resume("--games 8 --each timemargin=30").assert_code(0);
    let refused = resume("--each timemargin=20");
    refused.assert_code(2);
    refused.assert_error(&["invalid timemargin '20': expected at least 30"]);
    resume("").assert_code(0);
    let moves = |files: &MatchFiles| {
        let mut games = games(files);
        games.sort_by_key(|game| game["game"].as_u64());
        let essence = |game: &Value| format!("{} {}", game["game"], game["opening"]);
        games.iter().map(essence).collect::<Vec<_>>()
    };
    assert_eq!(moves(&files), moves(&whole));
    let toml = fs::read_to_string(files.toml()).expect("the settings");
    assert!(
        toml.contains("games = 8\n") && toml.contains("timemargin = 30\n"),
        "{toml}"
    );
}

/// The games of a record; heads that changed its settings stand between them.
fn games(files: &MatchFiles) -> Vec<Value> {
    let text = fs::read_to_string(files.state()).expect("the state");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    lines
        .filter(|line: &Value| line.get("match").is_none())
        .collect()
}

fn nothing_to_resume() {
    let files = MatchFiles::new();
    MatchRun::resume(&files.state()).fails(&[
        "error",
        "bout.jsonl",
        "expected the NAME.jsonl of a match",
    ]);
    let made = fs::read_dir(files.folder()).expect("the folder is there");
    assert_eq!(made.count(), 0);
}
