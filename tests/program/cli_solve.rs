//! `vato solve`, seen from outside.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command_line::{Folder, Run, VATO, interrupt, object, run, signal, vato};
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

/// Values, questions, moves, games that are over, and proofs that are checked.
#[test]
fn what_is_solved_is_told() {
    let folder = Folder::new();
    folder.stdout("solve --rules dimy --attacker white --hash 64 --certificate damaged");
    let mut bytes = folder.bytes("damaged.white");
    let place = bytes.len() / 2;
    bytes[place] ^= 4;
    folder.write("damaged.white", bytes);
    transcript::check(&folder, "solve");
    transcript::check(&folder, "solve_refused");
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

/// One process at a time, which keeps its work at Ctrl-C, says so, and leaves no lock behind; the same command goes on
/// from it, and no other.
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
    assert_eq!(folder.names(), ["work"]);
    let kept = String::from_utf8_lossy(&folder.bytes("work")).into_owned();
    let (_, nodes) = kept.split_once("\"nodes\":").expect("a number");
    let nodes: u64 = nodes
        .split(',')
        .next()
        .expect("text")
        .parse()
        .expect("a number");
    let after = solved(folder.run(&format!("{line} --json --movetime 500")), 3);
    assert!(
        after["nodes"].as_u64() > Some(nodes.max(1_000)),
        "{nodes}: {after}"
    );
    let message = folder.stderr("solve --rules telo --checkpoint work", 1);
    assert!(message.contains("other settings: "), "{message}");
    assert!(message.contains("; rules '"), "{message}");
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
    folder.write("strategy", "a text");
    transcript::check(&folder, "solve_files_refused");
    for name in ["a.white", "strategy", "text"] {
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
        // One that is open already cannot be read twice.
        for line in ["verify /dev/stdin", "strategy /dev/stdin --out s"] {
            let mut command = vato(&format!("solve {line}"));
            let run = Run::with_input(&mut command, &"VATOPROV".repeat(9));
            assert!(
                run.err.contains("/dev/stdin: not a regular file"),
                "{run:?}"
            );
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
