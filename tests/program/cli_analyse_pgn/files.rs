//! Files that are read and written, and games among them that are not right.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::{Folder, MISSED, SEVERAL, arguments, objects};
use crate::support::command_line::{run, stderr, stdout, vato};

/// The second game has an illegal move, the third cannot be read.
const DAMAGED: &str = "[White \"A\"]

1. f2-e3A d5-d4A *

[White \"B\"]
[Black \"X\"]

1. f2-e3A d5-d4A
2. d3-e3 *

[White \"C\"]

1. f2-e3A } *

[White \"D\"]

1. d3-e3A *
";

/// The program with this text at its standard input.
fn with_input(arguments: &[&str], text: &str) -> Output {
    let mut child = vato(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

#[test]
fn damaged_games_are_told_and_the_others_are_analysed() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", DAMAGED);
    let output = run(&arguments(&file, &["--json"]));
    assert_eq!(output.status.code(), Some(1));
    let numbers: Vec<Value> = objects(std::str::from_utf8(&output.stdout).expect("UTF-8"))
        .iter()
        .map(|object| object["game"].clone())
        .collect();
    assert_eq!(numbers, [1, 4]);
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "{file}:9: game 2 (B – X): move 2, White: move 'd3-e3' is illegal: no stone of White's \
             on d3\n\
             {file}:13: game 3 (C – ?): unexpected '}}'\n\
             error: 2 of 4 game records are invalid\n"
        )
    );
    // Those that are not wanted are not looked at.
    let good = ["--json", "--games", "1,4"];
    assert_eq!(objects(&stdout(&arguments(&file, &good))).len(), 2);
}

#[test]
fn games_are_chosen_by_number_and_by_player() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", SEVERAL);
    let chosen = |extra: &[&str]| -> Vec<u64> {
        let text = stdout(&arguments(&file, &[&["--json"], extra].concat()));
        let numbers = objects(&text);
        let numbers = numbers.iter().map(|object| object["game"].as_u64());
        numbers.map(|number| number.expect("a number")).collect()
    };
    assert_eq!(chosen(&["--games", "2,4-"]), [2, 4, 5]);
    assert_eq!(chosen(&["--player", "c"]), [3]);
    let output = run(&arguments(&file, &["--games", "3", "--player", "a"]));
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(1), &b""[..])
    );
    let expected = format!("error: {file}: no game is selected by --games and --player\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = Folder::new();
    let output = with_input(&arguments("-", &[]), SEVERAL);
    assert_eq!(output.status.code(), Some(0));
    let from_file = stdout(&arguments(&folder.write("a.pgn", SEVERAL), &[]));
    assert_eq!(String::from_utf8_lossy(&output.stdout), from_file);
    let output = with_input(&arguments("-", &[]), "1. x *");
    let expected = "standard input:1: game 1 (? – ?): move 1, White: ";
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(output.status.code(), Some(1));
    // Nothing is no error, but it is said.
    let output = with_input(&arguments("-", &[]), "");
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b""[..])
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "standard input: no games\n"
    );
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", MISSED);
    let missing = folder.path("missing.pgn");
    let missing = missing.to_str().expect("UTF-8");
    for path in [Path::new(missing), folder.0.path()] {
        let path = path.to_str().expect("UTF-8");
        let message = stderr(&["analyse", "--pgn", path], 1);
        let begin = format!("error: cannot read {path}: ");
        assert!(message.starts_with(&begin), "{message}");
    }
    // No file is overwritten, the input least of all.
    let message = stderr(&arguments(&file, &["--pgn-out", &file]), 1);
    let begin = format!("error: cannot write {file}: ");
    assert!(message.starts_with(&begin), "{message}");
    assert_eq!(folder.read("a.pgn"), MISSED);
    // Nothing is written where nothing can be read.
    let out = folder.path("b.pgn");
    stderr(
        &arguments(missing, &["--pgn-out", out.to_str().expect("UTF-8")]),
        1,
    );
    assert!(!out.exists());
    // A try that has failed is no hindrance to the next one.
    let (out, nowhere) = (out.to_str().expect("UTF-8"), folder.0.path());
    let nowhere = nowhere.to_str().expect("UTF-8");
    stderr(&arguments(nowhere, &["--pgn-out", out]), 1);
    stderr(&arguments(&file, &["--pgn-out", out, "--html", out]), 2);
    let wrong = arguments(&file, &["--pgn-out", out, "--tablebases", missing]);
    stderr(&wrong, 1);
    stdout(&arguments(&file, &["--pgn-out", out]));
    assert!(folder.read("b.pgn").contains("Annotator"));
    let folders = arguments(&file, &["--tablebases", missing]);
    let message = stderr(&folders, 1);
    assert!(message.contains("missing.pgn"), "{message}");
}

#[test]
fn wrong_usage_is_told() {
    for (extra, word) in [
        (&["--pgn", "x", "--fen", "y"][..], "--fen"),
        (&["--pgn", "x", "--moves", "y"], "--moves"),
        (&["--pgn", "x", "--rules", "dimy"], "--rules"),
        (&["--pgn", "x", "--multipv", "2"], "--multipv"),
        (&["--pgn", "x", "--ascii"], "--ascii"),
        (&["--pgn", "x", "--json", "--format", "pgn"], "--format"),
        (&["--pgn", "x", "--format", "html"], "html"),
        (&["--pgn", "x", "--games", "0"], "'0' is neither"),
        (&["--pgn", "x", "--concurrency", "0"], "--concurrency"),
        (&["--pgn-out", "x"], "--pgn <FILE>"),
        (&["--pgn", "x", "--pgn-out", "-"], "--format pgn"),
        (&["--format", "text"], "--pgn <FILE>"),
        (&["--games", "1"], "--pgn <FILE>"),
        (&["--player", "x"], "--pgn <FILE>"),
        (&["--concurrency", "2"], "--pgn <FILE>"),
    ] {
        let message = stderr(&[&["analyse"], extra].concat(), 2);
        assert!(message.contains(word), "{extra:?}: {message}");
    }
}

/// An option of one mode is refused in another, also beside an option that its own mode refuses.
#[test]
fn options_of_another_mode_are_refused() {
    for arguments in [
        "analyse --pgn a.pgn --out a.jsonl --games 1",
        "analyse --fens a.fen --pgn-out a.pgn",
        "analyse --fens a.fen --html a.html",
        "analyse --fens a.fen --games 1",
        "analyse --fens a.fen --player A",
        "analyse --fens a.fen --format pgn",
        "analyse --fen startpos --out a.jsonl",
        "analyse --moves f2-e3A --html a.html",
        "diagram --moves f2-e3A --ply 1",
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let message = stderr(&arguments, 2);
        assert!(message.contains("required arguments"), "{message}");
    }
}
