//! `vato pgn`, seen from outside: the built program, its output and its exit codes.

use crate::support::command_line::{Folder, Run, vato};
use crate::support::transcript;

/// Two games that are right: one that the rules ended, one that an arbiter ended.
const GOOD: &str = "[Event \"Friday\"]
[White \"Rabe\"]
[Black \"Ranaivo\"]
[Result \"1-0\"]
[FEN \"9/9/3w2b2/9/9 b 0 31\"]
[SetUp \"1\"]

31... g3-f3 32. d3-e3A 1-0

[Event \"Friday\"]
[Variant \"dimy\"]
[Termination \"time forfeit\"]

1. b3-c3A {+0.35/12 0.84s} 0-1
";

/// A game with an illegal move, one that cannot be read, and one with a wrong result.
const BAD: &str = "[White \"Rabe\"]
[Black \"Ranaivo\"]

1. f2-e3A d5-d4A
2. d3-e3 x 1-0

[White \"Soa\"]

1. f2-e3A } 1-0

1. f2-e3A 1-0
";

/// Checks this text at standard input.
fn check_input(text: &str) -> Run {
    Run::with_input(&mut vato("pgn check -"), text)
}

#[test]
fn good_games_are_right() {
    let right = "2 games, 2 right, 0 wrong\n";
    assert_eq!(check_input(GOOD).stdout(), right);
    let folder = Folder::new();
    folder.write("good.pgn", GOOD);
    assert_eq!(folder.stdout("pgn check good.pgn"), right);
    let none = check_input("").stdout();
    assert_eq!(none, "0 games, 0 right, 0 wrong\n");
}

#[test]
fn every_problem_is_a_line() {
    let folder = Folder::new();
    folder.write("bad.pgn", format!("{GOOD}\n{BAD}"));
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    transcript::check(&folder, "pgn_problems");

    let out = check_input("f2-e3A 0-1").out;
    assert!(
        out.starts_with("standard input:1: game 1 (? – ?): "),
        "{out}"
    );
    assert!(out.ends_with("1 game, 0 right, 1 wrong\n"));
}
