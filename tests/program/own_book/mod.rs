//! The engine with an opening book of its own: `OwnBook`, `Book File` and `Best Book Move`.

pub mod proofs;

use std::collections::HashSet;

use crate::support::command_line::Folder;
use crate::support::{Engine, Search};

/// The start of the standard game, and a position after each of two first moves.
const BOOK: &str = "\
# A few moves.
startpos ; d3-e3A 2, f2-e3A 3, e2-e3A 0
bb1bbbbbb/bbb1bbbbb/bwbwwbwbw/wwwww1www/wwwwwwwww b ; f3-f2A, d5-d4A
bbbbbbbbb/bbbbbbbbb/bwb1w1wbw/wwwwwwwww/wwwwwwwww b ; c3-d3W
9/9/9/6b2/w2b3w1 w ; a1-a2
";

/// An engine that plays from this text; spaces are part of the name of a file.
fn engine(folder: &Folder, text: &str) -> Engine {
    folder.write("my own.book", text);
    let mut engine = Engine::ugi();
    engine.send("setoption name OwnBook value true");
    let path = folder.name("my own.book");
    let told = engine.ask(&format!("setoption name Book File value {path}"));
    assert!(
        matches!(&told[..], [line] if line.starts_with("info string book of ")),
        "{told:?}"
    );
    engine
}

/// Searches, and says whether the answer came from the book.
fn is_from_book(engine: &mut Engine, go: &str) -> (Search, bool) {
    let search = engine.search(go);
    search.check().expect("a good answer");
    let from_book = search.last().expect("a scored line").nodes == Some(0)
        && search.lines.iter().any(|line| line.contains(" tbhits 0 "));
    assert!(!from_book || search.scored.len() == 1, "{:?}", search.lines);
    (search, from_book)
}

fn plays_from_book(engine: &mut Engine, go: &str) -> bool {
    is_from_book(engine, go).1
}

#[test]
fn moves_are_drawn_by_their_weights() {
    let folder = Folder::new();
    let [mut engine, mut other] = [(); 2].map(|()| self::engine(&folder, BOOK));
    let drawn = |engine: &mut Engine, option: &str| {
        engine.send(&format!("setoption name {option}"));
        let answers = (0..40).map(|_| {
            engine.send("uginewgame");
            let (search, from_book) = is_from_book(engine, "go nodes 100");
            assert!(from_book);
            search.best.turn
        });
        answers.collect::<HashSet<String>>()
    };
    // Forty times the same would be a wonder.
    let both = HashSet::from(["d3-e3A", "f2-e3A"].map(str::to_owned));
    assert_eq!(drawn(&mut engine, "Best Book Move value false"), both);
    // A match can be repeated.
    let mut all = HashSet::new();
    for seed in 1..20 {
        let option = format!("Skill Seed value {seed}");
        let chosen = drawn(&mut engine, &option);
        assert_eq!(chosen.len(), 1, "{chosen:?}");
        assert_eq!(drawn(&mut other, &option), chosen);
        all.extend(chosen);
    }
    assert_eq!(all, both);
    let best = drawn(&mut engine, "Best Book Move value true");
    assert_eq!(best, HashSet::from(["f2-e3A".to_owned()]));
    // The line goes on in the book; a score it has not.
    let search = engine.search("go p1time 1000 p2time 1000");
    let line = &search.lines[0];
    assert!(line.contains(" score cp 0 nodes 0 "), "{line}");
    assert!(line.ends_with(" pv f2-e3A f3-f2A"), "{line}");
    engine.send("position startpos moves d3-e3A");
    assert_eq!(engine.search("go depth 1").best.turn, "c3-d3W");
    // The same from left to right.
    engine.send("position fen bbbbbbbbb/bbbbbbbbb/wbw1w1bwb/wwwwwwwww/wwwwwwwww b");
    assert_eq!(engine.search("go depth 1").best.turn, "g3-f3W");
    // Other moves than those of the book lead out of it, and perhaps back.
    engine.send("position startpos moves e2-e3A");
    assert!(!plays_from_book(&mut engine, "go depth 1"));
    engine.finish();
    other.finish();
}

#[test]
fn whoever_analyses_gets_a_search() {
    let folder = Folder::new();
    let mut engine = engine(&folder, BOOK);
    for (go, from_book) in [
        ("go depth 2", true),
        ("go movetime 5", true),
        ("go p1time 50 p2time 50", true),
        ("go depth x", true),
        ("go depth 2 searchmoves d3-e3A", false),
        ("go mate 1 depth 2", false),
    ] {
        assert_eq!(plays_from_book(&mut engine, go), from_book, "{go}");
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
    // What the built-in tables know needs no book, unless they are off, or are not for a weak player.
    engine.send("position fen 9/9/9/6b2/w2b3w1 w");
    for (option, from_book) in [
        ("Hash value 1", false),
        ("Skill Level value 0", true),
        ("Skill Level value 20", false),
        ("TablebaseProbeLimit value 0", true),
    ] {
        engine.send(&format!("setoption name {option}"));
        assert_eq!(
            plays_from_book(&mut engine, "go depth 2"),
            from_book,
            "{option}"
        );
    }
    engine.finish();
}

#[test]
fn a_book_for_other_rules_is_not_used_and_a_wrong_file_leaves_the_old_one() {
    let folder = Folder::new();
    let mut engine = engine(&folder, "rules dimy\nstartpos ; b2-c3A");
    let note = "info string the book is for other rules (dimy), so it is not used";
    // It is said once.
    for count in [1, 0] {
        let (search, from_book) = is_from_book(&mut engine, "go depth 2");
        assert_eq!((search.count(note), from_book), (count, false));
        engine.send("uginewgame");
    }
    engine.send("setoption name UCI_Variant value dimy");
    assert!(plays_from_book(&mut engine, "go depth 2"));
    folder.write("wrong.book", "rules dimy\nstartpos ; b2-c3W");
    for (path, what) in [
        (
            folder.name("wrong.book"),
            "wrong.book: line 2: move 'b2-c3W' is illegal",
        ),
        (folder.name(""), "is a directory"),
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
    engine.send("setoption name Book File value <empty>");
    assert!(!plays_from_book(&mut engine, "go depth 2"));
    engine.finish();
}
