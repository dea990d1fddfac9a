//! `vato games`, seen from outside: the built program, its output and its exit codes.

#[cfg(unix)]
use std::process::Stdio;

use serde_json::Value;

use crate::support::command_line::{Folder, Run, object, objects};

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

/// The output of a command that leaves games out, which is the same from a file and from standard input but for
/// the file's name.
fn output(arguments: &str) -> String {
    let folder = folder();
    let from_input = games(&folder, arguments, GAMES);
    assert_eq!(from_input.code, Some(1), "{from_input:?}");
    let told = "standard input:11: game 2 (Soa – ?): the comment";
    assert!(from_input.err.contains(told), "{from_input:?}");
    let from_file = games(&folder, &format!("{arguments} a.pgn"), "").out;
    assert_eq!(from_file, from_input.out.replace("standard input", "a.pgn"));
    from_file
}

/// The numbers of the games in the rows of a table.
fn numbers(csv: &str) -> Vec<&str> {
    let lines = csv.lines().skip(1);
    lines.filter_map(|line| line.split(',').nth(1)).collect()
}

#[test]
fn games_are_selected_and_ordered() {
    for (arguments, wanted) in [
        ("filter 'plies >= 2'", &["1", "3", "4"][..]),
        ("filter 'winner = Rabe or opening = havia'", &["1", "5"]),
        (
            "filter all --sort -plies --sort Event",
            &["1", "4", "3", "5"],
        ),
        ("filter all", &["1", "3", "4", "5"]),
        ("filter all --once", &["1", "3", "4", "5"]),
    ] {
        let csv = output(&format!("{arguments} --csv"));
        assert_eq!(numbers(&csv), wanted, "{arguments}");
    }
    let quoted = output("filter 'Event = b' --csv");
    assert!(quoted.contains("a.pgn,3,\"Soa, \"\"x\"\"\",,"), "{quoted}");
    let whole = output("filter 'Event = a'");
    assert!(
        whole.ends_with("[BlackElo \"1800\"]\n\n1. d3-e3A c3-d3A 2. b2-c3A 1-0\n\n"),
        "{whole}"
    );
    let line = object(&output("filter 'Event = d' --json"));
    assert_eq!(
        (&line["game"], &line["moves"][0]),
        (&5.into(), &"d2-e3A".into())
    );
    let stats = output("stats --csv");
    assert!(stats.contains("games,all,3,1,1,0,1,75.0\n"), "{stats}");
    assert!(stats.contains("opening,havia,1,0,1,0,0,50.0\n"), "{stats}");
}

/// Questions about positions leave out the games that cannot be replayed, and tell so.
#[test]
fn games_are_found_by_their_positions() {
    let folder = folder();
    let fen = "bbbbbbbbb/bbbbbbbbb/wbwb1wbwb/wwwwwwwww/wwwwwwwww w";
    let told = "a.pgn:16: game 3 (Soa, \"x\" – ?): move 1, Black";
    let lines = |question: &str| {
        let run = games(&folder, question, "");
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.err.contains(told), "{run:?}");
        assert!(run.err.ends_with("error: 2 games left out\n"), "{run:?}");
        run.out
    };
    let tree = lines("tree --plies 3 --csv a.pgn");
    assert!(
        tree.contains("d3-e3A,2,1,0,0,100.0,inf,\nd3-e3A c3-d3A,2,0,0,1,0.0,,\n"),
        "{tree}"
    );
    let found = lines(&format!("find --fen '{fen}' a.pgn"));
    assert_eq!(found.lines().count(), 3, "{found}");
    let either = lines("filter 'Event = b or material = 21v22' --csv a.pgn");
    let without = lines("filter 'Event = b and not material = 21v22' --csv a.pgn");
    assert!(
        either.lines().count() > without.lines().count(),
        "{either}{without}"
    );
}

#[test]
fn wrong_input_is_named() {
    let folder = folder();
    let told = |arguments: &str, code: i32| games(&folder, arguments, "\0\u{fffd}{[").stderr(code);
    let errors = told("filter 'plies > 1 and plyes = 2'", 2);
    assert!(
        errors.contains("character 15: unknown field 'plyes'"),
        "{errors}"
    );
    assert!(errors.contains("\n                ^"), "{errors}");
    let errors = told("filter all", 1);
    assert!(
        errors.starts_with("warning: standard input:1: game 1 "),
        "{errors}"
    );
    told("filter all no.pgn", 1);
    told("filter all --split White a.pgn", 2);
    told("find a.pgn", 2);
    told("find --material 4 a.pgn", 2);
}

#[test]
fn parts_are_new_files() {
    let folder = folder();
    let split = "filter all --split result --out part a.pgn";
    let run = games(&folder, split, "");
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.out,
        "part-_.pgn\npart-0-1.pgn\npart-1-0.pgn\npart-1_2-1_2.pgn\n"
    );
    let part = folder.read("part-1-0.pgn");
    assert!(part.contains("[White \"Rabe\"]"), "{part}");
    let again = games(&folder, split, "");
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("cannot write part-_.pgn"), "{again:?}");
}

#[test]
fn rows_are_objects() {
    let folder = folder();
    let out = games(&folder, "stats --json a.pgn", "").out;
    let rows = objects(&out);
    assert!(rows.iter().all(|row| row["games"].is_u64()), "{out}");
    let is_number = |row: &Value| row["score"].is_null() || row["score"].is_number();
    assert!(rows.iter().all(is_number), "{out}");
}

/// Every command that leaves games out says so in the same way, and does its work; what needs no replay leaves
/// only those out that cannot be read.
#[test]
fn games_left_out_are_a_failure_at_the_end() {
    let folder = folder();
    for (command, left_out) in [
        ("filter 'plies >= 0'", 1),
        ("filter 'ending != x'", 2),
        ("filter 'material != 1v1'", 2),
        ("filter all --sort Event", 1),
        ("filter all --sort opening", 2),
        ("filter all --once", 1),
        ("filter all --split Event --out a", 1),
        ("filter all --split ending --out b", 2),
        ("stats", 2),
        ("tree", 2),
        ("find --material 22v22", 2),
    ] {
        let run = games(&folder, &format!("{command} a.pgn"), "");
        assert_eq!(run.code, Some(1), "{command}: {run:?}");
        assert!(!run.out.is_empty(), "{command}");
        let told: Vec<&str> = run.err.lines().collect();
        assert_eq!(told.len(), left_out + 1, "{command}: {told:?}");
        assert!(
            told[0].starts_with("warning: a.pgn:11: game 2 (Soa – ?): "),
            "{told:?}"
        );
        let games = if left_out == 1 { "1 game" } else { "2 games" };
        assert_eq!(told[left_out], format!("error: {games} left out"));
    }
}

#[test]
fn rounds_are_numbers_and_the_unknown_is_last() {
    let folder = folder();
    let rounds = ["1.1.10", "-", "1.1.2", "?", "1.1.1", "2", ""];
    let text: String = (rounds.iter())
        .map(|round| format!("[Event \"a\"]\n[Round \"{round}\"]\n\n1. d3-e3A *\n\n"))
        .collect();
    let sorted = |by: &str| -> Vec<String> {
        let out = games(&folder, &format!("filter all --sort={by}"), &text).stdout();
        let lines = out.lines();
        let rounds = lines.filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"));
        rounds.map(str::to_owned).collect()
    };
    assert_eq!(
        sorted("Round"),
        ["1.1.1", "1.1.2", "1.1.10", "2", "-", "?", ""]
    );
    assert_eq!(
        sorted("-Round"),
        ["2", "1.1.10", "1.1.2", "1.1.1", "-", "?", ""]
    );
}

/// Games are the same with the same roster, rules, start and moves, however they are written.
#[test]
fn only_the_same_game_is_dropped() {
    let folder = folder();
    let game = |tags: &str, moves: &str| {
        format!("[Event \"a\"]\n[White \"Rabe\"]\n[Date \"2026.05.01\"]\n{tags}\n\n1. {moves}\n\n")
    };
    let text = [
        game("", "d3-e3A 1-0"),
        game("[Site \"?\"]\n[Round \"-\"]", "d3e3a {again} 1–0"),
        game("", "d3-e3A 0-1"),
        game("[Black \"Soa\"]", "d3-e3A 1-0"),
        game("[Round \"2\"]", "d3-e3A 1-0"),
        game("[Variant \"riatra\"]", "d3-e3A 1-0"),
        game("", "d3-e3A c3-d3A 1-0"),
        game("", "x 1-0"),
        game("", "y 1-0"),
        game("", "x 1-0"),
    ];
    let run = games(&folder, "filter all --once --csv", &text.concat()).success();
    assert_eq!(numbers(&run.out), ["1", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(run.err, "warning: 2 repeated games not written again\n");
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

#[test]
fn other_encodings_are_told() {
    let folder = folder();
    let game = b"[Event \"caf\xe9\"]\n[White \"Andr\xe9\"]\n\n1. d3-e3A \xbd\n\n";
    folder.write("l.pgn", [&game[..], game].concat());
    for command in ["filter all", "filter 'White = André'"] {
        let run = games(&folder, &format!("{command} l.pgn"), "").success();
        assert_eq!(
            run.err,
            "warning: l.pgn:1: this is not UTF-8; read as Latin-1\n"
        );
        for text in ["[White \"André\"]", "1. d3-e3A 1/2-1/2"] {
            assert_eq!(run.out.matches(text).count(), 2, "{run:?}");
        }
    }
    for (bytes, way) in [
        (&b"\x1f\x8b\x08\0"[..], "gzip -dc"),
        (b"1\0.\0 \0", "UTF-16LE"),
    ] {
        folder.write("l.pgn", bytes);
        for command in ["filter all", "check", "stats", "tree"] {
            let errors = games(&folder, &format!("{command} l.pgn"), "").stderr(1);
            assert!(
                errors.starts_with("error: ") && errors.contains(way),
                "{errors}"
            );
        }
    }
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
