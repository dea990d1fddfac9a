//! The targets of the fuzzer with the inputs that are kept, and with random ones: whatever is read is written such that it
//! reads back, and whatever does not read is refused with one readable line.

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use proptest::prelude::*;
use vato_engine::board::BoardSize;
use vato_engine::notation::format_fen;

#[test]
fn what_the_fuzzer_found_does_no_harm() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let mut failures = Vec::new();
    for (name, target) in targets::TARGETS {
        let inputs = fs::read_dir(corpus.join(name)).expect("each target has inputs");
        for input in inputs {
            let path = input.expect("an entry").path();
            let bytes = fs::read(&path).expect("an input");
            if catch_unwind(|| target(&bytes)).is_err() {
                failures.push(path);
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_corpus_has_nothing_else() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    for folder in fs::read_dir(corpus).expect("the corpus") {
        let name = folder.expect("an entry").file_name();
        let is_known = targets::TARGETS.iter().any(|(target, _)| name == *target);
        assert!(is_known, "no target {name:?}");
    }
}

fn target(name: &str) -> fn(&[u8]) {
    let found = targets::TARGETS.iter().find(|(target, _)| *target == name);
    found.expect("a target").1
}

/// Some of these pieces.
fn pieces(all: &'static str, most: usize) -> impl Strategy<Value = String> {
    let piece = prop::sample::select(all.split('|').collect::<Vec<_>>());
    prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

/// A FEN with a few characters changed.
fn damaged_fens() -> impl Strategy<Value = String> {
    let start = format_fen(&BoardSize::STANDARD.start(), BoardSize::STANDARD);
    let damage = prop::collection::vec((0..start.len(), "[wbWB0-9/ x-]"), 0..4);
    damage.prop_map(move |changes| {
        let mut text = start.clone();
        for (place, with) in changes {
            text.replace_range(place..=place, &with);
        }
        text
    })
}

/// Whole pairs of key and value, most of them well formed.
const PAIRS: &str = "board=9x5 |board=5x5 |board=3x9 |board=5x6 |capture=forced |capture=opening |capture=free |chain=full |\
    chain=single |chain=none |direction=any |opening=first |opening=both |blocked=draw |blocked=pass |eating=free |\
    eating=must |tie=count |repeat=0 |repeat=65536 |limit=40 |limit=-1 |vela=white |vela=black |colour=red |chain ";

/// Pieces of records, whole and broken.
const RECORDS: &str = "[Event \"x\"]|[White \"W\"]\n|[Result \"1-0\"]\n|[|]|\"|\\|[Event |\n|\n\n|\r|\r\n| |%|; |{|}|(|)|1.|\
    12...|…|$1|!?|*|1-0|0-1|1/2-1/2|f2-e3A|d5d4a|a|9|é|\u{feff}|\0|\u{85}|\u{2028}";

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_texts_hold_their_properties(
        any in ".*",
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        board in prop::sample::select(BoardSize::ALL.to_vec()),
        fen in damaged_fens(),
        path in "[a-i][1-5](-?[a-i][1-5][AWaw]?){0,5}",
        rules in pieces(PAIRS, 6),
        record in pieces(RECORDS, 40),
    ) {
        for name in ["fen", "rules", "turns", "pgn", "condition", "command"] {
            target(name)(any.as_bytes());
            target(name)(&bytes);
        }
        target("fen")(format!("board={board}\n{any}").as_bytes());
        target("fen")(format!("board={board}\n{fen}").as_bytes());
        target("turns")(format!("board={board}\n\n{path}").as_bytes());
        target("rules")(rules.trim_end().as_bytes());
        target("pgn")(record.as_bytes());
        target("pgn")(&[record.as_bytes(), &bytes, record.as_bytes()].concat());
    }
}
