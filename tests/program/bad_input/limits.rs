//! Limits that make no sense, limits that never end, moves to search that are
//! none.

use std::thread;
use std::time::{Duration, Instant};

use super::{A_MOMENT, FIRST_MOVES, in_both_dialects, read_checked, searched, works_as_usual};
use crate::support::Engine;

/// Limits that leave no time to think.
const SENSELESS: [&str; 39] = [
    "depth abc",
    "depth 0",
    "depth -3",
    "depth",
    "depth 1.5",
    "nodes 0",
    "nodes abc",
    "nodes -1",
    "nodes",
    "movetime 0",
    "movetime abc",
    "movetime -100",
    "movetime",
    "mate 0",
    "mate abc",
    "mate -1",
    "p1time 0 p2time 0",
    "p1time -5 p2time 1000",
    "p1time -100000 p2time -100000 p1inc 0 p2inc 0",
    "p1time 0 p2time 1000 p1inc 0 p2inc 0",
    "p1time abc p2time 1000",
    "p1time p2time",
    "p1time 100 p2time 100 p1inc abc p2inc -5",
    "p1time 100 p2time 100 p1inc -1000 p2inc -1000",
    "p1time 100 p2time 100 movestogo 0",
    "p1time 100 p2time 100 movestogo -4",
    "p1time 100 p2time 100 movestogo abc",
    "p1time -1 p2time -1 movestogo 1",
    "wtime 0 btime 0",
    "wtime -1 btime -1 winc 0 binc 0",
    "wtime",
    // the clock of the side that is not to move
    "p2time 1000",
    "p2time 10000000",
    "p2time 1000 p1inc 10 p2inc 10",
    "btime 1000",
    "btime 10000000 binc 100",
    // several at once
    "depth 0 nodes 0 movetime 0",
    "depth abc nodes abc movetime abc p1time abc p2time abc",
    "nodes 0 p1time 10000000 p2time 10000000",
];

#[test]
fn senseless_limits_are_answered_at_once() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        for limit in SENSELESS {
            let start = Instant::now();
            searched(engine, &format!("go {limit}"));
            let time = start.elapsed();
            if time > Duration::from_secs(20) {
                engine.fail(&format!("`go {limit}` took {time:?}"));
            }
        }
        works_as_usual(engine);
    });
}

#[test]
fn only_the_other_sides_clock() {
    in_both_dialects(|engine| {
        engine.send("position startpos moves d3-e3A");
        for limit in ["p1time 10000000", "wtime 10000000", "wtime 1000 winc 10"] {
            let start = Instant::now();
            searched(engine, &format!("go {limit}"));
            assert!(start.elapsed() < Duration::from_secs(20), "{limit}");
        }
    });
}

#[test]
fn limits_that_may_or_may_not_be_some() {
    let nines = "9".repeat(40);
    in_both_dialects(|engine| {
        engine.send("position startpos");
        let legal = engine.legal();
        for limit in [
            format!("depth {nines}"),
            format!("nodes {nines}"),
            format!("movetime {nines}"),
            format!("mate {nines}"),
            format!("p1time {nines} p2time {nines} p1inc {nines} p2inc {nines}"),
            format!("p1time {0} p2time {0} p1inc {0} p2inc {0}", i64::MAX),
            format!("p1time {0} p2time {0} p1inc {0} p2inc {0}", i64::MIN),
            format!("p1time 1000 p2time 1000 movestogo {}", u64::MAX),
            format!("movetime {}", u64::MAX),
            format!("depth {} nodes {}", u64::MAX, u64::MAX),
            // An increment alone is no clock.
            "winc 10 binc 10".to_owned(),
            "p1inc 10 p2inc 10 movestogo 5".to_owned(),
        ] {
            // Taken for a limit or for an error: `stop` ends it in either case.
            engine.send(&format!("go {limit}"));
            thread::sleep(Duration::from_millis(30));
            engine.send("stop");
            read_checked(engine, &legal);
        }
        works_as_usual(engine);
    });
}

/// Limits in any order and combination: the first that is reached ends it.
#[test]
fn limits_together() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        for limit in [
            "depth 2 movetime 60000",
            "movetime 60000 depth 2",
            "nodes 100 depth 60",
            "p2inc 5 p1time 600000 depth 2 p1inc 5 p2time 600000",
            "movestogo 10 depth 2 wtime 600000 btime 600000",
            "depth 2 searchmoves d3-e3W",
            "searchmoves d3-e3W depth 2",
            "p1time 200 p2time 200 nodes 1000000000",
        ] {
            searched(engine, &format!("go {limit}"));
        }
        let search = searched(engine, "go searchmoves d3-e3W f2-e3A depth 2");
        assert!(["d3-e3W", "f2-e3A"].contains(&search.best.turn.as_str()));
    });
}

/// A word that no limit is called by does not spoil those beside it.
#[test]
fn an_unknown_word_among_limits() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        let search = searched(engine, "go banana depth 2");
        assert!(search.count("info string") <= 1, "{:?}", search.lines);
        searched(engine, "go depth 2 banana 7");
        searched(engine, "go movetime 10 hurry");
    });
}

fn held_back(engine: &mut Engine, go: &str, end: &str) {
    let legal = engine.legal();
    engine.send(go);
    engine.expect_no_bestmove(A_MOMENT);
    engine.send(end);
    read_checked(engine, &legal);
}

#[test]
fn a_search_without_a_limit_goes_on_until_stop() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        held_back(engine, "go", "stop");
        held_back(engine, "go infinite", "stop");
        held_back(engine, "go infinite searchmoves d3-e3A", "stop");
        held_back(engine, "go searchmoves d3-e3A", "stop");
        held_back(engine, "go ponder", "stop");
    });
}

/// A search that has nothing more to find waits all the same.
#[test]
fn a_finished_search_holds_its_answer_back() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        held_back(engine, "go infinite depth 1", "stop");
        held_back(engine, "go depth 1 infinite", "stop");
        held_back(engine, "go infinite nodes 10", "stop");
        held_back(engine, "go ponder depth 1", "ponderhit");
        held_back(engine, "go ponder depth 1", "stop");
        held_back(engine, "go ponder nodes 10", "ponderhit");
        held_back(engine, "go ponder movetime 20", "ponderhit");
        held_back(engine, "go ponder p1time 50 p2time 50", "ponderhit");
        held_back(engine, "go p1time 50 p2time 50 ponder", "stop");

        // One move, a win at once, and boards that are searched to the end.
        engine.send("position fen 9/9/9/9/1w1b5 w 0 40");
        held_back(engine, "go infinite", "stop");
        held_back(engine, "go", "stop");
        held_back(engine, "go ponder p1time 50 p2time 50", "ponderhit");
        engine.send("setoption name UCI_Variant value telo");
        held_back(engine, "go infinite", "stop");
        held_back(engine, "go ponder", "stop");
    });
}

/// `ponderhit` turns the search into one with a clock; it ends by itself.
#[test]
fn ponderhit_starts_the_clock() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        let legal = engine.legal();
        engine.send("go ponder p1time 600 p2time 600 p1inc 10 p2inc 10");
        engine.expect_no_bestmove(A_MOMENT);
        engine.send("ponderhit");
        let start = Instant::now();
        read_checked(engine, &legal);
        assert!(start.elapsed() < Duration::from_secs(20));
        // A second one is one too many, and ignored.
        engine.send("ponderhit");
        works_as_usual(engine);
    });
}

#[test]
fn searchmoves_that_are_illegal_are_dropped() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        for moves in [
            "d3-e3W zz99",
            "zz99 d3-e3W",
            "a1-a2 d3-e3W e2e4",
            "d3e3w zz99",
            "d3-e3W d3-e3W d3-e3 0000",
        ] {
            let search = searched(engine, &format!("go depth 3 searchmoves {moves}"));
            assert_eq!(search.best.turn, "d3-e3W", "{moves}");
            assert!(search.count("info string") > 0, "{:?}", search.lines);
        }
        let search = searched(engine, "go depth 3 searchmoves e2-e3A");
        assert_eq!(search.best.turn, "e2-e3A");
        assert_eq!(search.count("info string error"), 0);
    });
}

#[test]
fn searchmoves_without_a_legal_one_are_all_moves() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        let free = searched(engine, "go depth 3").best.turn;
        assert!(FIRST_MOVES.contains(&free.as_str()));
        engine.send("ucinewgame");
        for moves in ["zz99", "a1-a2 e2e4", "0000", "d3-e3"] {
            let search = searched(engine, &format!("go depth 3 searchmoves {moves}"));
            assert!(search.count("info string") > 0, "{:?}", search.lines);
        }
        searched(engine, "go depth 3 searchmoves");
        searched(engine, "go searchmoves depth 3");
    });
}

/// What was asked of one search does not hold for the next.
#[test]
fn limits_are_forgotten() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        searched(engine, "go depth 1 searchmoves d3-e3A");
        engine.send("setoption name MultiPV value 5");
        let search = searched(engine, "go depth 2");
        let ranks = search.scored.iter().filter_map(|info| info.multipv).max();
        assert_eq!(ranks, Some(5), "all five moves: {:?}", search.lines);
        engine.send("setoption name MultiPV value 1");
        searched(engine, "go nodes 10");
        let search = searched(engine, "go depth 4");
        assert_eq!(search.last().and_then(|info| info.depth), Some(4));
    });
}

/// The count of `go perft` ends with the first limit of time, as a search does.
#[test]
fn a_limit_of_time_ends_the_count() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        for limit in ["movetime 60", "p1time 300 p2time 300", "movetime 0 nodes 5"] {
            let search = searched(engine, &format!("go perft 99 {limit}"));
            assert_eq!(
                search.count("info string perft: stopped"),
                1,
                "{limit}: {:?}",
                search.lines
            );
            assert!(
                search.last().and_then(|info| info.nodes) > Some(0),
                "{:?}",
                search.lines
            );
        }
        held_back(engine, "go perft 99 movetime 20 infinite", "stop");
        held_back(engine, "go perft 99 movetime 20 ponder", "ponderhit");
        held_back(engine, "go perft 1 ponder", "ponderhit");
        let search = searched(engine, "go perft 1");
        assert_eq!(search.count("info string"), 0, "{:?}", search.lines);
    });
}

/// However little time there is, one iteration is completed.
#[test]
fn the_first_iteration_is_completed() {
    in_both_dialects(|engine| {
        engine.send("setoption name Move Overhead value 5000\nposition startpos");
        for limit in [
            "movetime 0",
            "movetime 900",
            "p1time 3 p2time 3",
            "p1time 4000 p2time 4000 movestogo 1",
        ] {
            let search = searched(engine, &format!("go {limit}"));
            assert!(
                search.last().and_then(|info| info.nodes) > Some(0),
                "{limit}: {:?}",
                search.lines
            );
        }
        engine.send("go infinite\nstop");
        assert!(engine.read_search().last().and_then(|info| info.nodes) > Some(0));
    });
}
