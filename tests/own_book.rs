//! The engine with an opening book of its own: `OwnBook`, `Book File` and `Best Book Move`.

mod support;

use std::collections::HashSet;

use serde_json::Value;
use support::command_line::stdout;
use support::{Engine, Search};
use tempfile::TempDir;

/// A book of three plies under these rules, with every move not far from the best.
struct Book {
    _folder: TempDir,
    path: String,
}

impl Book {
    fn new(rules: &str) -> Book {
        let folder = tempfile::tempdir().expect("a folder");
        // Spaces are part of a name.
        let path = folder.path().join("my own.book").display().to_string();
        let words = [
            "book",
            "build",
            "--out",
            &path,
            "--rules",
            rules,
            "--nodes",
            "200",
            "--plies",
            "3",
            "--hash",
            "1",
            "--margin",
            "3",
            "--reply-margin",
            "3",
            "--threads",
            "2",
        ];
        stdout(&words);
        Book {
            _folder: folder,
            path,
        }
    }

    /// All positions: the moves that lead there, and the moves that are known.
    fn positions(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let words = |value: &Value, key: Option<&str>| {
            let list = value.as_array().expect("a list").iter();
            list.map(|item| key.map_or(item, |key| &item[key]))
                .map(|word| word.as_str().expect("text").to_owned())
                .collect::<Vec<String>>()
        };
        stdout(&["book", "export", &self.path, "--json"])
            .lines()
            .map(|line| {
                let object: Value = serde_json::from_str(line).expect("JSON");
                (
                    words(&object["line"], None),
                    words(&object["moves"], Some("move")),
                )
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
fn moves_vary_from_game_to_game() {
    let book = Book::new("tsivy");
    let mut engine = book.engine();
    let mut moves = |best: bool| {
        engine.send(&format!("setoption name Best Book Move value {best}"));
        let answers = (0..40).map(|_| {
            engine.send("uginewgame");
            let (search, from_book) = is_from_book(&mut engine, "go nodes 100");
            assert!(from_book);
            search.best.turn
        });
        answers.collect::<HashSet<String>>()
    };
    assert_eq!(moves(true).len(), 1);
    // All weights are of one order, so forty times the same would be a wonder.
    assert!(moves(false).len() > 1);
    engine.finish();
}

#[test]
fn whoever_analyses_gets_a_search() {
    let book = Book::new("tsivy");
    let mut engine = book.engine();
    for go in [
        "go depth 2",
        "go movetime 5",
        "go nodes 50",
        "go p1time 50 p2time 50",
        "go depth x",
    ] {
        assert!(plays_from_book(&mut engine, go), "{go}");
    }
    for go in [
        "go depth 2 searchmoves d3-e3A",
        "go mate 1 depth 2",
        "go perft 2",
    ] {
        assert!(!plays_from_book(&mut engine, go), "{go}");
    }
    for go in ["go", "go infinite", "go ponder p1time 1000 p2time 1000"] {
        engine.send(go);
        // The book would have answered by now.
        let told = engine.sync();
        let answered = told.iter().any(|line| line.starts_with("bestmove"));
        assert!(!answered, "{go}: {told:?}");
        engine.send("stop");
        engine.read_search();
    }
    for (option, value, back) in [
        ("MultiPV", "2", "1"),
        ("UCI_AnalyseMode", "true", "false"),
        ("OwnBook", "false", "true"),
    ] {
        engine.send(&format!("setoption name {option} value {value}"));
        assert!(!plays_from_book(&mut engine, "go depth 2"), "{option}");
        engine.send(&format!("setoption name {option} value {back}"));
        assert!(plays_from_book(&mut engine, "go depth 2"), "{option}");
    }
    // Several at once, each with its answer.
    engine.send("go depth 1\ngo infinite\ngo depth 1\nstop");
    let books = [(); 3].map(|()| engine.read_search().last().and_then(|last| last.nodes));
    assert_eq!((books[0], books[2]), (Some(0), Some(0)));
    engine.send("setoption name Book File value <empty>");
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.finish();
}

#[test]
fn the_book_is_off_unless_wanted_and_options_come_in_any_order() {
    let book = Book::new("dimy");
    let mut engine = Engine::ugi();
    book.open(&mut engine);
    engine.send("setoption name UCI_Variant value dimy");
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.send("setoption name OwnBook value true");
    assert!(plays_from_book(&mut engine, "go depth 2"));
    engine.finish();
    // Without a file the option does nothing.
    let mut engine = Engine::ugi();
    assert_eq!(engine.ask("setoption name OwnBook value true"), [""; 0]);
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.finish();
}

#[test]
fn a_book_for_other_rules_is_not_used() {
    let book = Book::new("dimy");
    let mut engine = book.engine();
    let note = "info string the book is for other rules (dimy), so it is not used";
    let (search, from_book) = is_from_book(&mut engine, "go depth 2");
    assert_eq!((search.count(note), from_book), (1, false));
    // It is said once.
    engine.send("uginewgame");
    let (search, from_book) = is_from_book(&mut engine, "go depth 2");
    assert_eq!((search.count(note), from_book), (0, false));
    engine.send("setoption name UCI_Variant value dimy");
    assert!(plays_from_book(&mut engine, "go depth 2"));
    // Other endings are other rules, too.
    engine.send("setoption name Rules value board=5x5 limit=40");
    engine.send("setoption name UCI_Variant value custom");
    let (search, from_book) = is_from_book(&mut engine, "go depth 2");
    assert_eq!((search.count(note), from_book), (1, false));
    engine.finish();
}

#[test]
fn a_game_that_has_left_the_book_is_searched() {
    let book = Book::new("tsivy");
    let mut engine = book.engine();
    engine.send("position fen 9/bbb2b3/4w4/1w7/w1w4w1 w 0 30");
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    // A position of the book whose counter is near the limit.
    engine.send("position fen bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 60 60");
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.send("position startpos");
    assert!(plays_from_book(&mut engine, "go depth 2"));
    // From a longest line on, the book knows nothing more.
    let positions = book.positions();
    let (line, moves) = positions.last().expect("a position");
    engine.send(&format!(
        "position startpos moves {} {}",
        line.join(" "),
        moves[0]
    ));
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.finish();
}

#[test]
fn a_wrong_file_leaves_the_old_book() {
    let book = Book::new("tsivy");
    let mut engine = book.engine();
    let folder = tempfile::tempdir().expect("a folder");
    let damaged = folder.path().join("damaged.book");
    let mut bytes = std::fs::read(&book.path).expect("the book is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).expect("there is room");
    for (path, what) in [
        (
            damaged.display().to_string(),
            "damaged.book: damaged: the checksum is wrong",
        ),
        (folder.path().display().to_string(), "not a regular file"),
        ("/dev/zero".to_owned(), "cannot read /dev/zero: "),
        ("/no/such.book".to_owned(), "cannot read /no/such.book"),
    ] {
        let told = engine.ask(&format!("setoption name Book File value {path}"));
        assert!(
            matches!(&told[..], [line] if line.starts_with("info string error option Book File: ") && line.contains(what)),
            "{told:?}"
        );
        assert!(plays_from_book(&mut engine, "go depth 2"), "{what}");
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
