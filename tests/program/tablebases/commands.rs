//! `vato tablebase`: what it prints, and builds that are stopped.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use vato_solver::tables::Manifest;

use super::damage::{end_of_blocks, flipped};
use super::set::Set;
use crate::support::command_line::{Folder, Run, object, objects, signal, stdout};
use crate::support::transcript;

/// White needs seven plies.
const WON: &str = "9/9/3b5/9/w7w w 0 2";
/// Black needs twenty-nine plies.
const LOST: &str = "bb7/9/9/3w5/9 w 0 2";

/// All commands, and what they say of sets that are not as they were built.
#[test]
fn the_commands_say_what_they_do() {
    let folder = Folder::new();
    let set = Set::build("tsivy", 3);
    let put = |name: &str, files: &[(&str, Option<&[u8]>)]| {
        std::fs::create_dir(folder.path(name)).expect("a new folder");
        let mut all = set.files();
        for &(file, bytes) in files {
            all.remove(file);
            all.extend(bytes.map(|bytes| (file.to_owned(), bytes.to_vec())));
        }
        for (file, bytes) in all {
            folder.write(&format!("{name}/{file}"), bytes);
        }
    };
    let table = set.read("1v2.vtb");
    let mut newer = table.clone();
    newer[8] = 2;
    put("newer", &[("1v2.vtb", Some(&newer))]);
    put("short", &[("1v2.vtb", Some(&table[..700]))]);
    put("foreign", &[("1v2.vtb", Some(b"PK\x03\x04"))]);
    let header = flipped(&table, table.len() - 9);
    put("header", &[("1v2.vtb", Some(&header))]);
    let directory = flipped(&table, end_of_blocks(&table));
    put("directory", &[("1v2.vtb", Some(&directory))]);
    put("block", &[("1v2.vtb", Some(&flipped(&table, 40)))]);
    put("twins", &[("1v2.vtb", None), ("2v1.vtb", None)]);
    let manifest = String::from_utf8(set.read(Manifest::NAME)).expect("UTF-8");
    for (name, from, to) in [
        ("counts", "\"longest\": 29", "\"longest\": 30"),
        ("full", "chain=free", "chain=full"),
        ("chess", "board=9x5 capture=forced", "chess"),
        ("ties", "tie=draw", "tie=count"),
        ("cut", "}", ""),
    ] {
        let changed = manifest.replacen(from, to, 1);
        assert_ne!(changed, manifest, "{name}");
        put(name, &[(Manifest::NAME, Some(changed.as_bytes()))]);
    }
    let mut less = object(&manifest);
    less["slices"].as_array_mut().expect("a list").remove(0);
    put(
        "less",
        &[(Manifest::NAME, Some(less.to_string().as_bytes()))],
    );
    folder.write("file", "somebody's");
    let before = folder.names();
    transcript::check(&folder, "tablebases");
    assert_eq!(folder.read("file"), "somebody's");
    // What is refused leaves no folder.
    let mut names = folder.names();
    names.retain(|name| !before.contains(name));
    assert_eq!(names, ["new", "tables"]);
}

#[test]
fn what_cannot_be_looked_up_is_explained() {
    let folder = Folder::new();
    folder.stdout("tablebase build --stones 3 --out tables");
    transcript::check(&folder, "probe_refused");
}

/// The best move first; each move of the line is a ply nearer to the conversion, and the last one ends the game. An
/// analysis tells the same.
#[test]
fn moves_come_with_what_they_achieve() {
    for (fen, outcome, plies, score) in [(WON, "win", 7, "+TB 7"), (LOST, "loss", 29, "-TB 29")] {
        let answer = object(&stdout(&format!("tablebase probe --json --fen '{fen}'")));
        assert_eq!(
            (&answer["outcome"], &answer["plies"]),
            (&outcome.into(), &plies.into())
        );
        let moves = answer["moves"].as_array().expect("a list");
        let worth = |mv: &Value| {
            let plies = mv["plies"].as_i64().expect("a number");
            match mv["outcome"].as_str() {
                Some("win") => (2, -plies),
                Some("draw") => (1, 0),
                Some("loss") => (0, plies),
                _ => panic!("{mv}"),
            }
        };
        assert!(moves.is_sorted_by(|a, b| worth(a) >= worth(b)), "{answer}");
        let line = answer["line"].as_array().expect("a list");
        assert_eq!(line[0]["move"], moves[0]["move"]);
        let distances: Vec<u64> = line.iter().filter_map(|mv| mv["plies"].as_u64()).collect();
        assert_eq!((distances[0], distances.last()), (plies, Some(&1)));
        for pair in distances.windows(2) {
            assert!(pair[1] + 1 == pair[0] || pair[0] == 1, "{distances:?}");
        }

        let analyse = format!("analyse --fen '{fen}' --nodes 100");
        assert!(stdout(&analyse).contains(score));
        let analysed = &objects(&stdout(&format!("{analyse} --json --multipv 9")))[0]["lines"];
        assert_eq!(analysed[0]["conversion"], plies);
        for (line, mv) in analysed.as_array().expect("a list").iter().zip(moves) {
            assert_eq!(line["pv"][0], mv["move"]);
            if mv["outcome"] != "draw" && line["score"]["plies_to_end"].is_null() {
                assert_eq!(line["conversion"], mv["plies"], "{line}");
            }
        }
    }
}

fn build_line(rules: &str, stones: u32) -> String {
    format!("tablebase build --threads 2 --rules '{rules}' --stones {stones} --out tables")
}

/// Stopped at random moments, by a kill or a signal, with more and with fewer stones in between: the files are those
/// of a build in one go, and what was stopped leaves nothing beside them.
#[cfg(unix)]
fn compare_with_stops(rules: &str, stones: [u32; 2], seeds: Range<u64>, longest: u64) {
    let whole = Set::build(rules, stones[1]).files();
    for seed in seeds {
        let folder = Folder::new();
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for _ in 0..10 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let stones = stones[(random >> 50 & 1) as usize];
            let mut build = folder.start(&build_line(rules, stones));
            let end = Instant::now() + Duration::from_millis(random % longest);
            while Instant::now() < end && build.try_wait().expect("it runs").is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            if build.try_wait().expect("it runs").is_none() {
                let is_kill = random >> 51 & 1 == 0;
                signal(&build, if is_kill { "-KILL" } else { "-TERM" });
            }
            let run = Run::end_of(build);
            match run.code {
                Some(3) => assert!(
                    run.err.starts_with("stopped; finished slices are kept"),
                    "{run:?}"
                ),
                code => assert!(code.is_none_or(|code| code == 0), "{run:?}"),
            }
            // Whatever there is can be told from damaged tables: it opens, or something is missing.
            let info = folder.run("tablebase info tables");
            let is_gap = ["is missing", "no tablebase here", "cannot read tables: "];
            let is_gap = is_gap.iter().any(|told| info.err.contains(told));
            assert!(info.code == Some(0) || is_gap, "{info:?}");
        }
        folder.stdout(&build_line(rules, stones[1]));
        let names = std::fs::read_dir(folder.path("tables")).expect("a folder");
        assert_eq!(names.count(), whole.len(), "{rules}, seed {seed}");
        for (name, bytes) in &whole {
            let is_same = folder.bytes(&format!("tables/{name}")) == *bytes;
            assert!(is_same, "{rules}, seed {seed}: {name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn stopped_builds_come_to_the_same_files() {
    compare_with_stops("board=5x3", [4, 6], 0..2, 200);
}

#[cfg(unix)]
#[test]
#[ignore = "minutes: larger tables, stopped at hundreds of moments"]
fn stopped_builds_of_larger_tables_come_to_the_same_files() {
    for rules in [
        "tsivy",
        "dimy",
        "board=3x7 capture=free",
        "board=5x5 chain=full",
    ] {
        compare_with_stops(rules, [4, 5], 1..15, 1_500);
    }
}

/// A second build is refused while one is at work, whatever it builds; no lock stays behind.
#[cfg(unix)]
#[test]
fn a_folder_has_one_builder() {
    let folder = Folder::new();
    let mut build = folder.start(&build_line("tsivy", 6));
    folder.wait_for(&mut build, "tables/1v1.vtb");
    for rules in ["tsivy", "dimy"] {
        let message = folder.stderr(&build_line(rules, 3), 1);
        assert!(message.contains("in use"), "{message}");
    }
    signal(&build, "-TERM");
    assert_eq!(Run::end_of(build).code, Some(3));
    let names = std::fs::read_dir(folder.path("tables")).expect("a folder");
    for name in names {
        let name = name
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8");
        assert!(name.ends_with(".vtb") || name == Manifest::NAME, "{name}");
    }
}
