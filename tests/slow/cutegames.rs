//! Whole games between two engines, driven as the manager CuteGames drives them.
//!
//! The engines are the only referee, so a game passes when nobody complains: no
//! engine reports an error (an illegal move is one), no clock runs out, and both
//! engines report the same end. The long matches are ignored by default:
//!
//! ```text
//! cargo test --release --test slow -- --ignored --nocapture hundred_games
//! ```
//!
//! `VATO_MATCH_A` and `VATO_MATCH_B` name two programs to use in place of the
//! binary under test, `VATO_MATCH_OPTIONS_A` and `_B` their options
//! (`Name=Value;Name=Value`).

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::support::cutegames::{Ending, GameRecord, Plan};
use crate::support::openings::random_openings;
use crate::support::settings::{Limit, Opening, Rules, Who, cores};
use crate::support::standstill::unless_at_a_standstill;

/// Plays a match, prints what came out and fails if anything went wrong.
fn play_clean(name: &str, plan: &Plan) -> Vec<GameRecord> {
    let records = plan.play();
    assert_eq!(records.len(), plan.games, "{name}: games are missing");
    let points: u32 = records
        .iter()
        .filter_map(GameRecord::half_points_of_a)
        .sum();
    let plies: usize = records.iter().map(|record| record.moves.len()).sum();
    let slowest = records.iter().map(|record| record.slowest_move).max();
    let lowest = records
        .iter()
        .filter_map(|record| record.lowest_clock)
        .min();
    println!(
        "{name}: {} games, A scores {}, {plies} plies, slowest move {:.3} s, lowest clock {}",
        records.len(),
        f64::from(points) / 2.0,
        slowest.unwrap_or_default().as_secs_f64(),
        lowest.map_or("-".to_owned(), |left| format!("{left} ms")),
    );
    let troubles: Vec<String> = records
        .iter()
        .filter_map(|record| {
            let trouble = record.trouble()?;
            Some(format!("{trouble}\n{record}\n{}", record.transcripts))
        })
        .collect();
    assert!(
        troubles.is_empty(),
        "{name}: trouble in {} of {} games\n{}",
        troubles.len(),
        plan.games,
        troubles.join("\n")
    );
    records
}

/// Openings of a few random turns, so that the games of a match differ.
fn varied_openings(plan: &Plan, plies: usize) -> Vec<Opening> {
    let mut rng = StdRng::seed_from_u64(2008);
    let contestant = &plan.contestants[Who::A.index()];
    random_openings(
        contestant,
        &plan.rules,
        plies,
        plan.games.div_ceil(2),
        &mut rng,
    )
}

#[test]
fn two_games_with_real_clocks() {
    let clock = Limit::Clock { time: 200, inc: 10 };
    unless_at_a_standstill("two games with real clocks", || {
        let records = play_clean("clocks", &Plan::new(Rules::preset("tsivy"), clock, 2));
        assert_eq!(records[0].first, Who::A);
        assert_eq!(records[1].first, Who::B);
    });
}

#[test]
fn a_game_under_each_preset() {
    for preset in Rules::PRESETS {
        let plan = Plan::new(Rules::preset(preset), Limit::Movetime(5), 1);
        play_clean(preset, &plan);
    }
}

#[test]
fn a_game_on_each_small_board() {
    for size in Rules::SMALL_BOARDS {
        let plan = Plan::new(Rules::board(size), Limit::Nodes(500), 1);
        play_clean(size, &plan);
    }
}

/// Player 1 is White, also where Black moves first: the manager learns from the
/// engine who begins.
#[test]
fn games_that_start_from_given_positions() {
    let mut plan = Plan::new(Rules::preset("tsivy"), Limit::Depth(3), 6);
    plan.openings = vec![
        Opening::fen("bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b 0 1"),
        Opening::fen("9/1b2b2b1/9/1w2w2w1/9 w 0 20"),
        Opening::moves("f2-e3A"),
    ];
    plan.ask_both = true;
    play_clean("positions", &plan);
}

/// The manager asks before the first move: a game that is over at once has no
/// moves, and both engines say who has won it.
#[test]
fn a_game_that_is_over_before_it_begins() {
    let mut plan = Plan::new(Rules::preset("tsivy"), Limit::Depth(3), 2);
    plan.openings = vec![Opening::fen("9/9/9/9/w8 b 0 40")];
    for record in play_clean("no stones", &plan) {
        assert_eq!(record.moves.len(), 0);
        let points_of_white = match record.first {
            Who::A => record.half_points_of_a(),
            Who::B => record.half_points_of_a().map(|points| 2 - points),
        };
        assert_eq!(points_of_white, Some(2), "White has won {record}");
    }
}

/// Nobody checks legality but the engines: an illegal move ends the game
/// against its mover, for both engines alike.
#[test]
fn an_illegal_move_ends_the_game_for_both() {
    let mut plan = Plan::new(Rules::preset("tsivy"), Limit::Depth(2), 2);
    plan.openings = vec![Opening::moves("f2-e3A a1-a2")];
    for record in plan.play() {
        assert!(matches!(record.ending, Ending::Agreed(_)), "{record}");
        let reports: Vec<&str> = record
            .reports
            .iter()
            .map(|report| report.result.as_str())
            .collect();
        assert_eq!(reports, ["p1win", "p1win"], "Black has lost {record}");
        assert!(
            !record.complaints.is_empty(),
            "nobody names the illegal move"
        );
    }
}

/// The clock of the long matches, in milliseconds.
const CLOCK: Limit = Limit::Clock {
    time: 2000,
    inc: 20,
};

#[test]
#[ignore = "takes about ten minutes"]
fn hundred_games() {
    let mut plan = Plan::new(Rules::preset("tsivy"), CLOCK, 100);
    plan.concurrency = cores();
    plan.openings = varied_openings(&plan, 4);
    play_clean("hundred games", &plan);
}

#[test]
#[ignore = "takes several minutes"]
fn ten_games_under_each_preset() {
    for preset in Rules::PRESETS {
        let mut plan = Plan::new(Rules::preset(preset), CLOCK, 10);
        plan.concurrency = cores();
        // The first turns are part of the rules of some presets: the engines
        // play them.
        plan.openings = varied_openings(&plan, 2);
        plan.openings[0] = Opening::default();
        play_clean(preset, &plan);
    }
}

#[test]
#[ignore = "takes a few minutes"]
fn four_games_on_each_small_board() {
    for size in Rules::SMALL_BOARDS {
        let mut plan = Plan::new(Rules::board(size), CLOCK, 4);
        plan.concurrency = cores();
        plan.openings = vec![Opening::default(), varied_openings(&plan, 2).remove(1)];
        play_clean(size, &plan);
    }
}
