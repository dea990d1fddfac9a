//! The targets of the fuzzer (`tests/fuzz/targets`) with random inputs: sessions of its grammar, tables with a damaged file,
//! and what is in its corpus, changed. `.ci/fuzz` looks longer and by what an input reaches; this is part of every run.
//!
//! A case is made from its seed alone; the seed of one that fails is told. `VATO_FUZZ_SEED=… cargo test --test slow
//! fuzz::NAME` runs it again, and with `VATO_FUZZ_SECONDS=…` all from there on for so long.

mod mutation;
#[path = "../../fuzz/targets/mod.rs"]
mod targets;
mod watched;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use self::mutation::{change_bytes, change_table};
use self::targets::tables::{End, Set};
use self::targets::{TARGETS, Target};
use self::watched::watch;

/// The number that the environment has under this name, or a default.
fn env_or(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect(name))
}

/// A case that takes longer hangs. Most take a thousandth of a second.
const HANG: Duration = Duration::from_secs(60);

/// Runs cases, which panic where something is wrong, for so many seconds; stops at the first that fails or hangs.
fn fuzz(seconds: u64, mut case: impl FnMut(&mut SmallRng) + Send + 'static) {
    let first_seed = env_or("VATO_FUZZ_SEED", 1);
    let is_one = std::env::var_os("VATO_FUZZ_SEED").is_some();
    let seconds = env_or("VATO_FUZZ_SECONDS", if is_one { 0 } else { seconds });
    let (ends, results) = sync_channel(0);
    let cases = thread::spawn(move || {
        for seed in first_seed.. {
            let run = || case(&mut SmallRng::seed_from_u64(seed));
            let end = catch_unwind(AssertUnwindSafe(run)).is_ok();
            if ends.send(end).is_err() || !end {
                return;
            }
        }
    });
    let start = Instant::now();
    let mut seed = first_seed;
    while seed == first_seed || start.elapsed() < Duration::from_secs(seconds) {
        match results.recv_timeout(HANG) {
            Ok(true) => seed += 1,
            Ok(false) => panic!("seed {seed} fails"),
            Err(RecvTimeoutError::Timeout) => panic!("seed {seed} has no end within {HANG:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the cases have ended"),
        }
    }
    drop(results);
    cases.join().expect("the last case ends as well");
    println!("seeds {first_seed} to {}", seed - 1);
}

fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    *found.expect("a target")
}

#[test]
fn sessions() {
    let (_, script) = target("script");
    fuzz(10, move |random| {
        let length = random.random_range(0..600);
        let bytes: Vec<u8> = (0..length).map(|_| random.random()).collect();
        script(&bytes);
    });
}

/// Their errors quote a name, or characters that are escaped, at any length.
const LONG_MESSAGES: [&str; 2] = ["games", "match"];

/// Inputs of the corpus with a few changes, for every target.
#[test]
fn inputs() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let targets = TARGETS
        .into_iter()
        .filter(|(name, _)| !LONG_MESSAGES.contains(name));
    let inputs = targets.map(|(name, target)| {
        let paths = fs::read_dir(corpus.join(name)).expect("each target has inputs");
        let mut paths: Vec<_> = paths.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        let inputs = paths.iter().map(|path| fs::read(path).expect("an input"));
        (name, target, inputs.collect::<Vec<_>>())
    });
    let inputs: Vec<_> = inputs.collect();
    fuzz(10, move |random| {
        let (name, target, inputs) = inputs.choose(random).expect("targets");
        let others: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let mut bytes = others.choose(random).expect("inputs").to_vec();
        for _ in 0..*[1, 1, 2, 5].choose(random).expect("some") {
            let scope = 0..bytes.len();
            change_bytes(random, &mut bytes, scope, &others);
        }
        if catch_unwind(|| target(&bytes)).is_err() {
            panic!("{name} of '{}'", bytes.escape_ascii());
        }
    });
}

/// No case needs as much in one piece. The largest block has 128 KiB.
const MUCH: usize = 8 << 20;

/// Cases after which each kind of end must have come up.
const MANY: u64 = 1_000;

/// Whatever is done to a file, nothing may panic, take long, or take much memory.
#[test]
fn tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = |name: &str, rules: &str, stones, step| {
        Set::build(&folder.path().join(name), rules, stones, step)
    };
    let small = [
        set("forced", "telo", 4, 1),
        set("free", "board=3x3 capture=free", 4, 1),
    ];
    // They have several blocks in a file. They take long, and come up seldom.
    let large = [
        set("large-forced", "tsivy", 3, 1),
        set("large-free", "free-capture", 4, 997),
    ];
    let mut counts = [[0; 3]; 2];
    let mut cases = 0;
    fuzz(2, move |random| {
        let _kept = &folder;
        let sets = if random.random_range(0..40) == 0 {
            &large
        } else {
            &small
        };
        let set = sets.choose(random).expect("two sets");
        let files = small.iter().chain(&large).flat_map(|set| &set.files);
        let others: Vec<&[u8]> = files.map(|(_, bytes)| bytes.as_slice()).collect();
        let (path, bytes) = set.files.choose(random).expect("files");
        let is_sealed = random.random();
        let changed = change_table(random, bytes, is_sealed, &others);
        let (end, largest) = watch(|| set.with(path, &changed, is_sealed));
        assert!(largest <= MUCH, "{largest} bytes of memory in one piece");
        counts[usize::from(is_sealed)][end as usize] += 1;
        cases += 1;
        let [refused, complained, whole] =
            [End::Refused, End::Complained, End::Whole].map(|end| end as usize);
        let is_met = |counts: &[u64; 3]| {
            [refused, complained, whole]
                .iter()
                .all(|&end| counts[end] > 0)
        };
        assert!(cases < MANY || counts.iter().all(is_met), "{counts:?}");
    });
}
