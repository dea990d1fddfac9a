//! `vato games`, seen from outside: the built program, its output and its exit codes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Two games with the same moves, one that cannot be read, one with an illegal move, a short one.
const GAMES: &str = "[Event \"a\"]\n[White \"Rabe\"]\n[Black \"Soa\"]\n[BlackElo \"1800\"]\n\n\
    1. d3-e3A c3-d3A 2. b2-c3A 1-0\n\n\
    [Event \"a\"]\n[White \"Soa\"]\n\n1. d2-e3A { x\n\n\
    [Event \"b\"]\n[White \"Soa, \\\"x\\\"\"]\n\n1. d3-e3A d3-e3A 0-1\n\n\
    [Event \"c\"]\n\n1. d3-e3A c3-d3A 2. b2-c3A *\n\n\
    [Event \"d\"]\n\n1. d2-e3A 1/2-1/2\n";

/// Runs `vato games` in a folder: exit code, standard output, standard error.
fn games(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_vato"))
        .arg("games")
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // Wrong usage is told before the input is read.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A folder with the games in `a.pgn`.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("a.pgn"), GAMES).expect("written");
    folder
}

/// The output of a command that leaves games out, which is the same from a file and from standard input but for
/// the file's name.
fn output(arguments: &[&str]) -> String {
    let folder = folder();
    let (code, from_input, errors) = games(folder.path(), arguments, GAMES);
    assert_eq!(code, Some(1), "{errors}");
    assert!(
        errors.contains("standard input:11: game 2 (Soa – ?): the comment"),
        "{errors}"
    );
    let from_file = games(folder.path(), &[arguments, &["a.pgn"]].concat(), "").1;
    assert_eq!(from_file, from_input.replace("standard input", "a.pgn"));
    from_file
}

#[test]
fn games_are_selected_and_ordered() {
    let csv = ["--format", "csv"];
    let numbers = |arguments: &[&str]| -> Vec<String> {
        let text = output(&[arguments, &csv].concat());
        let lines = text.lines().skip(1);
        lines
            .map(|line| line.split(',').nth(1).expect("a number").to_owned())
            .collect()
    };
    assert_eq!(numbers(&["filter", "plies >= 2"]), ["1", "3", "4"]);
    assert_eq!(
        numbers(&["filter", "winner = Rabe or opening = havia"]),
        ["1", "5"]
    );
    assert_eq!(
        numbers(&["sort", "--by", "-plies", "--by", "Event"]),
        ["1", "4", "3", "5"]
    );
    assert_eq!(numbers(&["merge"]), ["1", "3", "4", "5"]);
    assert_eq!(numbers(&["dedupe"]), ["1", "3", "4", "5"]);
    let quoted = output(&["filter", "Event = b", "--format", "csv"]);
    assert!(quoted.contains("a.pgn,3,\"Soa, \"\"x\"\"\",,"), "{quoted}");
    let whole = output(&["filter", "Event = a"]);
    assert!(
        whole.ends_with("[BlackElo \"1800\"]\n\n1. d3-e3A c3-d3A 2. b2-c3A 1-0\n\n"),
        "{whole}"
    );
    let line = output(&["filter", "Event = d", "--format", "jsonl"]);
    let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(
        (&line["game"], &line["moves"][0]),
        (&5.into(), &"d2-e3A".into())
    );
    let stats = output(&["stats", "--format", "csv"]);
    assert!(stats.contains("games,all,3,1,1,0,1,75.0\n"), "{stats}");
    assert!(stats.contains("opening,havia,1,0,1,0,0,50.0\n"), "{stats}");
}

/// With an index and without, questions about positions have the same answers.
#[test]
fn an_index_changes_no_answer() {
    let folder = folder();
    let fen = "bbbbbbbbb/bbbbbbbbb/wbwb1wbwb/wwwwwwwww/wwwwwwwww w";
    let condition = "pattern = \"*/*/????w????/*/* b\" and not Event = c";
    let questions: [&[&str]; 7] = [
        &["tree", "--plies", "3", "--format", "csv", "a.pgn"],
        &["tree", "--fen", fen, "a.pgn"],
        &["find", "--fen", fen, "a.pgn"],
        &["find", "--material", "21v22", "--format", "csv", "a.pgn"],
        &["filter", condition, "a.pgn"],
        &["filter", "Event = b or material = 21v22", "a.pgn"],
        &["filter", "Event = b and not material = 21v22", "a.pgn"],
    ];
    let answers = || questions.map(|question| games(folder.path(), question, ""));
    let before = answers();
    let made = games(folder.path(), &["index", "a.pgn"], "");
    assert_eq!(made.1, "a.pgn.index: 3 games, 10 positions\n", "{}", made.2);
    for (before, after) in before.iter().zip(answers()) {
        assert_eq!(before.0, Some(1), "{}", before.2);
        assert!(
            before
                .2
                .contains("a.pgn:16: game 3 (Soa, \"x\" – ?): move 1, Black"),
            "{}",
            before.2
        );
        assert!(
            before.2.ends_with("error: 2 games left out\n"),
            "{}",
            before.2
        );
        assert_eq!(*before, after);
    }
    let tree = &before[0].1;
    assert!(
        tree.contains("d3-e3A,2,1,0,0,100.0,inf,,\nd3-e3A c3-d3A,2,0,0,1,0.0,,,\n"),
        "{tree}"
    );
    assert_eq!(before[2].1.lines().count(), 3);
    // Changed games are indexed anew.
    let path = folder.path().join("a.pgn");
    fs::write(&path, format!("{GAMES}\n[Event \"e\"]\n\n1. d2-e3A *\n")).expect("written");
    let (code, found, told) = games(folder.path(), questions[2], "");
    assert_eq!((code, found.lines().count()), (Some(1), 4));
    assert!(
        told.contains("a.pgn.index: the games have changed"),
        "{told}"
    );
}

#[test]
fn a_damaged_index_is_refused() {
    let folder = folder();
    games(folder.path(), &["index", "a.pgn"], "");
    let path = folder.path().join("a.pgn.index");
    let good = fs::read(&path).expect("an index");
    let find = ["find", "--material", "22v22", "a.pgn"];
    let mut bad: Vec<Vec<u8>> = (0..good.len())
        .step_by(7)
        .map(|length| good[..length].to_vec())
        .collect();
    bad.push(b"[Event \"no index\"]".to_vec());
    for place in (0..good.len()).step_by(5) {
        let mut flipped = good.clone();
        flipped[place] ^= 0x10;
        bad.push(flipped);
    }
    for bytes in bad {
        fs::write(&path, &bytes).expect("written");
        let (code, found, told) = games(folder.path(), &find, "");
        assert_eq!((code, &*found), (Some(1), ""), "{told}");
        assert!(
            told.contains("vato games index makes it anew") || told.contains("damaged"),
            "{told}"
        );
    }
    assert_eq!(games(folder.path(), &["index", "a.pgn"], "").0, Some(1));
    assert_eq!(games(folder.path(), &find, "").1.lines().count(), 3);
}

#[test]
fn wrong_input_is_named() {
    let folder = folder();
    let told = |arguments: &[&str]| {
        let (code, out, errors) = games(folder.path(), arguments, "\0\u{fffd}{[");
        assert_eq!(out, "");
        (code, errors)
    };
    let (code, errors) = told(&["filter", "plies > 1 and plyes = 2"]);
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("character 15: unknown field 'plyes'"),
        "{errors}"
    );
    assert!(errors.contains("\n                ^"), "{errors}");
    let (code, errors) = told(&["merge"]);
    assert_eq!(code, Some(1));
    assert!(
        errors.starts_with("warning: standard input:1: game 1 "),
        "{errors}"
    );
    assert_eq!(told(&["merge", "no.pgn"]).0, Some(1));
    assert_eq!(told(&["find", "a.pgn"]).0, Some(2));
    assert_eq!(told(&["find", "--material", "4", "a.pgn"]).0, Some(2));
    assert_eq!(told(&["tree", "--format", "pgn", "a.pgn"]).0, Some(2));
}

#[test]
fn parts_are_new_files() {
    let folder = folder();
    let split = ["split", "--by", "result", "--out", "part", "a.pgn"];
    let (code, out, _) = games(folder.path(), &split, "");
    assert_eq!(code, Some(1));
    assert_eq!(
        out,
        "part-_.pgn\npart-0-1.pgn\npart-1-0.pgn\npart-1_2-1_2.pgn\n"
    );
    let part = fs::read_to_string(folder.path().join("part-1-0.pgn")).expect("a part");
    assert!(part.contains("[White \"Rabe\"]"), "{part}");
    let (code, _, errors) = games(folder.path(), &split, "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("cannot write part-_.pgn"), "{errors}");
}

/// Rows are no games.
#[test]
fn rows_are_not_offered_as_pgn() {
    let folder = folder();
    for command in [&["stats"][..], &["tree"]] {
        let (code, out, errors) =
            games(folder.path(), &[command, &["--format", "pgn"]].concat(), "");
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(
            errors.contains("possible values: text, csv, jsonl"),
            "{errors}"
        );
    }
    let (_, out, _) = games(folder.path(), &["stats", "--format", "jsonl", "a.pgn"], "");
    let rows = out.lines().map(serde_json::from_str::<serde_json::Value>);
    let rows: Vec<_> = rows.map(|row| row.expect("JSON")).collect();
    assert!(rows.iter().all(|row| row["games"].is_u64()), "{out}");
    let is_number = |row: &serde_json::Value| row["score"].is_null() || row["score"].is_number();
    assert!(rows.iter().all(is_number), "{out}");
}

/// Every command that leaves games out says so in the same way, and does its work; what needs no replay leaves
/// only those out that cannot be read.
#[test]
fn games_left_out_are_a_failure_at_the_end() {
    let folder = folder();
    let commands: [(&[&str], usize); 13] = [
        (&["filter", "plies >= 0"], 1),
        (&["filter", "ending != x"], 2),
        (&["filter", "material != 1v1"], 2),
        (&["sort", "--by", "Event"], 1),
        (&["sort", "--by", "opening"], 2),
        (&["merge"], 1),
        (&["dedupe"], 1),
        (&["split", "--by", "Event", "--out", "a"], 1),
        (&["split", "--by", "ending", "--out", "b"], 2),
        (&["stats"], 2),
        (&["index"], 2),
        (&["tree"], 2),
        (&["find", "--material", "22v22"], 2),
    ];
    for (command, left_out) in commands {
        let (code, out, errors) = games(folder.path(), &[command, &["a.pgn"]].concat(), "");
        assert_eq!(code, Some(1), "{command:?}: {errors}");
        assert!(!out.is_empty(), "{command:?}");
        let told: Vec<&str> = errors.lines().collect();
        assert_eq!(told.len(), left_out + 1, "{command:?}: {errors}");
        assert!(
            told[0].starts_with("warning: a.pgn:11: game 2 (Soa – ?): "),
            "{errors}"
        );
        let plural = if left_out == 1 { "1 game" } else { "2 games" };
        assert_eq!(
            told[left_out],
            format!("error: {plural} left out"),
            "{command:?}"
        );
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
        let (code, out, errors) = games(folder.path(), &["sort", "--by", by], &text);
        assert_eq!((code, &*errors), (Some(0), ""));
        let lines = out
            .lines()
            .filter_map(|line| line.strip_prefix("[Round \""));
        lines
            .map(|line| line.trim_end_matches("\"]").to_owned())
            .collect()
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
    let (code, out, errors) = games(
        folder.path(),
        &["dedupe", "--format", "csv"],
        &text.concat(),
    );
    let numbers = out
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1));
    let numbers: Vec<&str> = numbers.collect();
    assert_eq!(numbers, ["1", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(
        (code, &*errors),
        (Some(0), "warning: 2 repeated games not written again\n")
    );
}

/// Values do not share a file, and all or none is written.
#[test]
fn every_value_has_a_file_of_its_own() {
    let folder = folder();
    let names = ["a/b", "a:b", "a b", "A B", "a_b", "unknown", "?", ""];
    let text: String = (names.iter())
        .map(|name| format!("[Event \"{name}\"]\n[White \"W\"]\n[Black \"W\"]\n\n1. d3-e3A *\n\n"))
        .collect();
    let split = ["split", "--by", "Event", "--out", "p"];
    let last = folder.path().join("p-unknown-2.pgn");
    fs::write(&last, "mine").expect("written");
    let files = || fs::read_dir(folder.path()).expect("a folder").count();
    let before = files();
    let (code, out, errors) = games(folder.path(), &split, &text);
    assert_eq!((code, &*out), (Some(1), ""), "{errors}");
    assert!(errors.contains("cannot write p-unknown-2.pgn"), "{errors}");
    assert_eq!(files(), before);
    fs::remove_file(&last).expect("removed");
    let (code, out, errors) = games(folder.path(), &split, &text);
    assert_eq!(code, Some(0), "{errors}");
    let mut found: Vec<String> = Vec::new();
    for path in out.lines() {
        let part = fs::read_to_string(folder.path().join(path)).expect("a part");
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
    let (_, out, _) = games(
        folder.path(),
        &["split", "--by", "player", "--out", "q"],
        &text,
    );
    let part = fs::read_to_string(folder.path().join(out.trim())).expect("one part");
    assert_eq!(part.matches("[Event ").count(), names.len());
}

#[test]
fn other_encodings_are_told() {
    let folder = folder();
    let path = folder.path().join("l.pgn");
    let game = b"[Event \"caf\xe9\"]\n[White \"Andr\xe9\"]\n\n1. d3-e3A \xbd\n\n";
    fs::write(&path, [&game[..], game].concat()).expect("written");
    for command in [&["merge"][..], &["filter", "White = André"]] {
        let (code, out, errors) = games(folder.path(), &[command, &["l.pgn"]].concat(), "");
        assert_eq!(
            errors,
            "warning: l.pgn:1: this is not UTF-8; read as Latin-1\n"
        );
        assert_eq!(code, Some(0));
        assert_eq!(out.matches("[White \"André\"]").count(), 2, "{out}");
        assert_eq!(out.matches("1. d3-e3A 1/2-1/2").count(), 2, "{out}");
    }
    for (bytes, way) in [
        (&b"\x1f\x8b\x08\0"[..], "gzip -dc"),
        (b"1\0.\0 \0", "UTF-16LE"),
    ] {
        fs::write(&path, bytes).expect("written");
        for command in ["merge", "check", "stats", "index", "tree"] {
            let (code, out, errors) = games(folder.path(), &[command, "l.pgn"], "");
            assert_eq!((code, &*out), (Some(1), ""));
            assert!(
                errors.starts_with("error: ") && errors.contains(way),
                "{errors}"
            );
        }
    }
}
