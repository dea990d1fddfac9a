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

#[test]
fn every_problem_is_a_line() {
    let folder = Folder::new();
    folder.write("good.pgn", GOOD);
    folder.write("bad.pgn", format!("{GOOD}\n{BAD}"));
    folder.write("none.pgn", "");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    transcript::check(&folder, "pgn_problems");

    let out = Run::with_input(&mut vato("pgn check -"), "f2-e3A 0-1").out;
    assert!(
        out.starts_with("standard input:1: game 1 (? – ?): "),
        "{out}"
    );
}
