//! Files that are not as they were written: whatever the damage, it is reported, and nothing that is read
//! is wrong.

use std::fs;

use serde_json::Value as Json;
use vato_engine::board::Position;
use vato_engine::container::ContainerError;
use vato_engine::tablebase::{Slice, TablebaseError, Tablebases, Value};
use vato_solver::tables::verify;

use super::placements::positions;
use super::set::{Set, THREE_STONES, slices};
use crate::support::command_line::{Folder, run, stderr, stdout};

/// Where the directories of a file begin, which is where its blocks end.
fn end_of_blocks(bytes: &[u8]) -> usize {
    let offset = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    let header: Json = serde_json::from_slice(&bytes[offset as usize..]).expect("JSON");
    header["outcomes"]["directory"].as_u64().expect("an offset") as usize
}

/// A copy with one bit changed; which one depends on the place.
fn flipped(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    copy[place] ^= 1 << (place % 8);
    copy
}

/// Every position of a set with its value.
struct Known(Vec<(Position, Value)>);

impl Known {
    fn of(set: &Set, stones: u32) -> Known {
        let (rules, tables) = (set.rules(), set.open());
        let all = slices(&rules, stones).into_iter().flat_map(|slice| {
            let positions = positions(&rules, slice);
            positions.into_iter().map(|position| {
                let value = tables.value(&position);
                (position, value.expect("within the tables"))
            })
        });
        Known(all.collect())
    }

    /// Looks everything up in damaged tables. How many values are not to be had.
    fn compare(&self, tables: &Tablebases) -> usize {
        let mut missing = 0;
        for (position, value) in &self.0 {
            match tables.value(position) {
                Some(found) => assert_eq!(found, *value, "{position:?}"),
                None => missing += 1,
            }
            let outcome = tables.outcome(position);
            assert!(outcome.is_none_or(|wdl| wdl == value.wdl), "{position:?}");
        }
        missing
    }
}

/// The set does not open, and its error names this file.
fn expect_damaged(set: &Set, name: &str) -> String {
    match set.error() {
        TablebaseError::File(ContainerError::Content(path, what)) => {
            assert_eq!(path, set.file(name), "{what}");
            what
        }
        error => panic!("{name}: {error}"),
    }
}

/// All but the blocks is looked at when a file is opened: the preamble, two directories of sixteen bytes,
/// and the header.
#[test]
fn a_flipped_bit_outside_the_blocks_keeps_a_file_from_opening() {
    let set = Set::build("tsivy", 3);
    for name in THREE_STONES {
        let whole = set.read(name);
        let directories = end_of_blocks(&whole);
        let header = directories + 32;
        let places = (0..32).chain(directories..header);
        for place in places.chain((header..whole.len()).step_by(5)) {
            set.write(name, &flipped(&whole, place));
            let what = expect_damaged(&set, name);
            if (8..12).contains(&place) {
                assert!(what.starts_with("a tablebase of format version "), "{what}");
            }
        }
        set.write(name, &whole);
    }
    set.expect_right();
}

/// Blocks are looked at when they are needed. A check needs them all.
#[test]
fn a_flipped_bit_in_a_block_is_found_by_the_check() {
    let set = Set::build("tsivy", 3);
    for name in THREE_STONES {
        let whole = set.read(name);
        for place in (32..end_of_blocks(&whole)).step_by(149) {
            set.write(name, &flipped(&whole, place));
            let tables = set.open();
            let verification = verify(&tables, None, &|_| {});
            assert!(verification.wrong > 0, "{name}, byte {place}");
            let complaints = tables.complaints();
            assert_eq!(complaints.len(), 1, "{complaints:?}");
            let path = set.file(name);
            let start = format!("{}: block 0 of ", path.display());
            assert!(complaints[0].starts_with(&start), "{complaints:?}");
            assert!(complaints[0].ends_with("wrong checksum"), "{complaints:?}");
            assert!(tables.complaints().is_empty(), "said twice");
        }
        set.write(name, &whole);
    }
}

/// Whoever plays by a damaged set gets no wrong value from it.
#[test]
fn no_value_from_a_damaged_set_is_wrong() {
    let set = Set::build("tsivy", 3);
    let known = Known::of(&set, 3);
    assert_eq!(known.0.len(), 87_120);
    assert_eq!(known.compare(&set.open()), 0);
    for (name, step) in [("1v1.vtb", 50), ("1v2.vtb", 700), ("2v1.vtb", 600)] {
        let whole = set.read(name);
        for place in (32..end_of_blocks(&whole)).step_by(step) {
            set.write(name, &flipped(&whole, place));
            let tables = set.open();
            assert!(
                known.compare(&tables) > 0,
                "{name}, byte {place}: nothing is missing"
            );
            assert_eq!(tables.complaints().len(), 1, "{name}, byte {place}");
        }
        set.write(name, &whole);
    }
}

#[test]
fn a_file_that_ends_too_early_or_too_late_does_not_open() {
    let set = Set::build("tsivy", 3);
    for name in THREE_STONES {
        let whole = set.read(name);
        let last = whole.len() - 1;
        let step = whole.len() / 60;
        for length in (0..40).chain((40..last).step_by(step)).chain([last]) {
            set.write(name, &whole[..length]);
            let what = expect_damaged(&set, name);
            if length >= 32 {
                let said = format!("{length} bytes long, expected {}", whole.len());
                assert_eq!(what, said, "{name}");
            }
        }
        for more in [&b"x"[..], &[0; 64], &whole] {
            set.write(name, &[&whole, more].concat());
            expect_damaged(&set, name);
        }
        set.write(name, &whole);
    }
}

/// What the commands say, with exit code 1.
#[test]
fn the_commands_name_the_damaged_file() {
    let set = Set::build("tsivy", 3);
    let path = set.file("1v2.vtb");
    let path = path.to_str().expect("UTF-8");
    let whole = set.read("1v2.vtb");
    let mut newer = whole.clone();
    newer[8] = 2;
    for (bytes, what) in [
        (
            &newer[..],
            "a tablebase of format version 2; this program reads version 1",
        ),
        (&flipped(&whole, 20), "bytes long, expected"),
        (
            &flipped(&whole, whole.len() - 9),
            "wrong checksum of the header",
        ),
        (
            &flipped(&whole, end_of_blocks(&whole)),
            "wrong checksum of a directory",
        ),
        (&whole[..700], "700 bytes long, expected 5640"),
        (b"PK\x03\x04", "not a tablebase"),
        (b"", "not a tablebase"),
    ] {
        set.write("1v2.vtb", bytes);
        let folder = set.text();
        for command in [
            format!("verify {folder}"),
            format!("info {folder}"),
            format!("info {folder} --json"),
            format!("probe --dir {folder} --fen '9/9/3b5/9/w7w w 0 2'"),
        ] {
            let message = stderr(&format!("tablebase {command}"), 1);
            let start = format!("error: {path}: ");
            assert!(message.starts_with(&start), "{message}");
            assert!(message.contains(what), "{what}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }

    // A block is damaged, so the set opens.
    set.write("1v2.vtb", &flipped(&whole, 40));
    let said = set.complaints_of_verify();
    let block = format!("{path}: block 0 of outcomes: ");
    assert!(said.contains(&format!("\n{block}")), "{said}");
    let run = run(&format!("tablebase verify {}", set.text()));
    assert!(run.out.len() < 10_000, "too much is told");
    let probe = format!("tablebase probe --dir {} --fen", set.text());
    let message = stderr(&format!("{probe} '9/9/3b5/9/w7w w 0 2'"), 1);
    let start = format!("error: {block}");
    assert!(message.starts_with(&start), "{message}");
    // What the damage does not concern can still be looked up.
    stdout(&format!("{probe} '9/9/9/9/w7b w 0 2'"));
}

/// A proof is searched without a damaged table, and not checked without it; both are told.
#[test]
fn the_solver_names_the_damaged_file() {
    let (set, folder) = (Set::build("dimy", 5), Folder::new());
    let tables = format!("--tablebases {}", set.text());
    let solve = format!("solve --rules dimy --attacker black --hash 64 --stones 5 {tables}");
    folder.stdout(&format!("{solve} --certificate proof"));
    let verify = format!("solve verify proof.black {tables}");
    folder.stdout(&verify);
    set.write("3v2.vtb", &flipped(&set.read("3v2.vtb"), 40));
    let path = set.file("3v2.vtb");
    let block = format!("{}: block 0 of outcomes: wrong checksum", path.display());
    let run = folder.run(&solve);
    let warning = format!("warning: a damaged table is left out: {block}\n");
    assert!(run.err.contains(&warning), "{run:?}");
    assert!(
        run.out.contains("value: unknown, not-loss for White"),
        "{run:?}"
    );
    assert_eq!(folder.stderr(&verify, 1), format!("error: {block}\n"));
}

/// Distances are read for won and lost positions only.
#[test]
fn damaged_distances_leave_outcomes_alone() {
    let set = Set::build("tsivy", 3);
    let known = Known::of(&set, 3);
    let whole = set.read("2v1.vtb");
    set.write("2v1.vtb", &flipped(&whole, end_of_blocks(&whole) - 1));
    let tables = set.open();
    for (position, value) in &known.0 {
        assert_eq!(tables.outcome(position), Some(value.wdl), "{position:?}");
    }
    assert!(tables.complaints().is_empty());
    assert!(known.compare(&tables) > 0);
    let complaints = tables.complaints();
    assert!(
        complaints[0].contains("2v1.vtb: block 0 of distances: "),
        "{complaints:?}"
    );
    assert_eq!(complaints.len(), 1);
}

#[test]
fn tables_of_other_rules_do_not_open() {
    let set = Set::build("full-chain", 3);
    let standard = vato_engine::rules::Rules::STANDARD;
    match Tablebases::open(&[set.path()], &standard, Tablebases::DEFAULT_CACHE_BYTES) {
        Err(TablebaseError::OtherRules {
            path,
            found,
            wanted,
        }) => {
            assert_eq!(path, set.file("1v1.vtb"));
            assert!(found.contains("chain=full") && wanted.contains("chain=free"));
            assert_eq!(wanted, format!("{standard:#}"));
        }
        other => panic!("{other:?}"),
    }
    let single = "single-step".parse().expect("a preset");
    assert!(matches!(
        Tablebases::open(
            &[set.path()],
            &vato_engine::rules::Preset::rules(single).expect("rules"),
            Tablebases::DEFAULT_CACHE_BYTES
        ),
        Err(TablebaseError::Rules(_))
    ));
}

#[test]
fn a_file_under_a_wrong_name_is_refused() {
    let set = Set::build("tsivy", 3);
    for (name, holds) in [
        ("2v1.vtb", "1v2.vtb"),
        ("1v2.vtb", "1v1.vtb"),
        ("1v1.vtb", "2v1.vtb"),
    ] {
        let whole = set.read(name);
        set.write(name, &set.read(holds));
        let what = expect_damaged(&set, name);
        assert!(
            what.contains(&format!("of the slice {}", &holds[..3])),
            "{what}"
        );
        set.write(name, &whole);
    }
    // The same slice of another board.
    let other = Set::build("dimy", 3);
    set.write("1v2.vtb", &other.read("1v2.vtb"));
    assert!(matches!(set.error(), TablebaseError::OtherRules { .. }));
}

#[test]
fn a_gap_is_named() {
    let set = Set::build("tsivy", 4);
    let whole = set.files();
    for name in [
        "1v1.vtb", "1v2.vtb", "2v1.vtb", "2v2.vtb", "1v3.vtb", "3v1.vtb",
    ] {
        set.remove(name);
        let slice: Slice = name[..3].parse().expect("a slice");
        match set.error() {
            TablebaseError::Gap(path, missing) => {
                assert_eq!((path.as_path(), missing), (set.path(), slice));
            }
            error => panic!("{name}: {error}"),
        }
        let message = stderr(&format!("tablebase info {}", set.text()), 1);
        let wanted = format!("the slice {slice} is missing");
        assert!(message.contains(&wanted), "{message}");
        set.write(name, &whole[name]);
    }
    // All slices with three stones or less are a set, unless a manifest lists more.
    for name in ["2v2.vtb", "1v3.vtb", "3v1.vtb", "manifest.json"] {
        set.remove(name);
    }
    assert_eq!(set.open().stones(), 3);
}

#[test]
fn a_folder_without_tables_is_told_apart() {
    let set = Set::empty("tsivy");
    assert!(matches!(set.error(), TablebaseError::NoTables(path) if path == set.path()));
    let message = stderr(&format!("tablebase info {}", set.text()), 1);
    assert!(
        message.contains(set.text()) && message.contains("vato tablebase build"),
        "{message}"
    );
    fs::create_dir(set.file("1v1.vtb")).expect("a folder within");
    let missing = set.file("nowhere");
    for (folder, path) in [
        (set.path(), set.file("1v1.vtb")),
        (&missing, missing.clone()),
    ] {
        match Tablebases::open(&[folder], &set.rules(), Tablebases::DEFAULT_CACHE_BYTES) {
            Err(TablebaseError::File(ContainerError::Read(named, _))) => {
                assert_eq!(named, path);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// What another program does to files that are open: a wrong value is never told, nor does the process end.
#[test]
fn files_that_change_while_they_are_in_use() {
    let set = Set::build("telo", 5);
    let (known, files) = (Known::of(&set, 5), set.files());
    for length in [0, 40, 60] {
        let tables = set.open();
        for name in files.keys().filter(|name| name.ends_with(".vtb")) {
            let file = std::fs::OpenOptions::new().write(true).open(set.file(name));
            file.and_then(|file| file.set_len(length))
                .expect("truncated");
        }
        assert!(known.compare(&tables) > 0);
        assert!(!tables.complaints().is_empty());
        assert!(tables.complaints().is_empty(), "told once");
        for (name, bytes) in &files {
            set.write(name, bytes);
        }
    }
}
