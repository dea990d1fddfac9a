//! Positions and moves that are wrong: each is named, none does harm.

use std::thread;
use std::time::{Duration, Instant};

use super::{
    FIRST_MOVES, LONE_STONES, accepted, in_both_dialects, read_checked, refused, searched,
    tolerated,
};
use crate::support::{Engine, WAIT};

/// Positions that are not, and a word that the error must contain (or none).
const BAD_POSITIONS: [(&str, &[&str]); 22] = [
    // rows
    ("9/9/9/w7b w 0 1", &[]),
    ("9/9/9/9/9/w7b w 0 1", &[]),
    ("9/9/9//w7b w 0 1", &[]),
    ("w7b w 0 1", &[]),
    ("9/9/9/9/w7b/ w 0 1", &[]),
    // points in a row
    ("9/9/8/9/w7b w 0 1", &[]),
    ("9/9/9/9/w8b w 0 1", &[]),
    ("9/9/9w/9/w7b w 0 1", &[]),
    ("9/9/bbbbbbbbbb/9/w7b w 0 1", &[]),
    // letters
    ("9/9/4q4/9/w7b w 0 1", &["q"]),
    ("9/9/4-4/9/w7b w 0 1", &["-"]),
    ("nonsense w 0 1", &[]),
    // an empty board
    ("9/9/9/9/9 w 0 1", &[]),
    // the side to move
    ("9/9/9/9/w7b", &[]),
    ("9/9/9/9/w7b x 0 1", &["x"]),
    ("9/9/9/9/w7b white 0 1", &["white"]),
    // counters
    ("9/9/9/9/w7b w abc 1", &["abc"]),
    ("9/9/9/9/w7b w -1 1", &["-1"]),
    ("9/9/9/9/w7b w 0 xyz", &["xyz"]),
    ("9/9/9/9/w7b w 0 0", &["0"]),
    ("9/9/9/9/w7b w 1.5 1", &["1.5"]),
    // too much
    ("9/9/9/9/w7b w 0 1 surplus", &["surplus"]),
];

#[test]
fn a_bad_position_is_named_and_the_old_one_stays() {
    in_both_dialects(|engine| {
        engine.send("position startpos moves d3-e3A");
        let legal = engine.legal();
        for (fen, named) in BAD_POSITIONS {
            refused(engine, &format!("position fen {fen}"), named);
            refused(engine, &format!("position fen {fen} moves a1-a2"), named);
            assert_eq!(engine.legal(), legal, "the old position after {fen}");
        }
        searched(engine, "go depth 2");
    });
}

/// A manager that plays on with a position that was refused is told that the game is over, and that nobody
/// has won.
#[test]
fn after_a_refused_position_the_game_is_over() {
    in_both_dialects(|engine| {
        let verdict = |engine: &mut Engine| (engine.query("gameover"), engine.query("result"));
        let over = ("true".to_owned(), "none".to_owned());
        let goes_on = ("false".to_owned(), "none".to_owned());
        let refusals = [
            "position fen 9/9/9/9/w7b w 0 1 -0.09",
            "position fen bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1 moves a2-a3",
            "position start",
        ];
        for refusal in refusals {
            for good in [
                "position startpos",
                "uginewgame",
                "position startpos moves d3-e3A",
            ] {
                accepted(engine, "position startpos moves d3-e3A");
                refused(engine, refusal, &["position: "]);
                assert_eq!(verdict(engine), over, "after {refusal}");
                searched(engine, "go depth 2");
                assert_eq!(verdict(engine), over, "after {refusal} and a search");
                accepted(engine, good);
                assert_eq!(verdict(engine), goes_on, "after {refusal} and {good}");
            }
        }
    });
}

#[test]
fn a_comment_behind_a_position_is_ignored() {
    in_both_dialects(|engine| {
        for comment in ["; -0.09", ";", ";; no moves-like word; w 9 x", "0 1; a"] {
            accepted(engine, &format!("position fen 9/9/9/9/w7b w {comment}"));
            assert_eq!(engine.legal(), ["a1-a2", "a1-b1", "a1-b2"], "{comment}");
            accepted(
                engine,
                &format!("position fen 9/9/9/9/w7b w {comment} moves a1-a2"),
            );
            assert_eq!(engine.legal().len(), 3, "{comment}");
        }
        refused(engine, "position fen ; 9/9/9/9/w7b w", &["after fen"]);
    });
}

/// What managers pass through: a line of standard error for each thing that was refused.
#[test]
fn refusals_are_on_standard_error() {
    let mut engine = Engine::start();
    for command in [
        "position fen 9/9/9/9/w7b w 0 1 -0.09",
        "position startpos moves a1-a1",
        "setoption name EvalFlie value x.net",
        "setoption name UCI_Variant value dymy",
        "setoption name Hash value 0",
        "setoption name EvalFile value /no/such/file",
    ] {
        let before = engine.error_output().lines().count();
        let told = refused(&mut engine, command, &[]);
        let end = Instant::now() + WAIT;
        while engine.error_output().lines().count() == before && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let errors = engine.error_output();
        assert_eq!(
            errors.lines().last(),
            Some(&*format!("error: {told}")),
            "{command}"
        );
        assert_eq!(errors.lines().count(), before + 1, "{command}: {errors}");
    }
}

#[test]
fn points_for_another_board() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name UCI_Variant value dimy");
        let legal = engine.legal();
        let standard = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
        refused(engine, &format!("position fen {standard}"), &[]);
        assert_eq!(engine.legal(), legal);
        accepted(engine, "position fen bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1");
        assert_eq!(engine.legal(), legal);
        accepted(engine, "setoption name UCI_Variant value tsivy");
        refused(
            engine,
            "position fen bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1",
            &[],
        );
    });
}

#[test]
fn forms_of_a_good_position() {
    in_both_dialects(|engine| {
        for fen in ["9/9/9/9/w7b w 0 1", "9/9/9/9/w7b w", "9/9/9/9/W7B w 0 1"] {
            accepted(engine, "position startpos");
            accepted(engine, &format!("position fen {fen}"));
            assert_eq!(engine.legal(), ["a1-a2", "a1-b1", "a1-b2"], "{fen}");
        }
        accepted(engine, "position startpos moves");
        assert_eq!(engine.legal(), FIRST_MOVES);
    });
}

/// Numbers that no game reaches are either refused or taken, but survived.
#[test]
fn enormous_counters() {
    in_both_dialects(|engine| {
        let nines = "9".repeat(30);
        for counters in [
            format!("{nines} 1"),
            format!("0 {nines}"),
            format!("{} {}", u64::MAX, u64::MAX),
            format!("{} {}", u32::MAX, u32::MAX),
            format!("{} {}", u16::MAX, u16::MAX),
        ] {
            let line = format!("position fen 9/9/9/9/w7b b {counters} moves i1-i2 a1-a2\n");
            tolerated(engine, line.as_bytes());
            engine.query("gameover");
            searched(engine, "go depth 2");
        }
    });
}

/// Sends `position … moves good bad later` and checks that the game has ended
/// against the side that played the illegal move.
fn illegal(engine: &mut Engine, good: &str, bad: &str, later: &str, result: &str) {
    accepted(engine, &format!("position startpos moves {good}"));
    let before = engine.legal();
    refused(
        engine,
        &format!("position startpos moves {good} {bad} {later}"),
        &[bad],
    );
    assert_eq!(engine.query("gameover"), "true", "after {good} {bad}");
    assert_eq!(engine.query("result"), result, "after {good} {bad}");
    engine.query("p1turn");
    engine.send("go depth 2");
    read_checked(engine, &before);
    // The searches do not change the verdict, a new position does.
    assert_eq!(engine.query("result"), result, "after a search");
    accepted(engine, "position startpos");
    assert_eq!(engine.query("gameover"), "false");
    assert_eq!(engine.query("result"), "none");
}

#[test]
fn an_illegal_move_loses_for_its_mover() {
    in_both_dialects(|engine| {
        let bad = "e2e4 a1-a2 d3-e3 e2-e3 e2-e3W d3-e3B e3-d3A zz99 0000 - d3 d3-e3A- d3-e3A-e4A d3-d3A \
            d3-f3A j3-e3A d9-e3A e4-e3A x";
        for bad in bad.split(' ') {
            illegal(engine, "", bad, "", "p2win");
            illegal(engine, "", bad, "d3-e3A f5-e4A", "p2win");
        }
        for bad in ["e2e4", "a1-a2", "d3-e3A", "zz99"] {
            illegal(engine, "d3-e3A", bad, "", "p1win");
            illegal(engine, "d3-e3A", bad, "a1-a2 d3-e3A", "p1win");
        }
    });
}

#[test]
fn an_illegal_move_after_the_command_moves() {
    in_both_dialects(|engine| {
        accepted(engine, "position startpos");
        accepted(engine, "moves d3-e3A");
        let before = engine.legal();
        refused(engine, "moves e2e4", &["e2e4"]);
        assert_eq!(engine.query("gameover"), "true");
        assert_eq!(engine.query("result"), "p1win");
        // What comes later does not bring the game back.
        tolerated(engine, format!("moves {}\n", before[0]).as_bytes());
        assert_eq!(engine.query("result"), "p1win");
        engine.send("go depth 2");
        read_checked(engine, &before);
    });
}

#[test]
fn an_illegal_move_from_a_given_position() {
    in_both_dialects(|engine| {
        let fen = format!("position fen {LONE_STONES} b 0 20");
        accepted(engine, &fen);
        let before = engine.legal();
        refused(engine, &format!("{fen} moves a1-a2"), &["a1-a2"]);
        assert_eq!(engine.query("result"), "p1win");
        engine.send("go depth 2");
        read_checked(engine, &before);
    });
}

/// Hyphens may be missing and letters may be small.
#[test]
fn other_forms_of_legal_moves() {
    in_both_dialects(|engine| {
        for form in ["d3-e3A", "d3e3A", "d3e3a", "d3-e3a"] {
            accepted(engine, &format!("position startpos moves {form}"));
            assert_eq!(engine.query("p1turn"), "false", "{form}");
            assert_eq!(engine.query("gameover"), "false", "{form}");
        }
    });
}

#[test]
fn five_thousand_moves() {
    let cycle = "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(1250);
    let line = format!("position fen {LONE_STONES} w 0 20 moves {cycle}");
    in_both_dialects(|engine| {
        accepted(engine, &line);
        assert_eq!(engine.query("gameover"), "true");
        assert_eq!(engine.query("result"), "draw");
        searched(engine, "go depth 4");

        accepted(engine, "setoption name Rules value repeat=0 limit=0");
        accepted(engine, "setoption name UCI_Variant value custom");
        accepted(engine, &line);
        assert_eq!(engine.query("gameover"), "false");
        assert_eq!(engine.query("result"), "none");
        searched(engine, "go depth 4");
        accepted(engine, "moves a1-a2");
        assert_eq!(engine.query("p1turn"), "false");
        searched(engine, "go depth 4");
    });
}

/// The list a move longer each time, as managers send it.
#[test]
fn a_growing_list_of_moves() {
    in_both_dialects(|engine| {
        let mut line = format!("position fen {LONE_STONES} w 0 20 moves");
        for turn in "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(30).split_whitespace() {
            line.push(' ');
            line.push_str(turn);
            engine.send(&line);
        }
        assert!(engine.sync().is_empty());
        assert_eq!(engine.query("result"), "draw");
        searched(engine, "go nodes 100");
    });
}
