//! What holds for every answer: one `bestmove` for each `go`, a scored line
//! before it, whole numbers, a variation that begins with the move.

use super::{A_MOMENT, accepted, in_both_dialects, read_checked, searched};
use crate::support::{Engine, Info};

/// Positions of all phases, with a preset each.
const POSITIONS: [(&str, &str); 8] = [
    ("tsivy", "startpos"),
    ("tsivy", "startpos moves d3-e3A"),
    ("tsivy", "fen 9/1b2b2b1/9/1w2w2w1/9 w 0 20"),
    ("tsivy", "fen 9/9/3w1w3/4b4/4w4 b 30 40"),
    ("dimy", "startpos"),
    ("telo", "startpos"),
    ("vela", "startpos"),
    ("full-chain", "fen bbbb5/9/4w4/9/5wwww w 3 12"),
];

#[test]
fn one_checked_answer_for_each_go() {
    in_both_dialects(|engine| {
        for (preset, position) in POSITIONS {
            accepted(
                engine,
                &format!("setoption name UCI_Variant value {preset}"),
            );
            accepted(engine, &format!("position {position}"));
            for go in [
                "go depth 1",
                "go depth 6",
                "go nodes 1",
                "go nodes 3000",
                "go movetime 1",
                "go movetime 30",
                "go p1time 100 p2time 100 p1inc 10 p2inc 10",
                "go wtime 100 btime 100",
                "go p1time 50 p2time 50 movestogo 1",
                "go p1time 1 p2time 1",
            ] {
                searched(engine, go);
            }
            engine.expect_no_bestmove(A_MOMENT / 5);
        }
    });
}

#[test]
fn a_search_of_a_given_depth_reaches_it() {
    in_both_dialects(|engine| {
        for depth in 1..=5 {
            let search = searched(engine, &format!("go depth {depth}"));
            let last = search.last().expect("a scored line");
            assert_eq!(last.depth, Some(depth), "{:?}", search.lines);
            assert!(!last.bound, "the last line is no bound: {:?}", search.lines);
        }
    });
}

#[test]
fn figures_of_a_search_grow() {
    in_both_dialects(|engine| {
        let search = searched(engine, "go depth 7");
        let mut last = Info::default();
        for info in search.scored {
            assert!(info.depth >= last.depth && info.nodes >= last.nodes && info.time >= last.time);
            assert!(info.hashfull.is_none_or(|full| full <= 1000));
            last = info;
        }
        assert!(last.nodes > Some(0) && last.hashfull.is_some());
    });
}

#[test]
fn a_limit_of_nodes_is_kept() {
    in_both_dialects(|engine| {
        for limit in [500, 5000, 50_000] {
            engine.send("ucinewgame\nposition startpos");
            let search = searched(engine, &format!("go nodes {limit}"));
            let nodes = search.last().and_then(|info| info.nodes).unwrap_or(0);
            assert!(nodes <= limit, "{nodes} of {limit}");
        }
        // That a move loses says nothing of those that have not been searched: another one wins here.
        for nodes in 0..40 {
            engine.send("ucinewgame\nposition fen 8b/5b1bw/4w2w1/3w1w3/b8 b 0 9");
            let search = searched(engine, &format!("go nodes {nodes}"));
            let score = search.last().and_then(|info| info.score);
            let is_lost =
                matches!(score, Some(crate::support::Score::Cp(score)) if score < -20_000);
            assert!(!is_lost, "{nodes}: {score:?}");
        }
    });
}

/// A table is made anew whatever its size was before.
#[test]
fn setting_the_hash_clears_it() {
    in_both_dialects(|engine| {
        let mut nodes = |before: &str| {
            engine.send(&format!("{before}\nposition startpos"));
            let search = searched(engine, "go depth 9");
            search.last().and_then(|info| info.nodes).unwrap_or(0)
        };
        nodes("ucinewgame");
        let [kept, cleared] = ["", "setoption name Hash value 16"].map(&mut nodes);
        assert!(cleared > 2 * kept, "{cleared} {kept}");
    });
}

/// The same search twice gives the same figures, with one thread and a table
/// that has been cleared.
#[test]
fn searches_repeat() {
    in_both_dialects(|engine| {
        let mut run = || {
            engine.send("ucinewgame\nposition startpos moves d3-e3A");
            let search = searched(engine, "go depth 7");
            let last = search.last().expect("a scored line").clone();
            (search.best, last.nodes, last.score, last.pv)
        };
        assert_eq!(run(), run());
    });
}

#[test]
fn several_variations() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name MultiPV value 3");
        let search = searched(engine, "go depth 5");
        let last = search.scored.iter().rev().take(3).rev();
        let last: Vec<&Info> = last.collect();
        let ranks: Vec<_> = last.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3)], "{:?}", search.lines);
        let mut first: Vec<&String> = last.iter().filter_map(|info| info.pv.first()).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 3, "different moves: {:?}", search.lines);

        // More than there are moves.
        accepted(engine, "setoption name MultiPV value 50");
        let search = searched(engine, "go depth 3");
        let ranks = search.scored.iter().filter_map(|info| info.multipv).max();
        assert_eq!(ranks, Some(5));
    });
}

#[test]
fn several_threads() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name Threads value 4");
        for go in [
            "go depth 6",
            "go nodes 20000",
            "go movetime 50",
            "go p1time 300 p2time 300",
        ] {
            for _ in 0..5 {
                searched(engine, go);
            }
        }
        let legal = engine.legal();
        for _ in 0..20 {
            engine.send("go infinite\nstop");
            read_checked(engine, &legal);
        }
        engine.expect_no_bestmove(A_MOMENT);
    });
}

/// A `stop` that comes before the search has found anything.
#[test]
fn stop_at_once() {
    in_both_dialects(|engine| {
        let legal = engine.legal();
        for _ in 0..50 {
            engine.send("go infinite\nstop");
            read_checked(engine, &legal);
        }
        for _ in 0..20 {
            engine.send("ucinewgame\ngo ponder\nponderhit\nstop");
            read_checked(engine, &legal);
        }
        engine.expect_no_bestmove(A_MOMENT);
    });
}

/// The answer is there although nobody sends another command: each line is
/// written out when it is printed.
#[test]
fn lines_are_flushed() {
    let mut engine = Engine::start();
    engine.send("ugi");
    engine.expect("ugiok");
    engine.send("query p1turn");
    engine.expect("response true");
    engine.send("go depth 3");
    let search = engine.read_search();
    search.check().expect("a checked answer");
    engine.send("help");
    engine.read_line(crate::support::WAIT);
    engine.sync();
    engine.finish();
}
