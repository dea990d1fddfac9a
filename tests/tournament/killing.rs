//! A match whose runner is killed, again and again, at any moment.

use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

/// Games for each kill: many more than are waited for, so that the match is not over before the last kill
/// even where the machine is slow to see that it is time.
const GAMES_A_KILL: u32 = 24;

pub fn trials() -> Vec<Trial> {
    vec![
        trial("killing: 10 kills lose nothing", || kill_and_resume(10, 1)),
        trial("killing: 200 kills lose nothing", || {
            kill_and_resume(200, 2)
        })
        .with_ignored_flag(true),
    ]
}

fn new_match(files: &MatchFiles, games: u32) -> MatchRun {
    let first = Contender::new("First", "honest").seed(1);
    let second = Contender::new("Second", "honest").seed(2);
    MatchRun::new(files, [&first, &second])
        .args("--each nodes=1 --openings random --order random --seed 5 --concurrency 2")
        .args(&format!("--games {games}"))
}

fn kill_and_resume(kills: u32, seed: u64) {
    let games = kills * GAMES_A_KILL;
    let undisturbed = MatchFiles::new();
    new_match(&undisturbed, games).play_well();
    let undisturbed = undisturbed.record();
    undisturbed.assert_games(games);

    let files = MatchFiles::new();
    let mut random = SmallRng::seed_from_u64(seed);
    let mut run = new_match(&files, games);
    for kill in 0..kills {
        let mut running = run.start();
        let wanted = files.lines().max(1) + random.random_range(0..GAMES_A_KILL as usize / 4);
        running.wait_until("the kill", || files.lines() >= wanted);
        // A moment within a game, whatever the machine's speed.
        thread::sleep(Duration::from_micros(random.random_range(0..5_000)));
        let ended = running.kill();
        assert!(
            files.lines() <= games as usize,
            "over before kill {kill}: {ended}"
        );
        run = MatchRun::resume(&files.state());
    }
    let ended = run.play_well();

    let record = files.record();
    record.assert_games(games);
    record.assert_faultless();
    assert_pgn_agrees(&files);
    ended.assert_score(&record, "First");
    assert_eq!(
        record.head["match"]["settings"],
        undisturbed.head["match"]["settings"]
    );
    for (game, wanted) in record
        .by_number()
        .values()
        .zip(undisturbed.by_number().values())
    {
        assert_eq!(
            format!("{:?}", game.essence()),
            format!("{:?}", wanted.essence())
        );
    }
}
