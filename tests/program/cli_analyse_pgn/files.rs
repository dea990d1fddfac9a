//! Files that are read and written, and games among them that are not right.

use serde_json::Value;

use super::{ANALYSE, MISSED, SEVERAL, analyse, folder, objects};
use crate::support::command_line::{Run, vato};
use crate::support::transcript;

/// The second game has an illegal move, the third cannot be read.
const DAMAGED: &str = "[White \"A\"]

1. f2-e3A d5-d4A *

[White \"B\"]
[Black \"X\"]

1. f2-e3A d5-d4A
2. d3-e3 *

[White \"C\"]

1. f2-e3A } *

[White \"D\"]

1. d3-e3A *
";

/// An analysis of this text, from standard input.
fn with_input(text: &str) -> Run {
    let line = ANALYSE.replace("a.pgn", "-");
    Run::with_input(&mut vato(&line), text)
}

#[test]
fn damaged_games_are_told_and_the_others_are_analysed() {
    let folder = folder(DAMAGED);
    let run = folder.run(&format!("{ANALYSE} --json"));
    assert_eq!(run.code, Some(1));
    let numbers: Vec<Value> = objects(&run.out)
        .iter()
        .map(|object| object["game"].clone())
        .collect();
    assert_eq!(numbers, [1, 4]);
    assert_eq!(
        run.err,
        "a.pgn:9: game 2 (B – X): move 2, White: move 'd3-e3' is illegal: no stone of White's on d3\n\
         a.pgn:13: game 3 (C – ?): unexpected '}'\n\
         error: 2 of 4 game records are invalid\n"
    );
    // Those that are not wanted are not looked at.
    let good = analyse(&folder, "--json --games 1,4");
    assert_eq!(objects(&good).len(), 2);
}

#[test]
fn games_are_chosen_by_number_and_by_player() {
    let folder = folder(SEVERAL);
    for (chosen, wanted) in [("--games 2,4-", &[2, 4, 5][..]), ("--player c", &[3])] {
        let objects = objects(&analyse(&folder, &format!("--json {chosen}")));
        let numbers = objects.iter().filter_map(|object| object["game"].as_u64());
        assert_eq!(numbers.collect::<Vec<_>>(), wanted, "{chosen}");
    }
    let none = folder.stderr(&format!("{ANALYSE} --games 3 --player a"), 1);
    let wanted = "error: a.pgn: no game is selected by --games and --player\n";
    assert_eq!(none, wanted);
}

#[test]
fn standard_input_is_a_file_too() {
    let from_file = analyse(&folder(SEVERAL), "");
    assert_eq!(with_input(SEVERAL).success().out, from_file);
    let run = with_input("1. x *");
    let expected = "standard input:1: game 1 (? – ?): move 1, White: ";
    assert!(run.err.starts_with(expected), "{run:?}");
    assert_eq!(run.code, Some(1));
    // Nothing is no error, but it is said.
    assert_eq!(with_input("").stderr(0), "standard input: no games\n");
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let folder = folder(MISSED);
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    transcript::check(&folder, "analyse_pgn_refused");
    // Nothing is written where nothing can be read, and no file is overwritten, the input least of all.
    assert_eq!(folder.read("a.pgn"), MISSED);
    assert!(!folder.exists("b.pgn"));
    // A try that has failed is no hindrance to the next one.
    analyse(&folder, "--pgn-out b.pgn");
    assert!(folder.read("b.pgn").contains("Annotator"));
}
