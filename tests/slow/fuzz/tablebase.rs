//! Random damage to table files, read within the test's own process.
//!
//! A case takes a set of tables as it was built and changes one of its files. Either the checksums
//! stay as they were: then the set must not open, or each look-up must give what the whole set gives,
//! or nothing and a complaint. Or they are made to fit, so that what lies behind them is reached: then
//! values may be wrong. Whatever was done, nothing may panic, take long, or take much memory.
//!
//! A case is made from its seed alone, as the sessions are. The folder of one that fails is kept.

mod mutation;
mod original;
#[path = "../../program/tablebases/placements.rs"]
mod placements;
mod watched;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use vato_engine::board::BoardSize;
use vato_engine::notation::parse_fen;
use vato_engine::rules::legal_moves;
use vato_engine::tablebase::{Tablebases, Wdl};
use vato_solver::tables::verify;

use self::mutation::Mutation;
use self::original::{Original, Originals};
use self::watched::watch;

/// A case that takes longer hangs. Most take a thousandth of a second.
const HANG: Duration = Duration::from_secs(60);

/// No case needs as much in one piece. The largest block has 128 KiB.
const MUCH: usize = 8 << 20;

/// What has come of a case that went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The set did not open.
    Refused,
    /// Some values could not be read.
    Complained,
    /// Everything could be read.
    Whole,
}

/// One case: a set with a damaged file.
struct Case<'a> {
    original: &'a Original,
    mutation: Mutation,
    random: SmallRng,
}

impl<'a> Case<'a> {
    /// Damages a file as this seed has it.
    fn new(seed: u64, originals: &'a Originals) -> Case<'a> {
        let mut random = SmallRng::seed_from_u64(seed);
        let original = originals.random(&mut random);
        let (name, bytes) = original.files.choose(&mut random).expect("files");
        let mutation = Mutation::random(&mut random, name, bytes, &originals.files());
        replace(&original.folder.join(name), &mutation.bytes);
        Case {
            original,
            mutation,
            random,
        }
    }

    /// Puts the file back that was damaged.
    fn restore(&self) {
        let name = &self.mutation.name;
        let mut files = self.original.files.iter();
        let (_, bytes) = files
            .find(|(other, _)| other == name)
            .expect("a file of the set");
        replace(&self.original.folder.join(name), bytes);
    }

    /// Opens the set and looks up everything; an error says what is not as it should be.
    fn run(&mut self) -> Result<End, String> {
        let path = self.original.folder.join(&self.mutation.name);
        let path = path.display().to_string();
        let tables = match Tablebases::open(
            &[&self.original.folder],
            &self.original.rules,
            Tablebases::DEFAULT_CACHE_BYTES,
        ) {
            Ok(tables) => tables,
            Err(error) => {
                let message = error.to_string();
                return match message.contains(&path) {
                    true => Ok(End::Refused),
                    false => Err(format!("the error does not name the file: {message}")),
                };
            }
        };
        let missing = self.look_up(&tables)?;
        self.rank(&tables)?;
        self.look_at_info(&tables)?;
        let complaints = tables.complaints();
        if missing > 0 && complaints.is_empty() {
            return Err(format!("{missing} values are missing, and nothing is said"));
        }
        if let Some(other) = complaints.iter().find(|text| !text.contains(&path)) {
            return Err(format!("the complaint does not name the file: {other}"));
        }
        if complaints.len() > 1 {
            return Err(format!("one file, and several complaints: {complaints:?}"));
        }
        // A check goes through all positions, so the set must be small.
        if self.original.rules.board == BoardSize::new(3, 3).expect("a board") {
            let checked = verify(&tables, None, &|_| {});
            if missing > 0 && checked.wrong == 0 {
                return Err("values are missing, and the check finds nothing".to_owned());
            }
        }
        Ok(match complaints.is_empty() {
            true => End::Whole,
            false => End::Complained,
        })
    }

    /// Compares all values with those of the whole set. How many are not to be had.
    fn look_up(&self, tables: &Tablebases) -> Result<usize, String> {
        let mut missing = 0;
        for (position, known) in &self.original.known {
            let (value, outcome) = (tables.value(position), tables.outcome(position));
            if let Some(value) = value {
                let is_possible = Wdl::ALL.contains(&value.wdl)
                    && value.plies <= u32::from(u16::MAX)
                    && (value.wdl != Wdl::Draw || value.plies == 0);
                if !is_possible || outcome != Some(value.wdl) {
                    return Err(format!("{value:?} and {outcome:?} at {position:?}"));
                }
            }
            if !self.mutation.is_sealed
                && (value.is_some_and(|value| value != *known)
                    || outcome.is_some_and(|wdl| wdl != known.wdl))
            {
                return Err(format!("{value:?} instead of {known:?} at {position:?}"));
            }
            missing += usize::from(value.is_none());
        }
        Ok(missing)
    }

    /// Ranks the moves of some positions.
    fn rank(&mut self, tables: &Tablebases) -> Result<(), String> {
        let rules = &self.original.rules;
        for _ in 0..50 {
            let (position, known) = self.original.known.choose(&mut self.random).expect("some");
            let Some(ranking) = tables.rank(rules, position) else {
                continue;
            };
            let (found, moves) = (ranking.len(), legal_moves(rules, position).len());
            if found != moves || found == 0 {
                return Err(format!("{found} of {moves} moves at {position:?}"));
            }
            let best = ranking[0].value;
            if !self.mutation.is_sealed && best != *known {
                return Err(format!("{best:?} instead of {known:?} at {position:?}"));
            }
        }
        Ok(())
    }

    fn look_at_info(&self, tables: &Tablebases) -> Result<(), String> {
        let infos = vato_solver::tables::info(tables);
        if infos.len() != tables.slices().count() {
            return Err("not every file is described".to_owned());
        }
        if !self.mutation.is_sealed && infos != self.original.infos {
            return Err(format!("{infos:?}"));
        }
        for info in &infos {
            let board = self.original.rules.board;
            let longest = info.longest.as_ref();
            if let Some(longest) = longest.filter(|longest| parse_fen(&longest.fen, board).is_err())
            {
                return Err(format!("{} does not read", longest.fen));
            }
            if info.positions != info.slice.positions(board) {
                return Err(format!("{info:?}"));
            }
        }
        Ok(())
    }
}

/// A new file in the place of another one: faster than to write over it.
fn replace(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).expect("a file of the set");
    fs::write(path, bytes).expect("a folder that can be written to");
}

/// What a case has come to and whether its checksums fit, or what went wrong, be it a panic.
fn run(seed: u64, originals: &Originals) -> Result<(End, bool), String> {
    let mut case = Case::new(seed, originals);
    let (end, largest) = watch(|| catch_unwind(AssertUnwindSafe(|| case.run())));
    let end = end.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", text.unwrap_or("without words")))
    });
    let Mutation { name, what, .. } = &case.mutation;
    match end {
        Ok(_) if largest > MUCH => Err(format!(
            "{name}, {what}: {largest} bytes of memory in one piece"
        )),
        Ok(end) => {
            case.restore();
            Ok((end, case.mutation.is_sealed))
        }
        Err(why) => Err(format!("{name}, {what}: {why}")),
    }
}

/// Cases after which each kind of end must have come up.
const MANY: u64 = 1_000;

/// Runs cases for some time, from one seed on; stops at the first failure.
pub fn fuzz(first_seed: u64, time: Duration) {
    // Should a case end the whole process, its folder is still there.
    let folder = tempfile::Builder::new()
        .prefix("fuzz-tablebase-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("a folder");
    let originals = Originals::build(folder.path());
    let (ends, results) = sync_channel(0);
    let cases = thread::spawn(move || {
        for seed in first_seed.. {
            let end = run(seed, &originals);
            let is_failure = end.is_err();
            if ends.send(end).is_err() || is_failure {
                return;
            }
        }
    });
    let start = Instant::now();
    let mut counts = [[0; 3]; 2];
    let mut seed = first_seed;
    while seed == first_seed || start.elapsed() < time {
        let why = match results.recv_timeout(HANG) {
            Ok(Ok((end, is_sealed))) => {
                counts[usize::from(is_sealed)][end as usize] += 1;
                seed += 1;
                continue;
            }
            Ok(Err(why)) => why,
            Err(RecvTimeoutError::Timeout) => format!("no end within {HANG:?}"),
            Err(RecvTimeoutError::Disconnected) => "the test itself panicked".to_owned(),
        };
        let kept = folder.keep();
        panic!("tables with seed {seed}: {why}; see {}", kept.display());
    }
    drop(results);
    cases.join().expect("the last case ends as well");
    let [plain, sealed] = counts;
    println!(
        "tables with seeds {first_seed} to {}: refused, complained of, whole: {plain:?}; with \
         fitting checksums: {sealed:?}",
        seed - 1
    );
    if seed - first_seed >= MANY {
        assert!(
            counts.as_flattened().iter().all(|&count| count > 0),
            "{counts:?}"
        );
    }
}
