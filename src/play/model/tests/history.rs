//! Turns taken back and played again; games in records.

use std::path::PathBuf;

use super::{Sitting, settings};
use crate::play::{Effect, Input, Person};
use crate::rules::parse_rules;

#[test]
fn the_engine_answers_and_both_turns_are_taken_back() {
    let mut sitting = Sitting::new(settings("tsivy", Person::White));
    assert!(sitting.wanted().is_none());
    assert_eq!(
        sitting.bad(Input::TakeBack),
        "there is nothing to take back"
    );
    sitting.turn("f2-e3A");
    assert!(sitting.model.thinking().expect("a search").is_for_move());
    assert_eq!(sitting.cannot_choose("a1"), "it is Black's turn");
    assert!(sitting.bad(Input::Hint).contains("Black's turn"));
    assert!(
        sitting
            .bad(Input::Resign)
            .contains("only the player to move")
    );
    sitting.settle();
    let turns = sitting.turns();
    assert_eq!(turns.len(), 2);
    let comment = sitting.model.turns()[1].comment.clone();
    assert!(comment.expect("a score").ends_with('s'));

    let start = parse_rules("tsivy").expect("rules").start();
    sitting.good(Input::TakeBack);
    assert_eq!(sitting.model.game().position(), &start);
    sitting.good(Input::Redo);
    assert_eq!(sitting.turns(), turns);
    assert_eq!(sitting.bad(Input::Redo), "nothing was taken back");
    // Another move makes another future.
    sitting.good(Input::TakeBack);
    sitting.turn("d3-e3A");
    assert!(sitting.bad(Input::Redo).contains("nothing"));
}

#[test]
fn a_person_with_black_waits_for_the_first_move() {
    let mut sitting = Sitting::new(settings("telo", Person::Black));
    assert!(sitting.model.thinking().is_some());
    sitting.settle();
    assert_eq!(sitting.turns().len(), 1);
    assert!(
        sitting
            .bad(Input::TakeBack)
            .contains("nothing to take back")
    );
}

#[test]
fn a_resignation_can_be_taken_back() {
    let mut sitting = Sitting::new(settings("tsivy", Person::Both));
    sitting.turn("f2-e3A");
    sitting.good(Input::Resign);
    let ending = sitting.model.ending().expect("the end");
    assert_eq!(ending.to_string(), "White wins: Black has resigned");
    let record = sitting.model.record().expect("a record");
    assert_eq!(record.check(), []);
    assert_eq!(record.tag_value("Result"), Some("1-0"));
    sitting.good(Input::TakeBack);
    assert!(sitting.model.ending().is_none());
    assert_eq!(sitting.turns(), ["f2-e3A"]);
}

#[test]
fn games_go_to_records_and_come_back() {
    let mut sitting = Sitting::new(settings("dimy", Person::White));
    sitting.turn("b3-c3A");
    sitting.settle();
    let path = PathBuf::from("game.pgn");
    sitting.good(Input::Save {
        path: path.clone(),
        replace: false,
    });
    let Some(Effect::Save { mut record, .. }) = sitting.effects.pop_front() else {
        panic!("there is something to write");
    };
    assert!(sitting.model.is_unsaved());
    sitting.good(Input::Saved(path.clone()));
    assert!(!sitting.model.is_unsaved());
    assert_eq!(record.check(), []);
    assert_eq!(record.tag_value("WhiteType"), Some("human"));
    record.set_tag("White", "Rabe").expect("a tag");

    let mut other = Sitting::new(settings("tsivy", Person::Both));
    other.turn("f2-e3A");
    let opened = |record| Input::Opened {
        path: path.clone(),
        record,
        games: 1,
    };
    other.good(opened(record.clone()));
    assert_eq!(
        (other.turns(), other.fen()),
        (sitting.turns(), sitting.fen())
    );
    assert!(!other.model.is_unsaved());
    let again = other.model.record().expect("a record");
    assert_eq!(again.tag_value("White"), Some("Rabe"));
    assert_eq!(again.moves(), record.moves());

    // A record that does not replay changes nothing.
    let (turns, fen) = (other.turns(), other.fen());
    record.push_move("a1-a5", None).expect("a move");
    let error = other.bad(opened(record));
    assert!(error.contains("game.pgn: move"), "{error}");
    assert_eq!((other.turns(), other.fen()), (turns, fen));
}
