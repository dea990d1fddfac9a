//! `vato solve`, seen from outside.

use std::path::Path;

use serde_json::Value;

use crate::support::command_line::{run, stderr, stdout, vato};
use crate::support::schema::{check, schema};

fn solution(arguments: &[&str], code: i32) -> Value {
    let output = run(&[&["solve", "--json", "--hash", "64"], arguments].concat());
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    let value = serde_json::from_slice(&output.stdout).expect("JSON");
    let schema = schema("solution.json");
    check(&value, &schema, &schema, "").expect("as the schema says");
    value
}

/// The values of the page of solved games that come quickly.
#[test]
fn solved_boards_are_as_they_are_told() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/solved.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let mut checked = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rules, value, _, seconds, ..] = cells[..] else {
            panic!("{line}");
        };
        let value = match value {
            "White wins" => "win",
            "draw" => "draw",
            _ => continue,
        };
        if seconds.parse::<f64>().is_ok_and(|seconds| seconds < 4.0) {
            let solution = solution(&["--rules", rules.trim_matches('`')], 0);
            assert_eq!(solution["value"], value, "{line}");
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked} rows");
}

#[test]
fn threads_find_the_same_values() {
    for (rules, value) in [("board=7x3", "win"), ("dimy", "draw")] {
        let solution = solution(&["--rules", rules, "--threads", "2"], 0);
        assert_eq!(solution["value"], value, "{rules}");
    }
}

/// One question alone is settled without the value.
#[test]
fn one_question_is_enough() {
    for (attacker, known) in [("white", "not-win"), ("black", "not-loss")] {
        let solution = solution(&["--rules", "dimy", "--attacker", attacker], 0);
        assert_eq!(solution["value"], "unknown");
        assert_eq!(solution["known"], serde_json::json!([known]));
    }
}

/// A position is worth what the best of its moves is; with small tables, so that it is searched.
#[test]
fn moves_and_positions_agree() {
    for rules in ["board=5x3", "board=7x3", "board=3x5 chain=full"] {
        let all = solution(&["--rules", rules, "--stones", "4", "--each"], 0);
        let moves = all["moves"].as_array().expect("moves");
        let worth = |value: &Value| match value.as_str() {
            Some("win") => 2,
            Some("draw") => 1,
            _ => 0,
        };
        let best = moves.iter().map(|mv| worth(&mv["value"])).max();
        assert_eq!(best, Some(worth(&all["value"])), "{rules}");
        for mv in moves {
            let mv_text = mv["move"].as_str().expect("a move");
            let after = solution(&["--rules", rules, "--stones", "4", "--moves", mv_text], 0);
            assert_eq!(
                worth(&after["value"]) + worth(&mv["value"]),
                2,
                "{rules} {mv_text}"
            );
        }
    }
}

#[test]
fn certificates_are_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("proof");
    let name = name.to_str().expect("UTF-8");
    solution(&["--rules", "dimy", "--certificate", name], 0);
    for side in ["white", "black"] {
        let path = format!("{name}.{side}");
        let text = stdout(&["solve", "verify", &path]);
        assert!(
            text.contains(" cannot force a win: ") && text.ends_with("all right\n"),
            "{text}"
        );
        let mut bytes = std::fs::read(&path).expect("written");
        let place = bytes.len() / 2;
        bytes[place] ^= 4;
        std::fs::write(&path, bytes).expect("room");
        assert!(stderr(&["solve", "verify", &path], 1).contains("SHA-256 mismatch"));
    }
}

/// A certificate is checked with tables of as many stones as it names.
#[test]
fn tables_are_of_as_many_stones_as_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for stones in ["4", "5", "6"] {
        let name = folder.path().join(stones);
        let name = name.to_str().expect("UTF-8");
        let solved = ["--rules", "dimy", "--attacker", "black", "--stones", stones];
        solution(&[&solved, &["--certificate", name][..]].concat(), 0);
        let checked = stdout(&["solve", "verify", &format!("{name}.black")]);
        let expected = format!("tables of {stones} stones, all right\n");
        assert!(checked.ends_with(&expected), "{checked}");
    }
}

#[test]
fn what_cannot_be_solved_is_named() {
    for (arguments, code, what) in [
        (&["--rules", "vela"][..], 1, "no tablebases for the vela"),
        (&["--rules", "single-step"], 1, "tie=count"),
        (&["--rules", "repeat=1"], 1, "repeat=1 is not supported"),
        (&["--rules", "limit=5"], 1, "more than limit=5 allows"),
        (&["--rules", "chess"], 2, "neither a preset"),
        (&["--moves", "zz"], 2, "--moves, number 1"),
        (&["--stones", "9"], 1, "expected at most 1000000000"),
    ] {
        let message = stderr(&[&["solve"], arguments].concat(), code);
        assert!(message.contains(what), "{message}");
    }
    // The standard game is not settled in a moment.
    let open = solution(&["--movetime", "100"], 3);
    assert_eq!(open["value"], "unknown");
    assert!(stderr(&["solve", "verify", "/no/such/proof"], 1).contains("/no/such/proof"));
}

/// Killed in the middle of its work, the same command goes on from its checkpoint.
#[test]
fn work_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = folder.path().join("work");
    let checkpoint = checkpoint.to_str().expect("UTF-8");
    let arguments = ["--rules", "board=7x5", "--checkpoint", checkpoint];
    let all = [&["solve", "--hash", "64"], &arguments[..]].concat();
    let mut running = vato(&all).spawn().expect("the program");
    let nodes = || {
        let bytes = std::fs::read(checkpoint).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (_, number) = text.split_once("\"nodes\":")?;
        number.split(',').next()?.parse::<u64>().ok()
    };
    while nodes().unwrap_or_default() == 0 {
        assert_eq!(running.try_wait().expect("it runs"), None);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    running.kill().expect("it runs");
    running.wait().expect("it has ended");
    let kept = nodes().expect("a checkpoint");
    let movetime = ["--movetime", "300"];
    let after = solution(&[&arguments[..], &movetime].concat(), 3);
    assert_eq!(after["value"], "unknown");
    assert!(after["nodes"].as_u64() > Some(kept), "{after}");

    let other = ["--rules", "telo", "--checkpoint", checkpoint];
    let message = stderr(&[&["solve"], &other[..]].concat(), 1);
    assert!(message.contains("a checkpoint for board=7x5"), "{message}");
}
