//! `vato analyse --pgn`, seen from outside: whole games, annotated.

mod files;
mod outputs;
mod stopping;

use serde_json::Value;
use vato_records::pgn::{GameRecord, PgnReader};

use crate::support::command_line::{self, Folder};

/// White wins with i1-h2 and a1-b2; a1-b1 draws.
const MISSED: &str = "[White \"Rabe\"]
[Black \"Soa\"]
[Annotator \"Ranaivo\"]
[FEN \"9/3b5/9/9/w7w w 0 40\"]

{An ending} 40. i1-h2 d4-d3 {keeps off} 41. a1-b1 !? $10 $2 {a
thought} (41. a1-b2 {wins}) 41... d3-c3 $14 *
";

/// An opening, a game on a small board, a finished one, a draw by repetition, one without a move.
const SEVERAL: &str = "[White \"A\"]

1. f2-e3A d5-d4A 2. e1-d2A *

[White \"B\"]
[Variant \"dimy\"]

1. b3-c3A d4-d3A 2. c3-d4A *

[White \"C\"]
[FEN \"9/9/3w2b2/9/9 b 0 31\"]

31... g3-f3 32. d3-e3A 1-0

[White \"D\"]
[Rules \"repeat=2\"]
[FEN \"8b/9/9/9/w8 w 0 20\"]

20. a1-a2 i5-i4 21. a2-a1 i4-i5 1/2-1/2

[White \"E\"]
[Rules \"board=3x3 chain=single tie=count\"]

*
";

/// A folder with these games in `a.pgn`.
fn folder(games: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.pgn", games);
    folder
}

/// An analysis of `a.pgn` that is the same every time.
const ANALYSE: &str = "analyse --pgn a.pgn --nodes 300 --hash 1";

/// What it puts out.
fn analyse(folder: &Folder, extra: &str) -> String {
    folder.stdout(&format!("{ANALYSE} {extra}"))
}

fn games(text: &str) -> Vec<GameRecord> {
    PgnReader::new(text.as_bytes())
        .collect::<Result<_, _>>()
        .expect("games that can be read")
}

/// The objects of all games.
fn objects(text: &str) -> Vec<Value> {
    let mut objects = command_line::objects(text);
    let last = objects.pop().expect("a summary");
    assert!(last["summary"].is_object(), "{last}");
    objects
}

/// What stands in the last line of JSON.
fn summary(text: &str) -> Value {
    let last = command_line::objects(text).pop();
    last.expect("a last line")["summary"].take()
}

/// The moves of all games as they are written.
fn moves(games: &[GameRecord]) -> Vec<Vec<&str>> {
    games
        .iter()
        .map(|game| game.moves().iter().map(|mv| mv.text()).collect())
        .collect()
}
