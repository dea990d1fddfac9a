//! Games that are over: without stones, without a move, by repetition, by the
//! limit; and the moves that managers send after the end.

use super::{A_MOMENT, LONE_STONES, accepted, in_both_dialects, read_checked, searched, tolerated};
use crate::support::Engine;

/// Positions without a legal move, and what they mean.
const DECIDED: [(&str, &str); 4] = [
    ("9/9/9/9/w8 b 0 40", "p1win"),
    ("9/9/9/9/w8 w 0 40", "p1win"),
    ("9/9/9/9/b8 w 0 40", "p2win"),
    // Black's only stone is walled in.
    ("9/9/9/ww7/bw7 b 0 40", "p1win"),
];

fn verdict(engine: &mut Engine, gameover: &str, result: &str) {
    let answer = (engine.query("gameover"), engine.query("result"));
    if answer != (gameover.to_owned(), result.to_owned()) {
        engine.fail(&format!("expected {gameover} and {result}, not {answer:?}"));
    }
}

/// Takes a position whose game has this result; with `none` it goes on.
fn stands(engine: &mut Engine, position: &str, result: &str) {
    accepted(engine, position);
    let is_over = result != "none";
    verdict(engine, &is_over.to_string(), result);
}

#[test]
fn no_legal_move() {
    in_both_dialects(|engine| {
        for (fen, result) in DECIDED {
            accepted(engine, &format!("position fen {fen}"));
            verdict(engine, "true", result);
            if fen.starts_with("9/9/9/9/w8 w") {
                continue; // the winner has moves, but the game is over
            }
            assert_eq!(engine.legal(), [""; 0]);
            for go in [
                "go depth 5",
                "go movetime 1000",
                "go p1time 100 p2time 100",
                "go mate 3",
            ] {
                let search = searched(engine, go);
                assert_eq!(search.best.turn, "0000", "{fen}");
                let last = search.last().expect("a scored line");
                assert_eq!(last.depth, Some(0), "{fen}");
            }
            verdict(engine, "true", result);
        }
    });
}

/// A side without stones has lost, whoever is to move.
#[test]
fn the_opponent_has_no_stones() {
    in_both_dialects(|engine| {
        accepted(engine, "position fen 9/9/9/9/w8 w 0 40");
        let search = engine.search("go depth 5");
        if let Err(message) = search.check() {
            engine.fail(&message);
        }
        assert_eq!(search.best.turn, "0000");
    });
}

#[test]
fn a_decided_game_still_waits_for_stop() {
    in_both_dialects(|engine| {
        for (fen, _) in DECIDED {
            accepted(engine, &format!("position fen {fen}"));
            for (go, end) in [
                ("go infinite", "stop"),
                ("go", "stop"),
                ("go ponder", "stop"),
                ("go ponder p1time 100 p2time 100", "ponderhit"),
            ] {
                engine.send(go);
                engine.expect_no_bestmove(A_MOMENT / 2);
                engine.send(end);
                read_checked(engine, &[]);
            }
        }
    });
}

#[test]
fn the_first_ending_decides_repetition() {
    let start = format!("position fen {} w 0 20 moves", "9/9/9/9/w3b4");
    let cycle = "a1-a2 e1-e2 a2-a1 e2-e1";
    // White wins at once if nothing came before.
    let win = "a1-b1 e1-d1 b1-c1A";
    in_both_dialects(|engine| {
        stands(engine, &format!("{start} {win}"), "p1win");
        stands(engine, &format!("{start} {cycle}"), "none");
        stands(engine, &format!("{start} {cycle} {win}"), "p1win");

        stands(engine, &format!("{start} {cycle} {cycle}"), "draw");
        searched(engine, "go depth 4");
        let after = format!("{start} {cycle} {cycle} a1-b1 e1-d1");
        stands(engine, &after, "draw");
        assert_eq!(engine.legal(), ["b1-c1A"], "the moves are played on");
        searched(engine, "go depth 4");
        stands(engine, &format!("{after} b1-c1A"), "draw");
        assert_eq!(searched(engine, "go depth 4").best.turn, "0000");
    });
}

#[test]
fn the_first_ending_decides_the_limit() {
    let start = "position fen 9/9/9/9/w3b4 w 98 60";
    in_both_dialects(|engine| {
        stands(engine, start, "none");
        stands(engine, &format!("{start} moves a1-a2"), "none");
        stands(engine, &format!("{start} moves a1-a2 e1-e2"), "draw");
        searched(engine, "go depth 4");
        let after = format!("{start} moves a1-b1 e1-d1");
        stands(engine, &after, "draw");
        searched(engine, "go depth 4");
        stands(engine, &format!("{after} b1-c1A"), "draw");
    });
}

/// A win on the very ply of the limit is a win: stones come first, and a capture
/// sets the counter back.
#[test]
fn a_capture_on_the_last_ply() {
    in_both_dialects(|engine| {
        stands(
            engine,
            "position fen 9/9/9/9/1w1b5 w 99 60 moves b1-c1A",
            "p1win",
        );
    });
}

/// An illegal move after the game has ended does not overturn its result.
#[test]
fn an_illegal_move_after_the_end() {
    in_both_dialects(|engine| {
        let line = format!("position fen {LONE_STONES} w 98 60 moves a1-a2 i5-i4");
        stands(engine, &line, "draw");
        tolerated(engine, format!("{line} zz99\n").as_bytes());
        verdict(engine, "true", "draw");
    });
}

/// A counter at or over the limit is a finished game, not an error.
#[test]
fn a_position_at_the_limit() {
    in_both_dialects(|engine| {
        for counter in ["100", "101", "5000"] {
            stands(
                engine,
                &format!("position fen {LONE_STONES} w {counter} 90"),
                "draw",
            );
            searched(engine, "go depth 4");
        }
    });
}

/// Under `tie=count` the same endings are won by the side with more stones, and
/// the count is taken when the game ends.
#[test]
fn the_first_ending_decides_the_count() {
    let start = "position fen 8b/9/9/9/w7w w 0 20 moves";
    let cycle = "a1-a2 i5-i4 a2-a1 i4-i5";
    in_both_dialects(|engine| {
        accepted(engine, "setoption name UCI_Variant value single-step");
        stands(engine, &format!("{start} {cycle} {cycle}"), "p1win");
        stands(
            engine,
            &format!("{start} {cycle} {cycle} a1-a2 i5-i4"),
            "p1win",
        );
        stands(engine, "position fen 8b/9/9/9/w7w w 100 90", "p1win");
        stands(engine, "position fen b7b/9/9/9/8w w 100 90", "p2win");
        stands(
            engine,
            &format!("position fen {LONE_STONES} w 100 90"),
            "draw",
        );
    });
}

/// Under `blocked=draw` the blocked side does not lose.
#[test]
fn a_blocked_player_may_draw() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name UCI_Variant value full-chain");
        stands(engine, "position fen 9/9/9/ww7/bw7 b 0 40", "draw");
        assert_eq!(searched(engine, "go depth 3").best.turn, "0000");
    });
}
