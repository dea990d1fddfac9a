//! `vato solve`, seen from outside.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command_line::{Folder, Run, VATO, interrupt, object, run, signal, stdout};
use crate::support::schema::{check, schema};
use crate::support::transcript;

/// The solution in the output of a run that ends with this code.
fn solved(run: Run, code: i32) -> Value {
    assert_eq!(run.code, Some(code), "{run:?}");
    let value = object(&run.out);
    let schema = schema("solution.json");
    check(&value, &schema, &schema, "").expect("as the schema says");
    value
}

fn solution(arguments: &str, code: i32) -> Value {
    solved(run(&format!("solve --json --hash 64 {arguments}")), code)
}

#[test]
fn threads_find_the_same_values() {
    for (rules, value) in [("board=7x3", "win"), ("dimy", "draw")] {
        let solution = solution(&format!("--rules {rules} --threads 2"), 0);
        assert_eq!(solution["value"], value, "{rules}");
    }
}

/// One question alone is settled without the value.
#[test]
fn one_question_is_enough() {
    for (attacker, known) in [("white", "not-win"), ("black", "not-loss")] {
        let solution = solution(&format!("--rules dimy --attacker {attacker}"), 0);
        assert_eq!(solution["value"], "unknown");
        assert_eq!(solution["known"], serde_json::json!([known]));
    }
}

/// A position is worth what the best of its moves is; with small tables, so that it is searched.
#[test]
fn moves_and_positions_agree() {
    for rules in ["board=5x3", "board=7x3", "board=3x5 chain=full"] {
        let rules = format!("--rules '{rules}' --stones 4");
        let all = solution(&format!("{rules} --each"), 0);
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
            let after = solution(&format!("{rules} --moves {mv_text}"), 0);
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
    let folder = Folder::new();
    folder
        .run("solve --rules dimy --hash 64 --certificate proof")
        .success();
    for name in ["proof.white", "proof.black"] {
        let verify = format!("solve verify {name}");
        let text = folder.stdout(&verify);
        assert!(
            text.contains(" cannot force a win: ") && text.ends_with("valid\n"),
            "{text}"
        );
        let mut bytes = folder.bytes(name);
        let place = bytes.len() / 2;
        bytes[place] ^= 4;
        folder.write(name, bytes);
        assert!(folder.stderr(&verify, 1).contains("SHA-256 mismatch"));
    }
}

/// A certificate is checked with tables of as many stones as it names.
#[test]
fn tables_are_of_as_many_stones_as_asked_for() {
    let folder = Folder::new();
    for stones in ["4", "5", "6"] {
        let line = format!(
            "solve --json --hash 64 --rules dimy --attacker black --stones {stones} --certificate {stones}"
        );
        solved(folder.run(&line), 0);
        let checked = folder.stdout(&format!("solve verify {stones}.black"));
        let expected = format!("tables of {stones} stones, valid\n");
        assert!(checked.ends_with(&expected), "{checked}");
    }
}

#[test]
fn what_cannot_be_solved_is_named() {
    transcript::check(&Folder::new(), "solve_refused");
    // Nor are tables of eight stones.
    let tables = solution("--rules board=5x5 --stones 8 --movetime 20", 3);
    assert_eq!(tables["value"], "unknown");
    // The standard game is not settled in a moment.
    assert_eq!(solution("--movetime 100", 3)["value"], "unknown");
}

/// Killed in the middle of its work, the same command goes on from its checkpoint.
#[test]
fn work_goes_on_after_a_kill() {
    let folder = Folder::new();
    // Tables of so few stones take no time.
    let line = "solve --json --hash 64 --rules board=7x5 --stones 3 --checkpoint work";
    let mut running = folder.start(line);
    let nodes = || {
        let bytes = std::fs::read(folder.path("work")).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (_, number) = text.split_once("\"nodes\":")?;
        number.split(',').next()?.parse::<u64>().ok()
    };
    while nodes().unwrap_or_default() == 0 {
        assert_eq!(running.try_wait().expect("it runs"), None);
        thread::sleep(Duration::from_millis(50));
    }
    running.kill().expect("it runs");
    running.wait().expect("it has ended");
    let kept = nodes().expect("a checkpoint");
    let after = solved(folder.run(&format!("{line} --movetime 1000")), 3);
    assert_eq!(after["value"], "unknown");
    assert!(after["nodes"].as_u64() > Some(kept), "{after}");

    let message = folder.stderr("solve --rules telo --checkpoint work", 1);
    assert!(
        message.contains("other settings: rules 'board=7x5"),
        "{message}"
    );
}

/// Where the game is over, there is nothing to win: with the fourth and the fifth of these moves the position comes
/// for the third time; the counter has run out; a side has no stones.
#[test]
fn a_game_that_is_over_has_its_result() {
    let twice = "a1-a2 i5-i4 a2-a1 i4-i5";
    for (fen, moves, value, reason) in [
        ("8b/9/9/9/w7w w 0 20", twice, "win for White", None),
        (
            "8b/9/9/9/w7w w 0 20",
            &format!("{twice} {twice}"),
            "draw for White",
            Some("draw: repetition"),
        ),
        (
            "8b/9/9/9/w7w w 100 70",
            "",
            "draw for White",
            Some("draw: no capture for too long"),
        ),
        (
            "9/9/9/9/w7w b 0 20",
            "",
            "loss for Black",
            Some("White wins: Black has no stones"),
        ),
    ] {
        let text = stdout(&format!("solve --fen '{fen}' --moves '{moves}' --hash 1"));
        let told = format!("value: {value}\n");
        assert!(text.contains(&told), "{moves}: {text}");
        let over = reason.map(|reason| format!("the game is over: {reason}\n"));
        assert_eq!(over.is_some(), text.contains("the game is over"), "{text}");
        assert!(over.is_none_or(|over| text.contains(&over)), "{text}");
    }
}

/// Solves to the end, however often it is stopped on its way; `stops` says after how many milliseconds, and whether
/// by a kill. Returns the solution and how often it was stopped before it was there.
#[cfg(unix)]
fn solve_with_stops(
    folder: &Folder,
    line: &str,
    stops: impl Iterator<Item = (u64, bool)>,
) -> (Value, usize) {
    let mut count = 0;
    for (time, is_kill) in stops {
        let mut running = folder.start(line);
        let end = Instant::now() + Duration::from_millis(time);
        while Instant::now() < end && running.try_wait().expect("it runs").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let is_there = running.try_wait().expect("it runs").is_some();
        if !is_there {
            signal(&running, if is_kill { "-KILL" } else { "-TERM" });
        }
        let run = Run::end_of(running);
        if run.code == Some(0) {
            return (object(&run.out), count);
        }
        if !is_kill && let Some(code) = run.code {
            let what = run.err;
            assert!(
                // Perhaps before there was anything to go on from.
                code == 3
                    && [
                        "stopped; the same command continues",
                        "stopped while the tables"
                    ]
                    .iter()
                    .any(|told| what.contains(told)),
                "{code}: {what}"
            );
        }
        count += 1;
    }
    (solved(folder.run(line), 0), count)
}

/// Proofs that were stopped at any time come to the same result, and their certificates are right; so do those that
/// are there already and are asked for again.
#[cfg(unix)]
fn compare_with_stops(questions: &[&str], seeds: Range<u64>, longest: u64) {
    for arguments in questions {
        let whole = solution(arguments, 0);
        for seed in seeds.clone() {
            let folder = Folder::new();
            let line =
                format!("solve --json --hash 64 {arguments} --checkpoint work --certificate proof");
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let stops = (0..12).map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random % longest, random >> 40 & 1 == 0)
            });
            let (found, count) = solve_with_stops(&folder, &line, stops);
            println!("{arguments}, seed {seed}: stopped {count} times");
            for what in ["value", "known"] {
                assert_eq!(found[what], whole[what], "{arguments}, seed {seed}");
            }
            let proofs = ["proof.white", "proof.black"].into_iter();
            let proofs: Vec<&str> = proofs.filter(|name| folder.exists(name)).collect();
            assert!(!proofs.is_empty());
            for name in &proofs {
                let checked = folder.stdout(&format!("solve verify {name}"));
                assert!(checked.ends_with("valid\n"), "{name}");
            }
            let bytes = || proofs.iter().map(|name| folder.bytes(name));
            let before: Vec<_> = bytes().collect();
            // Once more: it is all there, and stays as it is.
            let again = solved(folder.run(&line), 0);
            assert_eq!(again["value"], whole["value"], "{arguments}, seed {seed}");
            assert!(bytes().eq(before), "{arguments}, seed {seed}");
            let names = folder.names();
            assert!(!names.iter().any(|name| name.ends_with(".lock")));
        }
    }
}

#[cfg(unix)]
#[test]
fn stopped_proofs_come_to_the_same_result() {
    compare_with_stops(
        &[
            "--rules board=7x3 --stones 4",
            "--rules 'board=3x7 chain=full' --stones 4 --threads 2",
            "--rules board=5x5 --stones 3 --attacker black",
        ],
        0..1,
        150,
    );
}

#[cfg(unix)]
#[test]
#[ignore = "an hour: proofs of larger boards, stopped at a hundred moments"]
fn stopped_proofs_of_larger_boards_come_to_the_same_result() {
    compare_with_stops(
        &[
            "--rules board=3x9",
            "--rules board=5x7 --stones 4 --attacker white",
            "--rules board=9x3 --threads 2",
            "--rules dimy",
            "--rules 'board=7x3 capture=free' --stones 3",
            "--rules 'board=3x7 opening=both limit=60' --stones 5",
        ],
        1..20,
        4_000,
    );
}

/// One process at a time, which keeps its work at Ctrl-C, says so, and leaves no lock behind.
#[cfg(unix)]
#[test]
fn a_checkpoint_has_one_writer() {
    let folder = Folder::new();
    let proof = "solve --hash 16 --attacker white --certificate proof";
    let line = format!("{proof} --checkpoint work");
    let mut running = folder.start(&line);
    folder.wait_for(&mut running, "work");
    for second in [&line, proof] {
        let message = folder.stderr(second, 1);
        assert!(message.contains("in use"), "{message}");
    }
    thread::sleep(Duration::from_millis(300));
    interrupt(&running);
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(3), "{run:?}");
    let told = "the same command continues from work";
    assert!(run.err.contains(told), "{run:?}");
    let kept = folder.bytes("work").len();
    assert!(kept > 300, "{kept} bytes");
    assert_eq!(folder.names(), ["work"]);
}

/// What is there is not replaced. A file that cannot take the proof costs the proof, not the value.
#[test]
fn files_of_others_stay() {
    let folder = Folder::new();
    folder.write("a.white", "a text");
    folder.write("text", "a text");
    std::fs::create_dir(folder.path("b.black")).expect("a folder");
    folder
        .run("solve --rules board=3x3 --hash 1 --certificate c --stones 2")
        .success();
    let proof = folder.bytes("c.white");
    transcript::check(&folder, "solve_files_refused");
    for name in ["a.white", "text"] {
        assert_eq!(folder.read(name), "a text");
    }
    assert_eq!(folder.bytes("c.white"), proof);
    assert!(!folder.exists("d.white"));
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path("pipe"))
            .status();
        assert!(made.expect("mkfifo runs").success());
        for line in [
            "solve --rules board=3x3 --checkpoint pipe",
            "solve verify pipe",
        ] {
            assert!(folder.stderr(line, 1).contains("not a regular file"));
        }
    }
}

/// A thread that cannot be started ends the others.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_told() {
    for row in [
        "4000000 solve --attacker white --threads 16: cannot start a thread",
        "1000000 solve --attacker white: no memory for a table of 1024 MiB",
        "200000 perft 11 --rules dimy --hash 2000: no memory for a table of 2000 MiB",
        "110000 solve --rules telo --hash 1: too little address space",
        "110000 games filter all --sort White a.pgn: too little address space",
        "110000 analyse --depth 1: too little address space",
    ] {
        let (line, what) = row.split_once(": ").expect("an error");
        let (memory, arguments) = line.split_once(' ').expect("arguments");
        let command = format!("ulimit -v {memory} && exec {VATO} {arguments}");
        let run = Run::of(std::process::Command::new("sh").args(["-c", &command]));
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.err.contains(what), "{run:?}");
    }
}
