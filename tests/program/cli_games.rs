//! `vato games`, seen from outside: the built program, its output and its exit codes.

#[cfg(unix)]
use std::process::Stdio;

use crate::support::command_line::{Folder, Run};
use crate::support::transcript;

/// Two games with the same moves, one that cannot be read, one with an illegal move, a short one.
const GAMES: &str = "[Event \"a\"]\n[White \"Rabe\"]\n[Black \"Soa\"]\n[BlackElo \"1800\"]\n\n\
    1. d3-e3A c3-d3A 2. b2-c3A 1-0\n\n\
    [Event \"a\"]\n[White \"Soa\"]\n\n1. d2-e3A { x\n\n\
    [Event \"b\"]\n[White \"Soa, \\\"x\\\"\"]\n\n1. d3-e3A d3-e3A 0-1\n\n\
    [Event \"c\"]\n\n1. d3-e3A c3-d3A 2. b2-c3A *\n\n\
    [Event \"d\"]\n\n1. d2-e3A 1/2-1/2\n";

/// Runs `vato games` in a folder.
fn games(folder: &Folder, arguments: &str, input: &str) -> Run {
    Run::with_input(&mut folder.vato(&format!("games {arguments}")), input)
}

/// A folder with the games in `a.pgn`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.pgn", GAMES);
    folder
}

/// Games are selected, ordered, counted, found by their positions and written to new files; of a damaged file all commands
/// say the same, and do their work.
#[test]
fn games_are_selected_and_told() {
    let folder = folder();
    // Rounds are numbers, and the unknown is last.
    let rounds = ["1.1.10", "-", "1.1.2", "?", "1.1.1", "2", ""];
    let rounds =
        rounds.map(|round| format!("[Event \"a\"]\n[Round \"{round}\"]\n\n1. d3-e3A *\n\n"));
    folder.write("rounds.pgn", rounds.concat());
    // Games are the same with the same roster, rules, start and moves, however they are written.
    let game = |tags: &str, moves: &str| {
        format!("[Event \"a\"]\n[White \"Rabe\"]\n[Date \"2026.05.01\"]\n{tags}\n\n1. {moves}\n\n")
    };
    let same = [
        game("", "d3-e3A 1-0"),
        game("[Site \"?\"]\n[Round \"-\"]", "d3e3a {again} 1–0"),
        game("", "d3-e3A 0-1"),
        game("[Black \"Soa\"]", "d3-e3A 1-0"),
        game("[Round \"2\"]", "d3-e3A 1-0"),
        game("[Variant \"riatra\"]", "d3-e3A 1-0"),
        game("", "d3-e3A c3-d3A 1-0"),
        game("", "x 1-0"),
        game("", "y 1-0"),
        game("[Site \"?\"]\n[Round \"-\"]", "x {again} 1-0"),
    ];
    folder.write("same.pgn", same.concat());
    folder.write("junk.pgn", "\0\u{fffd}{[");
    let latin1 = b"[Event \"caf\xe9\"]\n[White \"Andr\xe9\"]\n\n1. d3-e3A \xbd\n\n";
    folder.write("latin1.pgn", [&latin1[..], latin1].concat());
    // Endings that the built-in tables, and a search, decide.
    let ending = |fen: &str, mv: &str| format!("[Event \"a\"]\n[FEN \"{fen}\"]\n\n{mv} *\n\n");
    let endings = [
        ending("9/9/9/6b2/w2b3w1 w 0 40", "40. a1-b2"),
        ending("9/b8/9/9/w1w6 b 0 40", "40... a4-a3"),
    ];
    folder.write("endings.pgn", endings.concat());
    folder.write("packed.pgn", b"\x1f\x8b\x08\0");
    folder.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR]");
    folder.write("utf16.pgn", b"1\0.\0 \0");
    transcript::check(&folder, "games");
}

/// What comes from standard input is the same but for the file's name.
#[test]
fn standard_input_is_a_file_too() {
    let folder = folder();
    for arguments in ["filter 'plies >= 2' --csv", "filter 'Event = a'", "stats"] {
        let [input, file] =
            ["", "a.pgn"].map(|name| games(&folder, &format!("{arguments} {name}"), GAMES));
        assert_eq!((input.code, file.code), (Some(1), Some(1)), "{input:?}");
        assert!(
            (input.out + &input.err).contains("standard input:11: game 2 (Soa – ?): the comment")
        );
    }
    let [input, named] = ["check", "check -"].map(|arguments| games(&folder, arguments, GAMES));
    assert_eq!((input.code, input.out), (Some(1), named.out));
}

/// Values do not share a file, and all or none is written.
#[test]
fn every_value_has_a_file_of_its_own() {
    let folder = folder();
    let names = ["a/b", "a:b", "a b", "A B", "a_b", "unknown", "?", ""];
    let text: String = (names.iter())
        .map(|name| format!("[Event \"{name}\"]\n[White \"W\"]\n[Black \"W\"]\n\n1. d3-e3A *\n\n"))
        .collect();
    let split = "filter all --split Event --out p";
    folder.write("p-unknown-2.pgn", "mine");
    let before = folder.names();
    let errors = games(&folder, split, &text).stderr(1);
    assert!(errors.contains("cannot write p-unknown-2.pgn"), "{errors}");
    assert_eq!(folder.names(), before);
    folder.remove("p-unknown-2.pgn");
    let out = games(&folder, split, &text).success().out;
    let mut found: Vec<String> = Vec::new();
    for path in out.lines() {
        let part = folder.read(path);
        let mut events: Vec<&str> = part
            .lines()
            .filter(|line| line.starts_with("[Event "))
            .collect();
        if path == "p-unknown.pgn" {
            assert_eq!(events, ["[Event \"?\"]", "[Event \"\"]"]);
            events.truncate(1);
        }
        assert_eq!(events.len(), 1, "{path}");
        found.push(events[0].to_owned());
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), names.len() - 1, "{out}");
    // A game of a player against itself is in its file once.
    let out = games(&folder, "filter all --split player --out q", &text).out;
    let part = folder.read(out.trim());
    assert_eq!(part.matches("[Event ").count(), names.len());
}

/// What is written to the file that is read would be read again, for ever.
#[cfg(unix)]
#[test]
fn a_file_is_not_read_while_it_is_written() {
    let folder = folder();
    let path = folder.path("a.pgn");
    let append = || std::fs::OpenOptions::new().append(true).open(&path);
    for command in ["games filter all a.pgn", "analyse --pgn a.pgn --nodes 1"] {
        let mut command = folder.vato(command);
        let output = command
            .stdout(append().expect("there"))
            .stderr(Stdio::piped());
        let errors = Run::end_of(output.spawn().expect("started")).stderr(1);
        assert_eq!(
            errors,
            "error: a.pgn: the output goes to this file, and would be read again\n"
        );
    }
    assert_eq!(folder.read("a.pgn"), GAMES);
}
