//! The engine with an opening book of its own: `OwnBook`, `Book File` and `Best Book Move`.

mod choices;
mod options;
pub mod proofs;
use crate::support::command_line::{Folder, objects};
use crate::support::{Engine, Search};
use serde_json::Value;

/// A book of three plies under these rules, with every move not far from the best.
struct Book {
    folder: Folder,
    path: String,
}

impl Book {
    fn new(rules: &str) -> Book {
        Book::with(rules, "--plies 3 --margin 3 --reply-margin 3")
    }

    /// A book with more arguments.
    fn with(rules: &str, more: &str) -> Book {
        let folder = Folder::new();
        // Spaces are part of a name.
        let name = "my own.book";
        folder.stdout(&format!(
            "book build --out '{name}' --rules {rules} --nodes 200 --hash 1 --threads 2 {more}"
        ));
        let path = folder.name(name);
        Book { folder, path }
    }

    /// All positions: the moves that lead there, and the moves that are known.
    fn positions(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let words = |value: &Value, key: Option<&str>| {
            let list = value.as_array().expect("a list").iter();
            list.map(|item| key.map_or(item, |key| &item[key]))
                .map(|word| word.as_str().expect("text").to_owned())
                .collect::<Vec<String>>()
        };
        let known = self.folder.stdout("book export 'my own.book' --json");
        let known = objects(&known).into_iter();
        known
            .map(|object| {
                let moves = words(&object["moves"], Some("move"));
                (words(&object["line"], None), moves)
            })
            .collect()
    }

    /// An engine that plays the best moves of this book.
    fn engine(&self) -> Engine {
        let mut engine = Engine::ugi();
        engine.send("setoption name Best Book Move value true");
        engine.send("setoption name OwnBook value true");
        self.open(&mut engine);
        engine
    }

    fn open(&self, engine: &mut Engine) {
        let told = engine.ask(&format!("setoption name Book File value {}", self.path));
        assert!(
            matches!(&told[..], [line] if line.starts_with("info string book of ")),
            "{told:?}"
        );
    }
}

/// Searches, and says whether the answer came from the book.
fn is_from_book(engine: &mut Engine, go: &str) -> (Search, bool) {
    let search = engine.search(go);
    search.check().expect("a good answer");
    let last = search.last().expect("a scored line");
    let from_book = last.nodes == Some(0);
    assert!(!from_book || search.scored.len() == 1, "{:?}", search.lines);
    (search, from_book)
}

fn plays_from_book(engine: &mut Engine, go: &str) -> bool {
    is_from_book(engine, go).1
}

#[test]
fn every_position_of_the_book_is_answered_by_its_best_move() {
    for rules in ["tsivy", "riatra", "dimy"] {
        let book = Book::new(rules);
        let mut engine = book.engine();
        engine.send(&format!("setoption name UCI_Variant value {rules}"));
        let positions = book.positions();
        assert!(positions.len() > 5, "{rules}");
        for (line, moves) in positions {
            engine.send(&format!("position startpos moves {}", line.join(" ")));
            let (search, from_book) = is_from_book(&mut engine, "go p1time 1000 p2time 1000");
            assert!(from_book, "{rules}, {line:?}: {:?}", search.lines);
            assert_eq!(search.best.turn, moves[0], "{rules}, {line:?}");
        }
        engine.finish();
    }
}

/// A turn of the standard board with left and right, or top and bottom, in each other's places.
fn mirrored(turn: &str, files: bool) -> String {
    turn.chars()
        .map(|character| match character {
            'a'..='i' if files => char::from(b'a' + b'i' - character as u8),
            '1'..='5' if !files => char::from(b'1' + b'5' - character as u8),
            other => other,
        })
        .collect()
}

#[test]
fn mirror_images_are_answered_by_mirrored_moves() {
    let book = Book::new("tsivy");
    let mut engine = book.engine();
    for (fen, files) in [
        (
            "bbbbbbbbb/bbbbbbbbb/wbwb1wbwb/wwwwwwwww/wwwwwwwww w 0 1",
            true,
        ),
        (
            "wwwwwwwww/wwwwwwwww/bwbw1bwbw/bbbbbbbbb/bbbbbbbbb w 0 1",
            false,
        ),
    ] {
        for (line, moves) in book.positions() {
            let line: Vec<String> = line.iter().map(|turn| mirrored(turn, files)).collect();
            engine.send(&format!("position fen {fen} moves {}", line.join(" ")));
            let (search, from_book) = is_from_book(&mut engine, "go depth 3");
            assert!(from_book, "{line:?}: {:?}", search.lines);
            // A turn has more than one path at times: what counts is where it begins and ends.
            let ends = |turn: &str| {
                let points: Vec<&str> = turn.split('-').map(|step| &step[..2]).collect();
                (points[0].to_owned(), points[points.len() - 1].to_owned())
            };
            assert_eq!(
                ends(&search.best.turn),
                ends(&mirrored(&moves[0], files)),
                "{line:?}"
            );
        }
    }
    engine.finish();
}

#[test]
fn the_expected_reply_is_the_books() {
    let book = Book::new("tsivy");
    let mut engine = Engine::uci();
    for option in ["OwnBook", "Best Book Move", "Ponder"] {
        engine.send(&format!("setoption name {option} value true"));
    }
    book.open(&mut engine);
    let positions = book.positions();
    let search = engine.search("go wtime 1000 btime 1000");
    let best = search.best;
    assert_eq!(best.turn, positions[0].1[0]);
    let next = positions
        .iter()
        .find(|(line, _)| *line == [best.turn.clone()]);
    let expected = next.map(|(_, moves)| moves[0].clone());
    assert!(
        expected.is_some() && best.ponder == expected,
        "{best:?}, {expected:?}"
    );
    engine.finish();
}
