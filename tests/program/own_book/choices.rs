//! When the book answers, and with which of its moves.

use std::collections::HashSet;

use super::{Book, is_from_book, plays_from_book};
use crate::support::Engine;

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

/// A match can be repeated.
#[test]
fn a_seed_repeats_the_choices() {
    let book = Book::new("tsivy");
    let [mut engine, mut other] = [(); 2].map(|()| {
        let mut engine = book.engine();
        engine.send("setoption name Best Book Move value false");
        engine
    });
    let choices = |engine: &mut Engine, seed: u32| {
        engine.send(&format!("setoption name Skill Seed value {seed}"));
        let answers = (0..3).map(|_| {
            engine.send("uginewgame");
            let (first, _) = is_from_book(engine, "go nodes 100");
            let first = first.best.turn;
            engine.send(&format!("position startpos moves {first}"));
            let (second, _) = is_from_book(engine, "go nodes 100");
            [first, second.best.turn]
        });
        answers.collect::<HashSet<_>>()
    };
    let mut all = HashSet::new();
    for seed in 1..20 {
        let chosen = choices(&mut engine, seed);
        assert_eq!(chosen.len(), 1, "{chosen:?}");
        assert_eq!(choices(&mut other, seed), chosen);
        all.extend(chosen);
    }
    assert!(all.len() > 1);
    engine.finish();
    other.finish();
}

#[test]
fn a_book_for_one_side_is_for_no_other() {
    let book = Book::with("dimy", "--plies 3 --margin 3 --reply-margin 3 --side black");
    let mut engine = book.engine();
    engine.send("setoption name UCI_Variant value dimy");
    let mut from_book = [0, 0];
    for (line, _) in book.positions() {
        engine.send(&format!("position startpos moves {}", line.join(" ")));
        let is_black = line.len() % 2 == 1;
        assert_eq!(
            plays_from_book(&mut engine, "go depth 2"),
            is_black,
            "{line:?}"
        );
        from_book[usize::from(is_black)] += 1;
    }
    assert!(from_book[0] > 0 && from_book[1] > 0, "{from_book:?}");
    engine.finish();
}

/// What the built-in tables know needs no book, unless they are off, or are not for a weak player.
#[test]
fn positions_of_the_tables_are_left_to_them() {
    let book = Book::with("board=3x5", "--plies 20 --margin 10 --reply-margin 10");
    let mut engine = book.engine();
    engine.send("setoption name Rules value board=3x5");
    engine.send("setoption name UCI_Variant value custom");
    let mut few = 0;
    for (line, moves) in book.positions() {
        let stones = |engine: &mut Engine| {
            let shown = engine.ask("d");
            let fen = shown.iter().find_map(|line| line.strip_prefix("FEN: "));
            let fen = fen.expect("a FEN").to_owned();
            let board = fen.split(' ').next().expect("stones");
            board.matches(['w', 'b']).count()
        };
        engine.send("setoption name TablebaseProbeLimit value 16");
        engine.send(&format!("position startpos moves {}", line.join(" ")));
        let is_few = stones(&mut engine) <= 4;
        few += usize::from(is_few);
        let search = engine.search("go depth 2");
        let is_hit = |line: &String| line.contains(" score ") && !line.contains(" tbhits 0 ");
        let by_tables = search.lines.iter().any(is_hit);
        let by_book = search.last().expect("a line").nodes == Some(0) && !by_tables;
        assert_eq!(
            (by_book, by_tables && is_few),
            (!is_few, is_few),
            "{line:?}: {:?}",
            search.lines
        );
        engine.send("setoption name Skill Level value 0");
        assert!(is_from_book(&mut engine, "go depth 2").1, "{line:?}");
        engine.send("setoption name Skill Level value 20");
        engine.send("setoption name TablebaseProbeLimit value 0");
        let (search, from_book) = is_from_book(&mut engine, "go depth 2");
        assert!(from_book, "{line:?}");
        assert_eq!(search.best.turn, moves[0]);
    }
    assert!(few > 0);
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
