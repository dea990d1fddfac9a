//! Books that are off, for other rules, or not to be read.

use super::{Book, is_from_book, plays_from_book};
use crate::support::Engine;

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
            "damaged.book: damaged: CRC-32 mismatch",
        ),
        (folder.path().display().to_string(), "is a directory"),
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
    // A name that could be a list is one all the same.
    if cfg!(unix) {
        let odd = folder.path().join("a:b.book");
        std::fs::copy(&book.path, &odd).expect("there is room");
        let told = engine.ask(&format!("setoption name Book File value {}", odd.display()));
        assert!(told[0].starts_with("info string book of "), "{told:?}");
    }
    engine.finish();
}
