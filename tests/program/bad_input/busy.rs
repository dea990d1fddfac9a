//! What arrives when it should not: between searches, and during one.

use super::{A_MOMENT, FIRST_MOVES, in_both_dialects, read_checked, searched, works_as_usual};
use crate::support::{Engine, WAIT};

/// Starts a search without end from the start position and waits for its first
/// line, so that what is sent next meets a running search.
fn search_on(engine: &mut Engine) -> Vec<String> {
    engine.send("position startpos");
    let legal = engine.legal();
    engine.send("go infinite");
    engine.expect_line(WAIT, "info line", |line| line.contains(" score "));
    legal
}

/// Sends a command during a search and requires an answer that begins with
/// `start` before the search is stopped.
fn answered_during_search(engine: &mut Engine, command: &str, start: &str) -> String {
    engine.send(command);
    let lines = engine.expect_line(WAIT, &format!("answer to `{command}`"), |line| {
        line.starts_with(start) || line.starts_with("bestmove")
    });
    let last = lines.last().cloned().unwrap_or_default();
    if last.starts_with("bestmove") {
        engine.fail(&format!("`{command}` ended the search"));
    }
    last
}

/// Ends the search of `search_on` and waits until what was queued is done.
fn stop(engine: &mut Engine, legal: &[String]) -> Vec<String> {
    engine.send("stop");
    read_checked(engine, legal);
    engine.sync()
}

#[test]
fn stop_and_ponderhit_when_idle() {
    in_both_dialects(|engine| {
        for word in ["stop", "ponderhit"] {
            for _ in 0..3 {
                let lines = engine.ask(word);
                if !lines.is_empty() {
                    engine.fail(&format!("an idle `{word}` was answered by {lines:?}"));
                }
            }
            works_as_usual(engine);

            // Nothing of it is left over for the next search.
            engine.send("position startpos");
            let legal = engine.legal();
            engine.send(&format!("{word}\ngo infinite"));
            engine.expect_no_bestmove(A_MOMENT);
            engine.send("stop");
            read_checked(engine, &legal);
            engine.send(&format!("{word}\ngo ponder p1time 100 p2time 100"));
            engine.expect_no_bestmove(A_MOMENT);
            engine.send("ponderhit");
            read_checked(engine, &legal);
        }
    });
}

#[test]
fn stop_twice() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        engine.send("stop\nstop\nstop");
        read_checked(engine, &legal);
        works_as_usual(engine);
    });
}

#[test]
fn isready_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        for _ in 0..5 {
            let lines = engine.sync();
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
        }
        engine.expect_no_bestmove(A_MOMENT);
        stop(engine, &legal);
    });
}

#[test]
fn go_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        engine.send("go depth 2");
        read_checked(engine, &legal);
        read_checked(engine, &legal);
        works_as_usual(engine);
    });
}

#[test]
fn the_search_that_follows_go_during_a_search_is_the_new_one() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        engine.send("go infinite searchmoves d3-e3W");
        read_checked(engine, &legal);
        engine.expect_no_bestmove(A_MOMENT);
        engine.send("stop");
        let search = read_checked(engine, &legal);
        assert_eq!(search.best.turn, "d3-e3W");
    });
}

#[test]
fn many_go_in_a_row() {
    in_both_dialects(|engine| {
        engine.send("position startpos");
        let legal = engine.legal();
        let kinds = [
            "infinite",
            "ponder",
            "depth 2",
            "",
            "movetime 1000",
            "nodes 100",
        ];
        for kind in kinds.iter().cycle().take(24) {
            engine.send(&format!("go {kind}"));
        }
        engine.send("stop");
        for _ in 0..24 {
            read_checked(engine, &legal);
        }
        works_as_usual(engine);
    });
}

#[test]
fn position_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        answered_during_search(engine, "position startpos moves d3-e3A", "info string");
        engine.expect_no_bestmove(A_MOMENT);
        stop(engine, &legal);
        assert_eq!(engine.query("p1turn"), "false", "it is applied when idle");
        assert_ne!(engine.legal(), FIRST_MOVES);
    });
}

#[test]
fn moves_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        answered_during_search(engine, "moves d3-e3A", "info string");
        stop(engine, &legal);
        assert_eq!(engine.query("p1turn"), "false", "it is applied when idle");
    });
}

#[test]
fn a_bad_position_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        answered_during_search(engine, "position fen nonsense w 0 1", "info string");
        stop(engine, &legal);
        assert_eq!(engine.legal(), FIRST_MOVES, "the old position stays");
    });
}

/// The commands keep their order: the new search is one of the new position.
#[test]
fn position_and_go_during_a_search() {
    in_both_dialects(|engine| {
        engine.send("position startpos moves d3-e3A");
        let replies = engine.legal();
        let legal = search_on(engine);
        engine.send("position startpos moves d3-e3A\ngo depth 2");
        read_checked(engine, &legal);
        read_checked(engine, &replies);
    });
}

#[test]
fn setoption_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        let command = "setoption name MultiPV value 3";
        answered_during_search(engine, command, "info string");
        engine.expect_no_bestmove(A_MOMENT);
        stop(engine, &legal);
        let search = searched(engine, "go depth 2");
        let third = search.scored.iter().any(|info| info.multipv == Some(3));
        assert!(third, "it is applied when idle: {:?}", search.lines);
    });
}

#[test]
fn options_that_replace_what_the_search_uses() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        for command in [
            "setoption name Hash value 2",
            "setoption name Threads value 2",
            "setoption name Clear Hash",
            "setoption name UCI_Variant value dimy",
        ] {
            answered_during_search(engine, command, "info string");
        }
        stop(engine, &legal);
        let legal = engine.legal();
        let small = legal.iter().all(|turn| turn.as_str() < "f");
        assert!(small && !legal.is_empty(), "dimy has five files: {legal:?}");
        searched(engine, "go depth 3");
        engine.send("setoption name UCI_Variant value tsivy");
    });
}

#[test]
fn newgame_during_a_search() {
    in_both_dialects(|engine| {
        for word in ["ugi", "uci"] {
            let legal = search_on(engine);
            answered_during_search(engine, &format!("{word}newgame"), "info string");
            engine.expect_no_bestmove(A_MOMENT);
            stop(engine, &legal);
            works_as_usual(engine);
        }
    });
}

#[test]
fn perft_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        answered_during_search(engine, "perft 2", "info string");
        engine.send("stop");
        read_checked(engine, &legal);
        engine.expect("Nodes searched: 39");
    });
}

#[test]
fn questions_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        answered_during_search(engine, "query p1turn", "response true");
        answered_during_search(engine, "query gameover", "response false");
        answered_during_search(engine, "query result", "response none");
        assert_eq!(engine.legal(), FIRST_MOVES);
        for command in ["d", "eval"] {
            let lines = engine.ask(command);
            let own = lines.iter().filter(|line| !line.starts_with("info depth"));
            assert!(own.count() > 0, "`{command}` was not answered");
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
        }
        engine.expect_no_bestmove(A_MOMENT);
        stop(engine, &legal);
    });
}

#[test]
fn garbage_during_a_search() {
    in_both_dialects(|engine| {
        let legal = search_on(engine);
        for bytes in [
            &b"hello\n"[..],
            b"\n",
            b"\xff\xfe\n",
            b"ponderhit\n",
            b"\r\n",
        ] {
            engine.send_bytes(bytes);
        }
        let lines = engine.sync();
        let words = lines.iter().filter(|line| line.starts_with("info string"));
        assert!(words.count() <= 5);
        engine.send("stop");
        read_checked(engine, &legal);
        works_as_usual(engine);
    });
}
