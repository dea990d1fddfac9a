//! A match whose runner is killed, again and again, at any moment.

use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::engine::PLAY_AS;
use crate::runner::{MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

/// Matches of some games, one of which a test may decide: with one game at a time, so that it is always the same.
const FORMATS: [&str; 8] = [
    "--format pairs --games 30 --openings book.fen --start 3 --concurrency 2",
    "--format pairs --games 60 --sprt 0,200 --rules 5x5 --concurrency 1",
    "--format round-robin --games 2 --rounds 2 --rules 5x5 --concurrency 2",
    "--format gauntlet --games 4 --rules 5x5 --concurrency 2",
    "--format swiss --games 2 --rounds 2 --rules 5x5 --concurrency 2",
    "--format knockout --games 2 --extra-pairs 2 --rules 5x5 --concurrency 2",
    "--format riatra --rounds 1 --max-plies 60 --concurrency 2",
    "--format vela --rounds 2 --round-games 6 --rules 5x5 --concurrency 2",
];

pub fn trials() -> Vec<Trial> {
    let once = FORMATS.map(|options| {
        let name = format!("killing: a match of {options}");
        trial(name, move || through_kills(options, 3, 3))
    });
    let often = trial("killing: every format, with many seeds", || {
        let wanted = std::env::var("VATO_KILL_SEEDS").ok();
        let seeds = wanted.map_or(3, |seeds| seeds.parse().expect("a number of seeds"));
        for seed in 0..seeds {
            println!("seed {seed}");
            FORMATS
                .iter()
                .for_each(|options| through_kills(options, 3, seed));
        }
    });
    once.into_iter()
        .chain([often.with_ignored_flag(true)])
        .collect()
}

/// A match whose paths are all relative to its folder.
fn relative_match(files: &MatchFiles, options: &str) -> MatchRun {
    let program = std::env::current_exe().expect("this program is somewhere");
    files.subfolder("starts");
    let bin = files.subfolder("bin");
    std::os::unix::fs::symlink(program, bin.join("eng")).expect("a new link");
    let book = "8b/3b5/9/4w4/w8 b 3 20\n8b/3b5/9/4w4/w8 w 3 20\nbb6b/9/9/9/ww6w w 0 9\n";
    std::fs::write(files.folder().join("book.fen"), book).expect("a new file");
    let engines = 1..=if options.contains("pairs") { 2 } else { 4 };
    engines
        .map(|seed| {
            // The second is looked for in its folder; the others run in that of the match.
            let (cmd, starts) = match seed {
                2 => ("./eng,dir=bin", "../starts"),
                _ => ("bin/eng", "starts"),
            };
            let arguments = format!("{PLAY_AS} honest seed={seed} starts={starts}");
            format!("name=E{seed},cmd={cmd},args=\"{arguments}\"")
        })
        .fold(MatchRun::with(&["--out", "bout"]), |run, engine| {
            run.arg("--engine").arg(engine)
        })
        .args("--each nodes=1 --log io")
        .args(options)
        .within(files.folder())
}

/// Kills at random moments, and goes on from another folder each time: what comes of it is what comes of the same
/// match without them.
fn through_kills(options: &str, kills: u32, seed: u64) {
    let undisturbed = MatchFiles::new();
    relative_match(&undisturbed, options).play_well();

    let files = MatchFiles::new();
    let mut random = SmallRng::seed_from_u64(seed);
    let mut run = relative_match(&files, options);
    let elsewhere = files.subfolder("elsewhere");
    for _ in 0..kills {
        let mut running = run.start();
        let wanted = files.lines().max(1) + random.random_range(0..5);
        while files.lines() < wanted && running.is_running() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(random.random_range(0..5_000)));
        running.kill();
        let (folder, state, log) = match random.random_range(0..3) {
            0 => (files.folder().to_owned(), "bout.pgn", "io"),
            1 => (elsewhere.clone(), "../bout.jsonl", "../io"),
            _ => (elsewhere.clone(), "../bout", "../io"),
        };
        let resumed = MatchRun::resume(state.as_ref());
        run = resumed.args("--log").arg(log).within(&folder);
    }
    run.play_well();

    let [record, wanted] = [&files, &undisturbed].map(MatchFiles::record);
    assert_eq!(
        record.essences(),
        wanted.essences(),
        "{options}, seed {seed}"
    );
    assert_pgn_agrees(&files);
    let left = std::fs::read_dir(&elsewhere).expect("the folder is there");
    assert_eq!(left.count(), 0, "files elsewhere");
    assert!(files.folder().join("io-E1.log").is_file());
}
