//! `vato solve`, seen from outside.

use std::ops::Range;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command_line::{interrupt, run, signal, stderr, stdout, vato};
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
            text.contains(" cannot force a win: ") && text.ends_with("valid\n"),
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
        let expected = format!("tables of {stones} stones, valid\n");
        assert!(checked.ends_with(&expected), "{checked}");
    }
}

#[test]
fn what_cannot_be_solved_is_named() {
    for (arguments, code, what) in [
        (&["--rules", "vela"][..], 1, "no tablebases for the vela"),
        (&["--rules", "single-step"], 1, "tie=count"),
        (&["--rules", "repeat=1"], 1, "repeat=1 is not supported"),
        (
            &["--rules", "limit=5"],
            1,
            "more than limit=5 allows; where",
        ),
        (&["--rules", "chess"], 2, "neither a preset"),
        (&["--moves", "zz"], 2, "--moves, number 1"),
        (&["--stones", "9"], 1, "expected at most 1000000000"),
    ] {
        let message = stderr(&[&["solve"], arguments].concat(), code);
        assert!(message.contains(what), "{message}");
    }
    // Nor are tables of eight stones.
    let tables = ["--rules", "board=5x5", "--stones", "8", "--movetime", "20"];
    assert_eq!(solution(&tables, 3)["value"], "unknown");
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
    // Tables of so few stones take no time.
    let rules = ["--rules", "board=7x5", "--stones", "3"];
    let arguments = [&rules[..], &["--checkpoint", checkpoint]].concat();
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
    let movetime = ["--movetime", "1000"];
    let after = solution(&[&arguments[..], &movetime].concat(), 3);
    assert_eq!(after["value"], "unknown");
    assert!(after["nodes"].as_u64() > Some(kept), "{after}");

    let other = ["--rules", "telo", "--checkpoint", checkpoint];
    let message = stderr(&[&["solve"], &other[..]].concat(), 1);
    assert!(message.contains("a checkpoint for board=7x5"), "{message}");
}

/// Where the game is over, there is nothing to win: with the fourth and the fifth of these moves the position comes
/// for the third time; the counter has run out; a side has no stones.
#[test]
fn a_game_that_is_over_has_its_result() {
    let shuffle = "a1-a2 i5-i4 a2-a1 i4-i5 a1-a2 i5-i4 a2-a1 i4-i5";
    for (fen, moves, value, reason) in [
        (
            "8b/9/9/9/w7w w 0 20",
            "a1-a2 i5-i4 a2-a1 i4-i5",
            "win for White",
            None,
        ),
        (
            "8b/9/9/9/w7w w 0 20",
            shuffle,
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
        let text = stdout(&["solve", "--fen", fen, "--moves", moves, "--hash", "1"]);
        assert!(
            text.contains(&format!("value: {value}\n")),
            "{moves}: {text}"
        );
        let over = reason.map(|reason| format!("the game is over: {reason}\n"));
        assert_eq!(over.is_some(), text.contains("the game is over"), "{text}");
        assert!(over.is_none_or(|over| text.contains(&over)), "{text}");
    }
}

/// Solves to the end, however often it is stopped on its way; `stops` says after how many milliseconds, and whether
/// by a kill. Returns the solution and how often it was stopped before it was there.
#[cfg(unix)]
fn solve_with_stops(
    arguments: &[&str],
    stops: impl Iterator<Item = (u64, bool)>,
) -> (Value, usize) {
    let all = [&["solve", "--json", "--hash", "64"], arguments].concat();
    let mut count = 0;
    for (time, is_kill) in stops {
        let mut running = vato(&all)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let end = Instant::now() + Duration::from_millis(time);
        while Instant::now() < end && running.try_wait().expect("it runs").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let is_there = running.try_wait().expect("it runs").is_some();
        if !is_there {
            signal(&running, if is_kill { "-KILL" } else { "-TERM" });
        }
        let output = running.wait_with_output().expect("it ends");
        let what = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return (serde_json::from_slice(&output.stdout).expect("JSON"), count);
        }
        if !is_kill && let Some(code) = output.status.code() {
            assert!(
                code == 3 && what.contains("stopped; the same command goes on"),
                "{code}: {what}"
            );
        }
        count += 1;
    }
    (solution(arguments, 0), count)
}

/// Proofs that were stopped at any time come to the same result, and their certificates are right; so do those that
/// are there already and are asked for again.
#[cfg(unix)]
fn compare_with_stops(questions: &[&[&str]], seeds: Range<u64>, longest: u64) {
    for arguments in questions {
        let whole = solution(arguments, 0);
        for seed in seeds.clone() {
            let folder = tempfile::tempdir().expect("a folder");
            let [work, name] = ["work", "proof"].map(|name| folder.path().join(name));
            let [work, name] = [&work, &name].map(|path| path.to_str().expect("UTF-8"));
            let kept = [
                arguments,
                &["--checkpoint", work, "--certificate", name][..],
            ]
            .concat();
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let stops = (0..12).map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random % longest, random >> 40 & 1 == 0)
            });
            let (found, count) = solve_with_stops(&kept, stops);
            println!("{arguments:?}, seed {seed}: stopped {count} times");
            for what in ["value", "known"] {
                assert_eq!(found[what], whole[what], "{arguments:?}, seed {seed}");
            }
            let proofs = || {
                let paths = ["white", "black"].map(|side| format!("{name}.{side}"));
                paths.into_iter().filter(|path| Path::new(path).exists())
            };
            assert!(proofs().count() > 0);
            let before: Vec<_> = proofs()
                .map(|path| std::fs::read(path).expect("there"))
                .collect();
            for path in proofs() {
                assert!(
                    stdout(&["solve", "verify", &path]).ends_with("valid\n"),
                    "{path}"
                );
            }
            // Once more: it is all there, and stays as it is.
            let again = solution(&kept, 0);
            assert_eq!(again["value"], whole["value"], "{arguments:?}, seed {seed}");
            let after: Vec<_> = proofs()
                .map(|path| std::fs::read(path).expect("there"))
                .collect();
            assert!(before == after, "{arguments:?}, seed {seed}");
            let left = std::fs::read_dir(folder.path()).expect("a folder");
            let locks = left.filter(|file| {
                let name = file.as_ref().expect("a file").file_name();
                name.to_string_lossy().ends_with(".lock")
            });
            assert_eq!(locks.count(), 0);
        }
    }
}

#[cfg(unix)]
#[test]
fn stopped_proofs_come_to_the_same_result() {
    compare_with_stops(
        &[
            &["--rules", "board=7x3", "--stones", "4"],
            &[
                "--rules",
                "board=3x7 chain=full",
                "--stones",
                "4",
                "--threads",
                "2",
            ],
            &[
                "--rules",
                "board=5x5",
                "--stones",
                "3",
                "--attacker",
                "black",
            ],
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
            &["--rules", "board=3x9"],
            &[
                "--rules",
                "board=5x7",
                "--stones",
                "4",
                "--attacker",
                "white",
            ],
            &["--rules", "board=9x3", "--threads", "2"],
            &["--rules", "dimy"],
            &["--rules", "board=7x3 capture=free", "--stones", "3"],
            &[
                "--rules",
                "board=3x7 opening=both limit=60",
                "--stones",
                "5",
            ],
        ],
        1..20,
        4_000,
    );
}

/// One process at a time, which keeps its work at Ctrl-C, says so, and leaves no lock behind.
#[cfg(unix)]
#[test]
fn a_checkpoint_has_one_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    let work = work.to_str().expect("UTF-8");
    let proof = folder.path().join("proof");
    let proof = proof.to_str().expect("UTF-8");
    let arguments = [
        "solve",
        "--hash",
        "16",
        "--attacker",
        "white",
        "--certificate",
        proof,
        "--checkpoint",
        work,
    ];
    let running = vato(&arguments)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let running = running.expect("the program");
    while !Path::new(work).exists() {
        thread::sleep(Duration::from_millis(10));
    }
    let message = stderr(&arguments, 1);
    assert!(message.contains("in use"), "{message}");
    let message = stderr(&arguments[..arguments.len() - 2], 1);
    assert!(message.contains("in use"), "{message}");
    thread::sleep(Duration::from_millis(300));
    interrupt(&running);
    let output = running.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains(&format!("the same command goes on from {work}")),
        "{text}"
    );
    let kept = std::fs::metadata(work).expect("a checkpoint").len();
    assert!(kept > 300, "{kept} bytes");
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

/// What is there is not replaced.
#[test]
fn files_of_others_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let solve = |arguments: &[&str], code| {
        let all = [&["solve", "--rules", "board=3x3", "--hash", "1"], arguments].concat();
        let output = run(&all);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {output:?}"
        );
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    std::fs::write(path("a.white"), "a text").expect("room");
    std::fs::write(path("text"), "a text").expect("room");
    std::fs::create_dir(path("b.black")).expect("a folder");
    solve(&["--certificate", &path("c"), "--stones", "2"], 0);
    let proof = std::fs::read(path("c.white")).expect("written");
    for (option, name, stones, what) in [
        ("--certificate", "a", "2", "not a certificate"),
        ("--certificate", "b", "2", "directory"),
        (
            "--certificate",
            "c",
            "5",
            "another question or other tables",
        ),
        (
            "--certificate",
            "no/such",
            "2",
            "no/such.white: No such file",
        ),
        ("--checkpoint", "text", "2", "not a checkpoint"),
        ("--checkpoint", "b.black", "2", "directory"),
        ("--checkpoint", "c.white", "2", "not a checkpoint"),
        ("--checkpoint", "no/such", "2", "cannot write"),
    ] {
        let message = solve(&[option, &path(name), "--stones", stones], 1);
        assert!(message.contains(what), "{option} {name}: {message}");
    }
    let both = [
        "--certificate",
        &path("d"),
        "--checkpoint",
        &path("d.white"),
    ];
    assert!(solve(&both, 2).contains("give them different names"));
    for name in ["a.white", "text"] {
        assert_eq!(std::fs::read(path(name)).expect("there"), b"a text");
    }
    assert!(std::fs::read(path("c.white")).expect("there") == proof);
    assert!(!Path::new(&path("d.white")).exists());
    // A file that cannot take the proof costs the proof, not the value.
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(made.expect("mkfifo runs").success());
        for arguments in [["--checkpoint", &path("pipe")], ["verify", &path("pipe")]] {
            let all = match arguments {
                ["verify", pipe] => vec!["solve", "verify", pipe],
                _ => [&["solve", "--rules", "board=3x3"], &arguments[..]].concat(),
            };
            assert!(stderr(&all, 1).contains("not a regular file"));
        }
    }
}

/// A thread that cannot be started ends the others.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_told() {
    for (memory, arguments, what) in [
        (
            "4000000",
            "solve --attacker white --threads 16",
            "cannot start a thread",
        ),
        (
            "1000000",
            "solve --attacker white",
            "no memory for a table of 1024 MiB",
        ),
        (
            "200000",
            "perft 11 --rules dimy --hash 2000",
            "no memory for a table of 2000 MiB",
        ),
        (
            "110000",
            "solve --rules telo --hash 1",
            "too little address space",
        ),
        (
            "110000",
            "games sort --by White a.pgn",
            "too little address space",
        ),
        ("110000", "analyse --depth 1", "too little address space"),
    ] {
        let program = env!("CARGO_BIN_EXE_vato");
        let command = format!("ulimit -v {memory} && exec {program} {arguments}");
        let output = std::process::Command::new("sh")
            .args(["-c", &command])
            .output();
        let output = output.expect("a shell");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(what), "{text}");
    }
}
