//! Files that are not as they were written: whatever the damage, it is reported, and nothing that is read is wrong.

use std::fs;

use serde_json::Value as Json;
use vato_engine::board::Position;
use vato_engine::container::ContainerError;
use vato_engine::rules::parse_rules;
use vato_engine::tablebase::{Slice, TablebaseError, Tablebases, Value};
use vato_solver::tables::verify;

use super::set::{Set, THREE_STONES, positions};
use crate::support::command_line::Folder;

/// Where the directories of a file begin, which is where its blocks end.
pub fn end_of_blocks(bytes: &[u8]) -> usize {
    let offset = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    let header: Json = serde_json::from_slice(&bytes[offset as usize..]).expect("JSON");
    header["outcomes"]["directory"].as_u64().expect("an offset") as usize
}

/// A copy with one bit changed; which one depends on the place.
pub fn flipped(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    copy[place] ^= 1 << (place % 8);
    copy
}

/// Every position of a set with its value.
struct Known(Vec<(Position, Value)>);

impl Known {
    fn of(set: &Set, stones: u32) -> Known {
        let tables = set.open();
        let all = positions(&set.rules(), stones).into_iter();
        let values = all.map(|position| (position, tables.value(&position).expect("it is there")));
        Known(values.collect())
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
fn expect_damaged(set: &Set, name: &str) {
    match set.error() {
        TablebaseError::File(ContainerError::Content(path, what)) => {
            assert_eq!(path, set.file(name), "{what}");
        }
        error => panic!("{name}: {error}"),
    }
}

/// All but the blocks is looked at when a file is opened: the preamble, two directories of sixteen bytes, the header, and
/// the length.
#[test]
fn damage_outside_the_blocks_keeps_a_file_from_opening() {
    let set = Set::build("tsivy", 3);
    for (name, other) in THREE_STONES
        .into_iter()
        .zip(["1v2.vtb", "2v1.vtb", "1v1.vtb"])
    {
        let whole = set.read(name);
        let directories = end_of_blocks(&whole);
        let header = directories + 32;
        let places = (0..32).chain(directories..header);
        let places = places.chain((header..whole.len()).step_by(5));
        let mut damaged: Vec<Vec<u8>> = places.map(|place| flipped(&whole, place)).collect();
        let last = whole.len() - 1;
        let lengths = (0..40)
            .chain((40..last).step_by(whole.len() / 60))
            .chain([last]);
        damaged.extend(lengths.map(|length| whole[..length].to_vec()));
        damaged.extend([&b"x"[..], &[0; 64], &whole].map(|more| [&whole, more].concat()));
        // A good file under a wrong name.
        damaged.push(set.read(other));
        for bytes in damaged {
            set.write(name, &bytes);
            expect_damaged(&set, name);
        }
        set.write(name, &whole);
    }
}

/// Blocks are looked at when they are needed. Whoever plays by a damaged set gets no wrong value from it.
#[test]
fn damage_in_a_block_costs_values_and_is_told_once() {
    let set = Set::build("tsivy", 3);
    let known = Known::of(&set, 3);
    assert_eq!(known.0.len(), 87_120);
    assert_eq!(known.compare(&set.open()), 0);
    for (name, step) in [("1v1.vtb", 50), ("1v2.vtb", 700), ("2v1.vtb", 600)] {
        let whole = set.read(name);
        for place in (32..end_of_blocks(&whole)).step_by(step) {
            set.write(name, &flipped(&whole, place));
            let tables = set.open();
            let verification = verify(&tables, None, &|_| {});
            assert!(verification.wrong > 0, "{name}, byte {place}");
            assert!(
                known.compare(&tables) > 0,
                "{name}, byte {place}: nothing is missing"
            );
            let complaints = tables.complaints();
            assert_eq!(complaints.len(), 1, "{complaints:?}");
            let start = format!("{}: block 0 of ", set.file(name).display());
            assert!(complaints[0].starts_with(&start), "{complaints:?}");
            assert!(tables.complaints().is_empty(), "said twice");
        }
        // Distances are read for won and lost positions only.
        set.write(name, &flipped(&whole, end_of_blocks(&whole) - 1));
        let tables = set.open();
        for (position, value) in &known.0 {
            assert_eq!(tables.outcome(position), Some(value.wdl), "{position:?}");
        }
        assert!(tables.complaints().is_empty());
        set.write(name, &whole);
    }
}

#[test]
fn sets_that_do_not_fit_are_refused() {
    let set = Set::build("tsivy", 4);
    let whole = set.files();
    for name in whole.keys().filter(|name| name.ends_with(".vtb")) {
        set.remove(name);
        let slice: Slice = name[..3].parse().expect("a slice");
        assert!(
            matches!(set.error(), TablebaseError::Gap(path, gap) if path == set.path() && gap == slice)
        );
        set.write(name, &whole[name]);
    }
    // All slices with three stones or less are a set, unless a manifest lists more.
    for name in ["2v2.vtb", "1v3.vtb", "3v1.vtb", "manifest.json"] {
        set.remove(name);
    }
    assert_eq!(set.open().stones(), 3);
    // Two folders may hold one set between them.
    let rest = Set::empty("tsivy");
    rest.write("2v1.vtb", &whole["2v1.vtb"]);
    set.remove("2v1.vtb");
    let open = |folders: &[&_], rules: &str| {
        let rules = parse_rules(rules).expect(rules);
        Tablebases::open(folders, &rules, Tablebases::DEFAULT_CACHE_BYTES)
    };
    for folders in [[set.path(), rest.path()], [rest.path(), set.path()]] {
        assert_eq!(open(&folders, "tsivy").expect("whole").stones(), 3);
    }
    set.write("2v1.vtb", &Set::build("dimy", 3).read("2v1.vtb"));
    assert!(matches!(set.error(), TablebaseError::OtherRules { .. }));
    match open(&[set.path()], "full-chain") {
        Err(TablebaseError::OtherRules {
            path,
            found,
            wanted,
        }) => {
            assert_eq!(path, set.file("1v1.vtb"));
            assert!(found.contains("chain=free") && wanted.contains("chain=full"));
        }
        other => panic!("{other:?}"),
    }
    for rules in ["single-step", "vela"] {
        let error = open(&[set.path()], rules).expect_err(rules);
        assert!(matches!(error, TablebaseError::Rules(_)), "{error}");
    }

    let empty = Set::empty("tsivy");
    assert!(matches!(empty.error(), TablebaseError::NoTables(path) if path == empty.path()));
    fs::create_dir(empty.file("1v1.vtb")).expect("a folder within");
    let missing = empty.file("nowhere");
    for (folder, path) in [
        (empty.path(), empty.file("1v1.vtb")),
        (&missing, missing.clone()),
    ] {
        match open(&[folder], "tsivy") {
            Err(TablebaseError::File(ContainerError::Read(named, _))) => assert_eq!(named, path),
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
            let file = fs::OpenOptions::new().write(true).open(set.file(name));
            file.and_then(|file| file.set_len(length))
                .expect("truncated");
        }
        assert!(known.compare(&tables) > 0);
        assert!(!tables.complaints().is_empty());
        assert!(tables.complaints().is_empty(), "told once");
        set.put(&files);
    }
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
    let dump = format!(
        "tablebase dump --rules dimy --slice 3v2 --dir {}",
        set.text()
    );
    assert_eq!(folder.stderr(&dump, 1), format!("error: {block}\n"));
}
