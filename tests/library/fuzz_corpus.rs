//! The inputs of the fuzzer that are kept: each once, in the test's own process.

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

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
