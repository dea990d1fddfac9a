//! What ends a search: nodes, time, the moves to search, a stop.

use std::thread;
use std::time::{Duration, Instant};

use vato_engine::board::Move;
use vato_engine::notation::parse_turn;
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::search::{Clock, Control, Limits, Parameters, SearchSettings, Searcher, Strength};

use super::search::{STARTS, depth, game, nodes, rules, search, search_with};

#[test]
fn node_limits_are_exact_with_one_thread() {
    // The last of them is searched to the end before the nodes are spent.
    for fen in &STARTS[..5] {
        for limit in [1_000, 12_345, 60_000] {
            let (result, _) = search(&game("tsivy", fen), &nodes(limit));
            assert_eq!(result.nodes, limit, "{fen}");
        }
    }
}

#[test]
fn senseless_limits_still_give_a_move_and_a_score() {
    let zero = Duration::ZERO;
    let clock = |remaining| Limits {
        clock: Some(Clock {
            remaining,
            ..Clock::default()
        }),
        ..Limits::default()
    };
    let limits = [
        depth(0),
        nodes(0),
        nodes(1),
        clock(zero),
        clock(Duration::from_millis(1)),
        Limits {
            movetime: Some(zero),
            ..Limits::default()
        },
    ];
    // The last two have thousands of moves.
    let fens = [
        STARTS[0],
        STARTS[4],
        "bwbbbbbwb/b2bbb2b/1b2b2b1/2b3b2/bwbbbbbwb w 0 2",
        "b1bbb1bbb/1bb3b2/1b3b2b/bbw1bb1bb/b1bbb1bbb w 0 2",
    ];
    for fen in fens {
        for limits in &limits {
            let started = Instant::now();
            let game = game("tsivy", fen);
            let (result, lines) = search(&game, limits);
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "{fen} {limits:?}"
            );
            assert!(
                legal_moves(game.rules(), game.position()).contains(&result.best.expect("one"))
            );
            assert!(!lines.is_empty() && !result.lines.is_empty());
        }
    }
}

#[test]
fn every_number_can_have_its_least_and_its_most() {
    let clock = Clock {
        remaining: Duration::from_millis(40),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let timed = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    let middle = game("tsivy", "1b2b1b1b/1bb3b2/2w1wb3/3w2ww1/w2w1w2w w 0 9");
    let games = [middle, Game::new(rules("board=3x3"))];
    let mut searcher = Searcher::new();
    for tunable in Parameters::TUNABLE {
        for value in [*tunable.range.start(), *tunable.range.end()] {
            let text = format!("{}={value}", tunable.name);
            let settings = SearchSettings {
                parameters: text.parse().expect(&text),
                ..SearchSettings::default()
            };
            for game in &games {
                for limits in [&depth(7), &timed] {
                    let result =
                        searcher.search(&settings, game, limits, &Control::new(), &mut |_| {});
                    assert!(result.expect("16 MiB").best.is_some(), "{text}");
                }
            }
        }
    }
}

#[test]
fn searchmoves_and_multipv() {
    let rules = Rules::STANDARD;
    let game = Game::new(rules);
    let wanted: Vec<Move> = ["d3-e3W", "e2-e3A"]
        .iter()
        .map(|text| parse_turn(text, &rules, game.position()).expect("legal").1)
        .collect();
    let limits = Limits {
        searchmoves: wanted.clone(),
        ..depth(6)
    };
    let (result, lines) = search(&game, &limits);
    assert!(wanted.contains(&result.best.expect("a move")));
    assert!(lines.iter().all(|line| wanted.contains(&line.pv[0])));

    let limits = Limits {
        multipv: 3,
        ..depth(6)
    };
    let (result, lines) = search(&game, &limits);
    let ranks: Vec<usize> = result.lines.iter().map(|line| line.multipv).collect();
    assert_eq!(ranks, [1, 2, 3]);
    let mut firsts: Vec<Move> = result.lines.iter().map(|line| line.pv[0]).collect();
    assert!(
        result
            .lines
            .windows(2)
            .all(|pair| pair[0].score >= pair[1].score)
    );
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 3, "three different moves");
    assert!(lines.iter().any(|line| line.multipv == 3));

    // More lines than moves: as many as there are.
    let limits = Limits {
        multipv: 500,
        ..depth(3)
    };
    assert_eq!(search(&game, &limits).0.lines.len(), 5);
}

#[test]
fn stopping_ends_a_search_and_infinite_holds_back() {
    // Of decided positions the search itself is done at once.
    for (fen, infinite) in [
        (STARTS[0], true),
        ("9/9/2w1b4/9/9 w", true),
        ("9/9/2w1b4/9/9 w", false),
        ("9/9/9/ww7/bw7 b", true),
    ] {
        let (game, control) = (game("tsivy", fen), Control::new());
        let limits = Limits {
            infinite,
            ponder: !infinite,
            ..Limits::default()
        };
        thread::scope(|scope| {
            let searching =
                scope.spawn(|| search_with(&mut Searcher::new(), &game, &limits, &control));
            thread::sleep(Duration::from_millis(150));
            let is_finished = searching.is_finished();
            control.stop();
            assert!(!is_finished, "{fen}: answered before it was stopped");
        });
    }
}

/// At limited strength the first iteration may be long: it ends as well.
#[test]
fn the_weakest_are_stopped_in_time() {
    for seed in 1..40 {
        let limits = Limits {
            strength: Strength::from_level(0).with_seed(seed),
            ..Limits::default()
        };
        let control = Control::new();
        control.stop();
        let game = Game::new(Rules::STANDARD);
        let (result, _) = search_with(&mut Searcher::new(), &game, &limits, &control);
        let nodes = result.nodes;
        assert!(result.best.is_some() && nodes < 5_000, "{seed}: {nodes}");
    }
}

#[test]
fn time_that_ran_before_the_search_began_counts() {
    let limits = Limits {
        movetime: Some(Duration::from_secs(60)),
        started: Some(
            Instant::now()
                .checked_sub(Duration::from_millis(59_900))
                .expect("the machine is up for longer"),
        ),
        ..Limits::default()
    };
    let started = Instant::now();
    let (result, _) = search(&Game::new(Rules::STANDARD), &limits);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(result.time >= Duration::from_millis(59_900));
}

/// A process that gets its processor late still searches something, while the clock has time.
#[test]
fn a_clock_stops_no_search_that_has_hardly_begun() {
    for (remaining, least) in [(60_000, 2_000), (1_000, 1)] {
        let late = Duration::from_millis(25_000);
        let limits = Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::ZERO,
                moves_to_go: None,
            }),
            started: Instant::now().checked_sub(late),
            ..Limits::default()
        };
        let (result, _) = search(&Game::new(Rules::STANDARD), &limits);
        assert!(
            result.nodes >= least && result.nodes < least + 2_000,
            "{result:?}"
        );
        assert!(result.time < late + Duration::from_secs(3));
    }
}
