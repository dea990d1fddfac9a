//! The smoke test that `fastchess --compliance` runs, step for step.

use super::{FIRST_MOVES, read_checked};
use crate::support::{Engine, Search, WAIT};

/// What that test looks at in an answer: an `info` line with a score, a time and
/// a speed, the last two whole numbers, and a `bestmove`.
fn compliant(engine: &mut Engine, go: &str) -> Search {
    let legal = engine.legal();
    engine.send(go);
    let search = read_checked(engine, &legal);
    let whole = search
        .scored
        .iter()
        .any(|info| info.time.is_some() && info.nps.is_some());
    if !whole {
        engine.fail("no info line with score, time and nps");
    }
    search
}

#[test]
fn every_step_of_the_compliance_test() {
    for word in ["uci", "ugi"] {
        let mut engine = Engine::start();
        engine.send(word);
        let done = format!("{word}ok");
        let lines = engine.expect_line(WAIT, &done, |line| line == done);
        for id in ["id name ", "id author "] {
            let named = lines
                .iter()
                .any(|line| line.strip_prefix(id).is_some_and(|rest| !rest.is_empty()));
            assert!(named, "no `{id}` in {lines:?}");
        }
        engine.send("isready");
        assert!(engine.expect("readyok").is_empty());

        engine.send("ucinewgame");
        engine.send("isready");
        engine.expect("readyok");
        for position in [
            "position startpos",
            "position fen bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
            "position startpos moves d3-e3A",
        ] {
            for go in [
                "go wtime 100",
                "go btime 100",
                "go wtime 100 btime 100",
                "go wtime 100 winc 100 btime 100 binc 100",
                "go btime 100 binc 100 wtime 100 winc 100",
                "go winc 100 binc 100 wtime 100 btime 100",
                "go binc 100 winc 100 btime 100 wtime 100",
                "go depth 5",
                "go nodes 1000",
                "go movetime 100",
            ] {
                engine.send(position);
                compliant(&mut engine, go);
            }
        }

        // Chess moves: illegal here, which must not stop a `go`.
        engine.send("position startpos moves e2e4 e7e5");
        engine.sync();
        let search = compliant(&mut engine, "go wtime 100 btime 100");
        assert!(FIRST_MOVES.contains(&search.best.turn.as_str()));
        engine.send("ucinewgame");
        engine.send("isready");
        engine.expect("readyok");
        engine.finish();
    }
}

/// A chess position cannot be taken over; the old one stays and is searched.
#[test]
fn a_chess_position() {
    let mut engine = Engine::uci();
    engine.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let lines = engine.sync();
    assert!(lines.len() == 1 && lines[0].starts_with("info string error"));
    compliant(&mut engine, "go movetime 20");
    engine.finish();
}
