//! Games line by line, over a pipe.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::support::command_line::{Folder, Run, vato};
use crate::support::transcript;

/// The longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What `vato play` says in a game that ends well, with this text at its standard input.
fn said(arguments: &str, input: &str) -> String {
    said_in(&Folder::new(), arguments, input)
}

/// The same in a folder.
fn said_in(folder: &Folder, arguments: &str, input: &str) -> String {
    let mut command = folder.vato(&format!("play {arguments}"));
    Run::with_input(&mut command, input).stdout()
}

/// A person who cannot move passes, and sees what the other side plays.
#[test]
fn passes_are_played_and_told() {
    let rules = "--as white --level 20 --depth 2 --rules 'board=3x3 blocked=pass' --fen 'bb1/bbw/bbb b 0 1'";
    let text = said(rules, "quit\n");
    let played = text.lines().filter(|line| line.contains(" plays "));
    let sides: Vec<&str> = played.map(|line| &line[..5]).collect();
    assert_eq!(sides.len() % 2, 1, "{text}");
    assert!(sides.chunks(2).all(|both| both[0] == "Black"), "{text}");
    assert!(text.contains("White (you) plays pass"), "{text}");
}

#[test]
fn a_game_of_two_in_lines() {
    let text = said("--as both --rules telo", "b1b2a\nmoves\nundo\nquit\n");
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
        "--as both",
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
        "resign       resign the game\n",
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
    let text = said(
        "--level 20 --nodes 50",
        "f2-e3A\nhint\nundo\nresign\nsave\n",
    );
    assert!(text.contains("\nBlack (Vato, level 20) plays "), "{text}");
    assert!(text.contains("\nbest move: "), "{text}");
    assert!(text.contains("2 turns taken back\n"), "{text}");
    assert!(
        text.contains("The game is over. Black wins: White has resigned\n"),
        "{text}"
    );
    let text = said("--as black --level 0", "");
    assert!(text.contains("\nWhite (Vato, level 0) plays "), "{text}");
    assert!(text.ends_with("Black to move\n> \n"), "{text}");
    let text = said("--as black --level 0", "new\n");
    assert!(
        text.contains("\na new game\nWhite (Vato, level 0) plays "),
        "{text}"
    );
    let text = said("--tc 60+1 --level 0", "f2e3a\n");
    assert!(
        text.contains("White to move, 1:00.") && text.contains(" left\n"),
        "{text}"
    );
}

/// Whoever asks: the score is White's.
#[test]
fn hints_are_for_white() {
    let text = said(
        "--as both --nodes 50 --fen 'bbbbbbbbb/9/9/9/4w4 b 0 30'",
        "hint\nquit\n",
    );
    let hint = text.lines().find(|line| line.starts_with("best move: "));
    assert!(hint.is_some_and(|hint| hint.contains(" (-")), "{text}");
}

#[test]
fn files_in_lines() {
    let folder = Folder::new();
    let watched = said_in(&folder, "--as none --rules telo --nodes 20", "save w.pgn\n");
    assert!(
        watched.contains("The game is over. ") && folder.exists("w.pgn"),
        "{watched}"
    );
    let two = "--as both --rules telo";
    let text = said_in(&folder, two, "b1b2a\nresign\nsave a game.pgn\n");
    assert!(text.contains("saved in a game.pgn\n"), "{text}");
    let checked = folder.stdout("pgn check 'a game.pgn'");
    assert_eq!(checked, "1 game, 1 right, 0 wrong\n");
    let record = folder.read("a game.pgn");
    assert!(record.contains("[Termination \"resignation\"]"), "{record}");
    assert!(record.contains("[Date \"2"), "{record}");
    // The players may go on all the same.
    let text = said_in(&folder, "--as both", "load a game.pgn\nundo\n");
    assert!(text.contains("read a game.pgn\n3 ●───┼───●"), "{text}");
    let text = said_in(&folder, "--as both --pgn 'a game.pgn'", "");
    assert!(text.contains("Black to move\n"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    transcript::check(&folder, "play_refused");
}

/// What follows is the next command, and no answer; the file stays as it is, and nothing is asked before the end.
#[test]
fn a_script_replaces_no_file() {
    let folder = Folder::new();
    folder.write("a.pgn", "somebody's");
    let input = "b1b2a\nsave a.pgn\nyes\nquit\nboard\n";
    let text = said_in(&folder, "--as both --rules telo", input);
    let told = "a.pgn exists already, and stays as it is: save to another file\n> yes\n";
    assert!(text.contains(told), "{text}");
    assert!(
        text.contains("'yes' is neither a move nor a command"),
        "{text}"
    );
    assert!(
        !text.contains("(y/n)") && text.ends_with("> quit\n"),
        "{text}"
    );
    assert_eq!(folder.read("a.pgn"), "somebody's");
}

/// Nobody types anything, and the flag falls all the same.
#[test]
fn a_flag_falls_while_nothing_is_typed() {
    let mut child = vato("play --as both --tc 0.05")
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
