//! `vato pgn`, seen from outside: the built program, its output and its exit codes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Two games that are right: one that the rules ended, one that an arbiter ended.
const GOOD: &str = "[Event \"Friday\"]
[White \"Rabe\"]
[Black \"Ranaivo\"]
[Result \"1-0\"]
[FEN \"9/9/3w2b2/9/9 b 0 31\"]
[SetUp \"1\"]

31... g3-f3 32. d3-e3A 1-0

[Event \"Friday\"]
[Variant \"dimy\"]
[Termination \"time forfeit\"]

1. b3-c3A {+0.35/12 0.84s} 0-1
";

/// A game with an illegal move, one that cannot be read, and one with a wrong result.
const BAD: &str = "[White \"Rabe\"]
[Black \"Ranaivo\"]

1. f2-e3A d5-d4A
2. d3-e3 x 1-0

[White \"Soa\"]

1. f2-e3A } 1-0

1. f2-e3A 1-0
";

fn vato(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vato"));
    command
        .args(arguments)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null());
    command
}

fn check(path: &Path) -> Output {
    let path = path.to_str().expect("UTF-8");
    vato(&["pgn", "check", path]).output().expect("it starts")
}

/// The program with this text at its standard input.
fn check_input(text: &str) -> Output {
    let mut child = vato(&["pgn", "check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn good_games_are_right() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("good.pgn");
    fs::write(&path, GOOD).expect("written");
    for output in [check(&path), check_input(GOOD)] {
        assert_eq!(text(&output.stdout), "2 games, 2 right, 0 wrong\n");
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
    let output = check_input("");
    assert_eq!(text(&output.stdout), "0 games, 0 right, 0 wrong\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn every_problem_is_a_line() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("bad.pgn");
    fs::write(&path, format!("{GOOD}\n{BAD}")).expect("written");
    let output = check(&path);
    let name = path.display();
    let expected = format!(
        "{name}:20: game 3 (Rabe – Ranaivo): move 2, White: move 'd3-e3' is illegal: no stone of \
         White's on d3\n\
         {name}:24: game 4 (Soa – ?): unexpected '}}'\n\
         {name}:26: game 5 (? – ?): the result is 1-0, but the game has not ended by the rules, and \
         no tag Termination says why else\n\
         5 games, 2 right, 3 wrong\n"
    );
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(
        text(&output.stderr),
        "error: 3 of 5 game records are invalid\n"
    );
    assert_eq!(output.status.code(), Some(1));

    let output = check_input("f2-e3A 0-1");
    let first = text(&output.stdout).lines().next().expect("a line");
    assert!(
        first.starts_with("standard input:1: game 1 (? – ?): "),
        "{first}"
    );
    assert!(text(&output.stdout).ends_with("1 game, 0 right, 1 wrong\n"));
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = TempDir::new().expect("a folder");
    for path in [folder.path().join("missing.pgn"), folder.path().to_owned()] {
        let output = check(&path);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
        let message = text(&output.stderr);
        let begin = format!("error: cannot read {}: ", path.display());
        assert!(message.starts_with(&begin), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}
