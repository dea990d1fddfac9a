//! Opening books, seen from outside: `vato book`.

use std::fs;
use std::path::Path;

use crate::support::Engine;
use crate::support::command_line::{interrupt, run, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// The arguments of a short build.
fn arguments<'a>(book: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = [
        "book",
        "build",
        "--hash",
        "1",
        "--threads",
        "2",
        "--out",
        book,
    ];
    [&words, more].concat()
}

const SMALL: [&str; 6] = ["--rules", "dimy", "--nodes", "200", "--plies", "3"];

#[test]
fn a_book_is_built_told_and_exported() {
    let folder = folder();
    let book = path(&folder, "my.book");
    let text = stdout(&arguments(&book, &SMALL));
    let (first, main_line) = text.split_once('\n').expect("two lines");
    assert!(
        first.ends_with(" of them new: all within the margins of the first 3 plies"),
        "{text}"
    );
    assert!(main_line.starts_with("main line    "), "{text}");
    let bytes = fs::read(&book).expect("the book is there");
    assert!(!Path::new(&format!("{book}.part")).exists());

    // What is done is not done again.
    let again = stdout(&arguments(&book, &SMALL));
    assert!(again.contains(" 0 of them new"), "{again}");
    assert_eq!(fs::read(&book).ok().as_deref(), Some(bytes.as_slice()));

    let info = stdout(&["book", "info", &book]);
    for part in [
        "rules        dimy",
        "evaluation classical, 200 nodes a position for at most 5 moves",
        "for both sides, moves within 0.20, replies within 0.60",
        "limits       3 plies, 1,000 positions; complete",
        ", by ply 1 ",
        main_line.trim_end(),
        "| move ",
    ] {
        assert!(info.contains(part), "{part}: {info}");
    }

    // A probe has what the export has of a position.
    let probe = |more: &[&str]| {
        let json = stdout(&[&["book", "probe", &book, "--json"], more].concat());
        serde_json::from_str::<Value>(&json).expect("JSON")
    };
    for known in stdout(&["book", "export", &book, "--json"]).lines() {
        let known: Value = serde_json::from_str(known).expect("JSON");
        let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let line = list(&known["line"]);
        let line: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
        let probed = list(&probe(&["--moves", &line.join(" ")])["moves"]);
        let exported = list(&known["moves"]);
        assert_eq!(probed.len(), exported.len());
        for (one, other) in probed.iter().zip(&exported) {
            for key in ["move", "score", "weight"] {
                assert_eq!(one[key], other[key], "{line:?}");
            }
        }
    }
    let probed = probe(&[]);
    assert_eq!(probed["played"], true);
    let best = probed["moves"][0]["move"].as_str().expect("text");
    let csv = stdout(&["book", "probe", &book, "--csv"]);
    let row = csv.lines().nth(1).expect("a row");
    let score = probed["moves"][0]["score"]["centi_stones"].to_string();
    assert!(row.starts_with(&format!("{best},{score},")), "{csv}");
    // For the side to move, as in JSON.
    let black = ["--moves", best];
    let score = &probe(&black)["moves"][0]["score"]["centi_stones"];
    let csv = stdout(&[&["book", "probe", &book, "--csv"][..], &black].concat());
    let row = csv.lines().nth(1).expect("a row");
    assert_eq!(row.split(',').nth(1), Some(&*score.to_string()), "{csv}");
    let unknown = ["book", "probe", &book, "--fen", "5/2b2/1w3/4b/5 w 0 20"];
    let message = stderr(&unknown, 1);
    assert_eq!(message, "error: the position is not in the book\n");

    let export = stdout(&["book", "export", &book]);
    let lines: Vec<&str> = export.lines().collect();
    assert!(
        first.contains(&format!(": {} positions", lines.len())),
        "{first}"
    );
    assert!(
        lines[0].starts_with("bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1 ; "),
        "{export}"
    );
    let objects = stdout(&["book", "export", &book, "--json"]);
    let objects: Vec<Value> = objects
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), lines.len());
    for (object, line) in objects.iter().zip(&lines) {
        let (fen, moves) = line.split_once(" ; ").expect("a FEN and moves");
        assert_eq!(object["fen"], fen);
        let listed = object["moves"].as_array().expect("moves");
        assert_eq!(moves.split(", ").count(), listed.len());
        // The best move is the first, and has the largest weight.
        assert_eq!(listed[0]["weight"], 1_000);
        assert!(
            listed[0]["score"]["centi_stones"].is_i64()
                || listed[0]["score"]["plies_to_end"].is_i64()
        );
        let name = listed[0]["move"].as_str().expect("a move");
        assert!(moves.starts_with(&format!("{name} ")), "{line}");
        assert!(object["line"].as_array().expect("moves").len() < 3);
    }
}

/// Positions as they stand in the export are openings for games.
#[test]
fn the_export_is_a_book_of_openings() {
    let folder = folder();
    let (book, openings) = (path(&folder, "my.book"), path(&folder, "openings.fen"));
    stdout(&arguments(&book, &["--nodes", "100", "--plies", "2"]));
    fs::write(&openings, stdout(&["book", "export", &book])).expect("there is room");
    let games = path(&folder, "games");
    let words = [
        "--games",
        "2",
        "--each",
        "nodes=20",
        "--openings",
        &openings,
        "--out",
        &games,
    ];
    let output = run(&[&["match"][..], &words].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("faults       none"), "{text}");
}

/// What other programs want: a FEN a line, as `position fen` takes it.
#[test]
fn bare_fens_are_positions() {
    let folder = folder();
    let book = path(&folder, "my.book");
    stdout(&arguments(&book, &SMALL));
    let fens = |which: &str| -> Vec<String> {
        let text = stdout(&["book", "export", &book, "--fen", which]);
        text.lines().map(str::to_owned).collect()
    };
    let text = stdout(&["book", "export", &book]);
    let known: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(" ; ").next())
        .collect();
    let (all, ends) = (fens("all"), fens("ends"));
    assert_eq!(all, known);
    assert!(!ends.is_empty());
    assert!(ends.iter().all(|fen| !all.contains(fen)));
    let mut engine = Engine::ugi();
    engine.send("setoption name UCI_Variant value dimy");
    for fen in all.iter().chain(&ends) {
        assert_eq!(engine.ask(&format!("position fen {fen}")), [""; 0]);
        assert_eq!(engine.query("result"), "none");
    }
    engine.finish();
    let error = stderr(&["book", "export", &book, "--fen", "all", "--json"], 2);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_book_that_grows_has_no_more_positions_than_wanted() {
    let folder = folder();
    let (book, other) = (path(&folder, "my.book"), path(&folder, "other.book"));
    let small = stdout(&arguments(&other, &SMALL));
    let count = |text: &str| -> usize {
        let (_, rest) = text.split_once(": ").expect("a number");
        let (number, _) = rest.split_once(' ').expect("a number");
        number.parse().expect("a number")
    };
    let all = count(&small).to_string();
    stdout(&arguments(
        &book,
        &[&SMALL[..], &["--positions", &all]].concat(),
    ));
    let most = (count(&small) + 1).to_string();
    let more = [
        "--rules",
        "dimy",
        "--nodes",
        "200",
        "--plies",
        "20",
        "--positions",
        &most,
    ];
    let large = stdout(&arguments(&book, &more));
    assert!(
        large.contains(" 1 of them new: as many as were wanted"),
        "{large}"
    );
    let export = stdout(&["book", "export", &book]);
    assert_eq!(export.lines().count().to_string(), most);
}

#[test]
fn settings_decide_what_is_searched() {
    let folder = folder();
    let count = |name: &str, more: &[&str]| {
        let book = path(&folder, name);
        let words = [
            "--rules", "dimy", "--nodes", "100", "--plies", "4", "--margin", "0.1",
        ];
        stdout(&arguments(&book, &[&words, more].concat()));
        stdout(&["book", "export", &book]).lines().count()
    };
    let [both, white, black] =
        ["both", "white", "black"].map(|side| count(side, &["--side", side]));
    assert!(white < both && black < both, "{white}, {black}, {both}");
    let narrow = count("narrow", &["--reply-margin", "0"]);
    assert!(narrow < both, "{narrow} of {both}");
    assert_eq!(count("few", &["--positions", "7"]), 7);
    let one = count("one", &["--moves", "1"]);
    assert!(one <= 4, "a single line: {one}");
}

#[cfg(unix)]
#[test]
fn a_build_that_was_killed_comes_to_the_same_book() {
    let folder = folder();
    let (whole, killed) = (path(&folder, "whole"), path(&folder, "killed"));
    let more = ["--nodes", "1000", "--plies", "6", "--positions", "100"];
    stdout(&arguments(&whole, &more));
    let mut running = crate::support::command_line::vato(&arguments(&killed, &more))
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for(&killed, &mut running);
    running.kill().expect("it is ours");
    running.wait().expect("it ends");
    let text = stdout(&arguments(&killed, &more));
    assert!(text.contains(": 100 positions, "), "{text}");
    assert!(
        !text.contains(" 100 of them new"),
        "something had been kept: {text}"
    );
    assert_eq!(fs::read(&killed).ok(), fs::read(&whole).ok());
}

/// Waits until the first positions are on disk.
#[cfg(unix)]
fn wait_for(path: &str, running: &mut std::process::Child) {
    let started = std::time::Instant::now();
    while !Path::new(path).exists() {
        assert!(started.elapsed().as_secs() < 60, "no book");
        let ended = running.try_wait().expect("it can be asked").is_some();
        assert!(
            !ended || Path::new(path).exists(),
            "it has ended without a book"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_searches() {
    let folder = folder();
    let book = path(&folder, "long.book");
    let long = [
        "--nodes",
        "3000",
        "--plies",
        "200",
        "--positions",
        "1000000",
    ];
    let mut running = crate::support::command_line::vato(&arguments(&book, &long))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for(&book, &mut running);
    let second = stderr(&arguments(&book, &long), 1);
    assert!(second.contains("long.book: in use"), "{second}");
    interrupt(&running);
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("finishing the running searches"), "{error}");
    assert!(error.contains("goes on when the same command"), "{error}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("of them new: stopped"), "{text}");
    let info = stdout(&["book", "info", &book]);
    assert!(
        info.contains("not complete, the same build goes on"),
        "{info}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    let book = path(&folder, "my.book");
    stdout(&arguments(&book, &SMALL));
    let right = fs::read(&book).expect("the book is there");
    let other = [&SMALL[..], &["--margin", "0.3"]].concat();
    let error = stderr(&arguments(&book, &other), 1);
    assert!(
        error.contains(
            "my.book was begun with other settings: margin: 0.20 in the book, 0.30 requested"
        ),
        "{error}"
    );
    assert_eq!(fs::read(&book).ok().as_deref(), Some(right.as_slice()));
    for (word, value, what) in [
        (
            "--margin",
            "-1",
            "expected a distance of scores from 0 to 10",
        ),
        ("--rules", "board=4x4", "no board of size '4x4'"),
        ("--side", "red", "possible values: white, black, both"),
        ("--plies", "0", "from 1 to 200"),
        ("--nodes", "0", "from 1"),
    ] {
        let error = stderr(
            &["book", "build", "--out", &book, &format!("{word}={value}")],
            2,
        );
        assert!(error.contains(what), "{word} {value}: {error}");
    }
    let flipped = |place: usize| {
        let mut bytes = right.clone();
        bytes[place] ^= 0x20;
        bytes
    };
    let damaged: [(Vec<u8>, &str); 6] = [
        (Vec::new(), "not an opening book"),
        (b"GIF89a and more".to_vec(), "not an opening book"),
        (
            flipped(8),
            "an opening book of format version 34; this program reads version 2",
        ),
        (flipped(right.len() / 2), "damaged: CRC-32 mismatch"),
        (right[..right.len() - 1].to_vec(), "damaged"),
        (right[..10].to_vec(), "truncated"),
    ];
    for (bytes, what) in damaged {
        fs::write(&book, &bytes).expect("there is room");
        for words in [
            vec!["book", "info", &book],
            vec!["book", "export", &book],
            arguments(&book, &SMALL),
        ] {
            let error = stderr(&words, 1);
            assert!(
                error.contains(what) && error.contains("my.book"),
                "{what}: {error}"
            );
        }
        assert_eq!(fs::read(&book).ok(), Some(bytes), "it is left alone");
    }
    let missing = stderr(&["book", "info", &path(&folder, "none")], 1);
    assert!(
        missing.contains("cannot read") && missing.contains("none"),
        "{missing}"
    );
    let nowhere = path(&folder, "no/such/my.book");
    let error = stderr(&arguments(&nowhere, &SMALL), 1);
    assert!(error.contains("cannot write"), "{error}");
    assert_eq!(run(&["book"]).status.code(), Some(2));
}
