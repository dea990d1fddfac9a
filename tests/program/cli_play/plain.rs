//! Games line by line, over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::support::command_line::{stderr, stdout, vato};

/// The longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// `vato play` with these arguments and this text at its standard input.
fn play(arguments: &[&str], input: &str) -> Output {
    let mut command = vato(&["play"]);
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // On a thread of its own: the program may want to be read before it reads on.
    let input = input.to_owned();
    let writer = thread::spawn(move || {
        // A program that has enough reads no more.
        let _ = pipe.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    output
}

/// What it says in a game that ends well.
fn said(arguments: &[&str], input: &str) -> String {
    let output = play(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_game_of_two_in_lines() {
    let text = said(
        &["--as", "both", "--rules", "telo"],
        "b1b2a\nmoves\nundo\nquit\n",
    );
    let expected = "\
3 ●───●───●
  │ ╲ │ ╱ │
2 ●───╋───○
  │ ╱ │ ╲ │
1 ○───○───○
  a   b   c
White to move
> b1b2a
3 ●───┼───●
  │ ╲ │ ╱ │
2 ●───○───○
  │ ╱ │ ╲ │
1 ○───┼───○
  a   b   c
Black to move
> moves
";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.contains("> undo\none turn taken back\n3 ●───●───●\n"),
        "{text}"
    );
    assert!(text.ends_with("White to move\n> quit\n"), "{text}");
}

#[test]
fn bad_lines_change_nothing() {
    let text = said(
        &["--as", "both"],
        "f2\nf2-e3W\nfoo\n\u{1b}[31m\nsave\nundo\nredo\nload nowhere.pgn\nquit now\n\nhelp\nboard",
    );
    for words in [
        "> f2\nmove 'f2' ends after its origin\n",
        "nothing to capture by withdrawal from f2 to e3\n",
        "'foo' is neither a move nor a command; help lists them\n",
        "> \\u{1b}[31m\n",
        "'\\u{1b}[31m' is neither",
        "save: expected a file, as in save FILE\n",
        "there is nothing to take back\n",
        "nothing was taken back\n",
        "cannot read nowhere.pgn: ",
        "nothing may follow quit\n",
        "resign       give the game up\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains('\u{1b}'));
    let boards = text.matches("5 ●───●───●───●───●───●───●───●───●").count();
    assert_eq!(boards, 2, "{text}");
    assert!(text.ends_with("White to move\n> \n"), "{text}");
}

#[test]
fn the_engine_plays_in_lines() {
    let text = said(&["--nodes", "50"], "f2-e3A\nhint\nundo\nresign\nsave\n");
    assert!(text.contains("\nBlack (Vato, level 20) plays "), "{text}");
    assert!(text.contains("\nbest move: "), "{text}");
    assert!(text.contains("2 turns taken back\n"), "{text}");
    assert!(
        text.contains("The game is over. Black wins: White has resigned\n"),
        "{text}"
    );
    let text = said(&["--as", "black", "--level", "0"], "");
    assert!(text.contains("\nWhite (Vato, level 0) plays "), "{text}");
    assert!(text.ends_with("Black to move\n> \n"), "{text}");
    let text = said(&["--as", "none", "--rules", "telo", "--nodes", "20"], "");
    assert!(text.contains("The game is over. "), "{text}");
    assert!(!text.contains("> "), "{text}");
    let text = said(&["--tc", "60+1", "--level", "0"], "f2e3a\n");
    assert!(
        text.contains("White to move, 1:00.") && text.contains(" left\n"),
        "{text}"
    );
}

#[test]
fn files_in_lines() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("a game.pgn");
    let name = path.to_str().expect("UTF-8");
    let two = ["--as", "both", "--rules", "telo"];
    let text = said(&two, &format!("b1b2a\nresign\nsave {name}\n"));
    assert!(text.contains(&format!("saved in {name}\n")), "{text}");
    assert_eq!(
        stdout(&["pgn", "check", name]),
        "1 game, 1 right, 0 wrong\n"
    );
    let record = std::fs::read_to_string(&path).expect("it is there");
    assert!(record.contains("[Termination \"resignation\"]"), "{record}");
    assert!(record.contains("[Date \"2"), "{record}");
    // The players may go on all the same.
    let text = said(&["--as", "both"], &format!("load {name}\nundo\n"));
    assert!(
        text.contains(&format!("read {name}\n3 ●───┼───●")),
        "{text}"
    );
    let text = said(&["--as", "both", "--pgn", name], "");
    assert!(text.contains("Black to move\n"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    let message = stderr(&["play", "--pgn", "nowhere.pgn"], 1);
    assert!(
        message.starts_with("error: cannot read nowhere.pgn: "),
        "{message}"
    );
    for arguments in [
        &["play", "--level", "21"][..],
        &["play", "--fen", "9"],
        &["play", "--rules", "chess"],
        &["play", "--as", "me"],
        &["play", "--tc", "x"],
        &["play", "--nodes", "5", "--movetime", "5"],
        &["play", "--pgn", "x", "--rules", "telo"],
    ] {
        let message = stderr(arguments, 2);
        assert!(message.starts_with("error: "), "{message}");
    }
}

#[test]
fn a_script_is_not_asked() {
    let text = said(&["--as", "both", "--rules", "telo"], "b1b2a\nquit\nboard\n");
    assert!(text.ends_with("Black to move\n> quit\n"), "{text}");
}

/// What follows is the next command, and no answer; the file stays as it is.
#[test]
fn a_script_replaces_no_file() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "somebody's").expect("written");
    let name = path.to_str().expect("UTF-8");
    let text = said(
        &["--as", "both", "--rules", "telo"],
        &format!("b1b2a\nsave {name}\nyes\nboard\n"),
    );
    let told = format!("{name} exists already, and stays as it is: save to another file\n> yes\n");
    assert!(text.contains(&told), "{text}");
    assert!(
        text.contains("'yes' is neither a move nor a command"),
        "{text}"
    );
    assert!(!text.contains("(y/n)"), "{text}");
    assert_eq!(std::fs::read(&path).expect("it is there"), b"somebody's");
}

/// Nobody types anything, and the flag falls all the same.
#[test]
fn a_flag_falls_while_nothing_is_typed() {
    let mut child = vato(&["play", "--as", "both", "--tc", "0.05"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in stdout.lines() {
            sender.send(line.expect("UTF-8")).expect("the test waits");
        }
    });
    let fallen = "The game is over. Black wins: White has no time left";
    loop {
        let line = lines.recv_timeout(PATIENCE).expect("the flag falls");
        if line == fallen {
            break;
        }
    }
    // The end of the input ends the program.
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    assert_eq!(lines.recv().as_deref(), Ok("> "));
}

/// A game of a file is written as it was read, with all that was said about it.
#[test]
fn what_is_loaded_and_saved_is_the_same() {
    let folder = TempDir::new().expect("a folder");
    let [read, written] = ["read.pgn", "written.pgn"].map(|name| folder.path().join(name));
    let record = "\
[Event \"?\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Rabe\"]
[Black \"Ranaivo\"]
[Result \"0-1\"]
[Variant \"tsivy\"]
[Termination \"abandoned\"]

1. f2-e3A $1 {the usual} 1... d5-d4A {} {White went home} 0-1

";
    std::fs::write(&read, record).expect("written");
    let [from, to] = [&read, &written].map(|path| path.to_str().expect("UTF-8"));
    let text = said(
        &["--as", "both", "--pgn", from],
        &format!("board\nsave {to}\n"),
    );
    assert!(text.contains("saved in "), "{text}");
    assert_eq!(
        std::fs::read_to_string(&written).expect("it is there"),
        record
    );
}

/// What was said about a game stays when it goes on.
#[test]
fn variations_stay_when_a_loaded_game_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let [read, written] = ["read.pgn", "written.pgn"].map(|name| folder.path().join(name));
    let line = "1. f2-e3A $1 {the usual} 1... d5-d4A {so} (1... d5-d4W {not seen} 2. e1-d2A)";
    std::fs::write(&read, format!("{line} {{White went home}} 0-1\n")).expect("written");
    let [from, to] = [&read, &written].map(|path| path.to_str().expect("UTF-8"));
    said(
        &["--as", "both", "--pgn", from],
        &format!("e1-d2A\nsave {to}\n"),
    );
    let text = std::fs::read_to_string(&written).expect("it is there");
    let (_, moves) = text.split_once("\n\n").expect("moves");
    let moves = moves.replace('\n', " ");
    let expected = format!("{line} 2. e1-d2A *");
    assert_eq!(moves.trim_end(), expected);
}

#[test]
fn a_folder_is_not_offered_for_replacement() {
    let folder = TempDir::new().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8");
    let text = said(&["--as", "both"], &format!("save {name}\n"));
    assert!(
        text.contains(&format!("cannot write {name}: is a directory\n")),
        "{text}"
    );
    assert!(!text.contains("(y/n)"), "{text}");
}

/// Neither has a folder lines, nor can it be a game.
#[test]
fn a_folder_is_not_read() {
    let folder = TempDir::new().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8");
    let begin = format!("cannot read {name}: ");
    let text = said(&["--as", "both"], &format!("load {name}\n"));
    assert!(text.contains(&begin) && !text.contains("line"), "{text}");
    for arguments in [&["play", "--pgn", name][..], &["analyse", "--pgn", name]] {
        let message = stderr(arguments, 1);
        assert!(message.starts_with(&format!("error: {begin}")), "{message}");
    }
}

/// Resigned at once: only the end is told.
#[test]
fn a_game_without_moves_is_saved() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("a.pgn");
    let name = path.to_str().expect("UTF-8");
    let text = said(&["--as", "both"], &format!("resign\nsave {name}\n"));
    assert!(text.contains("saved in "), "{text}");
    let record = std::fs::read_to_string(&path).expect("it is there");
    assert!(
        record.ends_with("\n\n{Black wins: White has resigned} 0-1\n\n"),
        "{record}"
    );
    assert_eq!(
        stdout(&["pgn", "check", name]),
        "1 game, 1 right, 0 wrong\n"
    );
}

/// Lines that nobody would type, and one without an end.
#[test]
fn any_bytes_are_lines() {
    let long = "a1".repeat(100_000);
    let text = said(
        &["--as", "both", "--rules", "telo"],
        &format!("\u{0}\u{7f}\n\u{fffd}\n{long}"),
    );
    assert!(text.ends_with("> \n"), "{}", &text[text.len() - 200..]);
}
