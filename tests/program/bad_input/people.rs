//! The commands for people and scripts, right and wrong.

use std::time::Duration;

use super::{
    A_MOMENT, FIRST_MOVES, accepted, in_both_dialects, read_checked, searched, works_as_usual,
};
use crate::support::{Engine, Info, WAIT, answers::looks_like_move};

/// Checks the lines of a perft from the start position: one for each first move
/// with its count, then the sum.
fn check_divide(engine: &mut Engine, lines: &[String], total: u64) {
    let counts: Vec<(&str, u64)> = lines
        .iter()
        .filter_map(|line| {
            let (turn, count) = line.split_once(' ')?;
            let turn = turn.trim_end_matches(':');
            Some((turn, count.trim().parse().ok()?))
        })
        .filter(|(turn, _)| looks_like_move(turn))
        .collect();
    let mut turns: Vec<&str> = counts.iter().map(|(turn, _)| *turn).collect();
    turns.sort_unstable();
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    let said = format!("Nodes searched: {total}");
    let last = lines.iter().rfind(|line| !line.is_empty());
    if turns != FIRST_MOVES || sum != total || last != Some(&said) {
        engine.fail(&format!("not the divide of {total}: {lines:?}"));
    }
}

#[test]
fn perft_prints_the_divide_and_the_sum() {
    in_both_dialects(|engine| {
        for (depth, total) in [(1, 5), (2, 39), (3, 724), (4, 18_026)] {
            let lines = engine.ask(&format!("perft {depth}"));
            check_divide(engine, &lines, total);
        }
    });
}

/// `go perft` is a `go`: it ends with a `bestmove` like any other.
#[test]
fn go_perft_is_answered_like_every_go() {
    in_both_dialects(|engine| {
        for (depth, total) in [(1, 5), (3, 724)] {
            let search = searched(engine, &format!("go perft {depth}"));
            assert_eq!(search.scored.len(), 1, "{:?}", search.lines);
            let end = search.lines.len() - 2;
            check_divide(engine, &search.lines[..end], total);
        }
        for wrong in ["abc", "-1", ""] {
            searched(engine, &format!("go perft {wrong}"));
        }
        works_as_usual(engine);
    });
}

#[test]
fn perft_of_a_finished_game() {
    in_both_dialects(|engine| {
        accepted(engine, "position fen 9/9/9/9/w8 b 0 40");
        let lines = engine.ask("perft 3");
        assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 0"));
        let search = searched(engine, "go perft 3");
        assert_eq!(search.best.turn, "0000");
    });
}

#[test]
fn d_shows_the_position() {
    in_both_dialects(|engine| {
        let fen = "9/1b2b2b1/9/1w2w2w1/9 b 7 20";
        accepted(engine, &format!("position fen {fen}"));
        let lines = engine.ask("d");
        assert!(lines.iter().any(|line| line.contains(fen)), "{lines:?}");
        for command in ["eval", "help", "legal"] {
            let lines = engine.ask(command);
            assert!(!lines.is_empty(), "`{command}` says nothing");
        }
    });
}

/// The commands for people in positions without moves or stones.
#[test]
fn questions_about_a_finished_game() {
    in_both_dialects(|engine| {
        for fen in [
            "9/9/9/9/w8 b 0 40",
            "9/9/9/ww7/bw7 b 0 40",
            "8b/9/9/9/w8 w 100 90",
        ] {
            accepted(engine, &format!("position fen {fen}"));
            for command in ["d", "eval", "legal", "perft 1", "query p1turn"] {
                engine.ask(command);
            }
        }
        works_as_usual(engine);
    });
}

#[test]
fn debug_is_accepted() {
    in_both_dialects(|engine| {
        engine.ask("debug on");
        searched(engine, "go depth 2");
        accepted(engine, "debug off");
        works_as_usual(engine);
    });
}

/// The rest of the script comes after the search.
#[test]
fn wait_holds_back_later_commands() {
    in_both_dialects(|engine| {
        accepted(engine, "wait");
        engine.send("position startpos");
        let legal = engine.legal();
        engine.send("go movetime 200\nwait\nposition startpos moves d3-e3A\nquery p1turn");
        let search = read_checked(engine, &legal);
        assert!(!search.lines.iter().any(|line| line.starts_with("response")));
        engine.expect("response false");
    });
}

#[test]
fn wait_does_not_hold_back_what_ends_it() {
    in_both_dialects(|engine| {
        let legal = engine.legal();
        engine.send("go movetime 60000\nwait\nquery gameover");
        let mut lines = engine.sync();
        lines.extend(engine.expect_no_bestmove(A_MOMENT));
        assert!(!lines.iter().any(|line| line.starts_with("response")));
        engine.send("stop");
        read_checked(engine, &legal);
        engine.expect("response false");

        // A search with a limit after `ponderhit` ends.
        engine.send("go ponder movetime 60000\nponderhit\nwait\nquery gameover");
        let lines = engine.expect_no_bestmove(A_MOMENT);
        assert!(!lines.iter().any(|line| line.starts_with("response")));
        engine.send("stop");
        read_checked(engine, &legal);
        engine.expect("response false");
    });
}

/// A script would never go on.
#[test]
fn wait_for_a_search_without_end_is_refused() {
    in_both_dialects(|engine| {
        let legal = engine.legal();
        for go in ["go", "go infinite", "go ponder", "go ponder depth 2"] {
            engine.send(&format!("{go}\nwait\nquery gameover"));
            let lines = engine.expect_line(WAIT, "response", |line| line == "response false");
            let errors = lines
                .iter()
                .filter(|line| line.starts_with("info string error"));
            assert_eq!(errors.count(), 1, "{lines:?}");
            engine.send("stop");
            read_checked(engine, &legal);
        }
    });
}

/// Long searches say what they are at; nothing else is printed in between that
/// is not an `info` line.
#[test]
fn a_search_prints_nothing_but_info() {
    in_both_dialects(|engine| {
        engine.send("position startpos\ngo infinite");
        let mut lines = engine.expect_line(WAIT, "a score", |line| line.contains(" score "));
        lines.extend(engine.listen(Duration::from_secs(1)));
        for line in &lines {
            assert!(line.starts_with("info "), "`{line}` during a search");
            Info::parse(line).expect("a well-formed info line");
        }
        engine.send("stop");
        engine.read_search();
    });
}
