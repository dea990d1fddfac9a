//! Taking back and replaying turns; games read from records.

use std::path::PathBuf;
use std::time::Duration;

use super::{Sitting, settings};
use crate::notation::pgn::{GameRecord, PgnReader, RecordResult};
use crate::play::{Effect, FoundGame, Input, PlaySettings, Player, Purpose};
use vato_engine::notation::format_path;
use vato_engine::rules::parse_rules;

#[test]
fn the_engine_answers_and_both_turns_are_taken_back() {
    let mut sitting = Sitting::new(settings("tsivy", Player::White));
    assert!(sitting.wanted().is_none());
    assert_eq!(
        sitting.bad(Input::TakeBack),
        "there is nothing to take back"
    );
    sitting.turn("f2-e3A");
    let purpose = sitting.model.thinking.as_ref().expect("a search").purpose;
    assert_eq!(purpose, Purpose::Move);
    let early = Input::Turn("a1-a2".to_owned());
    assert_eq!(sitting.bad(early), "it is Black's turn");
    assert!(sitting.bad(Input::Hint).contains("Black's turn"));
    assert!(
        sitting
            .bad(Input::Resign)
            .contains("only the player to move")
    );
    sitting.settle();
    let turns = sitting.turns();
    assert_eq!(turns.len(), 2);
    let comment = sitting.model.turns[1].comment.clone();
    assert!(comment.expect("a score").ends_with('s'));

    let start = parse_rules("tsivy").expect("rules").start();
    sitting.good(Input::TakeBack);
    assert_eq!(sitting.model.game.position(), &start);
    sitting.good(Input::Redo);
    assert_eq!(sitting.turns(), turns);
    assert_eq!(sitting.bad(Input::Redo), "nothing was taken back");
    // A different move discards the turns to replay.
    sitting.good(Input::TakeBack);
    sitting.turn("d3-e3A");
    assert!(sitting.bad(Input::Redo).contains("nothing"));
}

#[test]
fn a_person_with_black_waits_for_the_first_move() {
    let mut sitting = Sitting::new(settings("telo", Player::Black));
    assert!(sitting.model.thinking.is_some());
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
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
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
fn nothing_is_played_again_after_an_end_that_was_declared() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    sitting.turn("f2-e3A");
    sitting.good(Input::TakeBack);
    sitting.good(Input::Resign);
    assert_eq!(
        sitting.bad(Input::Redo),
        "the game is over (Black wins: White has resigned)"
    );
    assert!(sitting.turns().is_empty());
    // Taking back the resignation removes it from the record.
    sitting.good(Input::TakeBack);
    sitting.good(Input::Redo);
    assert_eq!(sitting.turns(), ["f2-e3A"]);
}

#[test]
fn nothing_is_played_again_once_the_time_is_up() {
    let mut sitting = Sitting::new(PlaySettings {
        clock: Some("10".parse().expect("a time control")),
        ..settings("tsivy", Player::Both)
    });
    sitting.turn("f2-e3A");
    sitting.good(Input::TakeBack);
    sitting.good(Input::Elapsed(Duration::from_secs(11)));
    let error = sitting.bad(Input::Redo);
    assert_eq!(
        error,
        "the game is over (Black wins: White has no time left)"
    );
    assert!(sitting.turns().is_empty());
}

/// A game with every kind of annotation found in records.
const ANNOTATED: &str = r#"[Event "Friday"]
[Site "?"]
[Date "????.??.??"]
[Round "1"]
[White "Rabe"]
[Black "Ranaivo"]
[Result "1-0"]
[Variant "tsivy"]
[Termination "abandoned"]
[Annotator "a friend"]

{at the market} 1. f2-e3A $1 {the usual} 1... d5-d4A $6 $14 {} {he left} 1-0

"#;

/// The only game of a file was read.
fn opened(path: impl Into<PathBuf>, record: GameRecord) -> Input {
    let path = path.into();
    let (number, games) = (1, 1);
    Input::Opened(Box::new(FoundGame {
        path,
        record,
        number,
        games,
    }))
}

fn read_annotated() -> (Sitting, GameRecord) {
    let mut games = PgnReader::new(ANNOTATED.as_bytes());
    let record = games.next().expect("a game").expect("it reads");
    let mut sitting = Sitting::new(settings("dimy", Player::Both));
    sitting.good(opened("game.pgn", record.clone()));
    (sitting, record)
}

#[test]
fn a_game_that_was_only_read_is_written_as_it_was() {
    let (mut sitting, record) = read_annotated();
    // A hint leaves the record unchanged.
    sitting.good(Input::Hint);
    sitting.settle();
    sitting.good(Input::Save {
        path: PathBuf::from("copy.pgn"),
        replace: false,
    });
    let Some(Effect::Save {
        record: written,
        is_of_today,
        ..
    }) = sitting.effects.pop_front()
    else {
        panic!("there is something to write");
    };
    assert_eq!(*written, record);
    assert_eq!(written.to_string(), ANNOTATED);
    assert!(!is_of_today);
}

#[test]
fn a_game_that_goes_on_keeps_what_was_said_of_its_moves() {
    let (mut sitting, record) = read_annotated();
    sitting.good(Input::Hint);
    sitting.settle();
    let path = &sitting.model.hint.as_ref().expect("a hint").path;
    let text = format_path(path, sitting.model.game.rules().board);
    sitting.turn(&text);
    let written = sitting.model.record().expect("a record");
    assert_eq!(&written.moves()[..2], record.moves());
    assert_eq!(written.moves().len(), 3);
    assert!(written.moves()[2].annotations().is_empty());
    assert_eq!(written.introduction(), Some("at the market"));
    // The comment at the end no longer applies.
    assert_eq!(written.final_comment(), None);
    assert_eq!(written.tag("Termination"), None);
    assert_eq!(written.result(), RecordResult::Unfinished);

    let (mut sitting, record) = read_annotated();
    sitting.good(Input::TakeBack);
    let written = sitting.model.record().expect("a record");
    assert_eq!(written.moves(), &record.moves()[..1]);
    assert_eq!(written.result(), RecordResult::Unfinished);
}

#[test]
fn games_go_to_records_and_come_back() {
    let mut sitting = Sitting::new(settings("dimy", Player::White));
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

    let mut other = Sitting::new(settings("tsivy", Player::Both));
    other.turn("f2-e3A");
    other.good(opened(&path, record.as_ref().clone()));
    assert_eq!(
        (other.turns(), other.fen()),
        (sitting.turns(), sitting.fen())
    );
    assert!(!other.model.is_unsaved());
    let again = other.model.record().expect("a record");
    assert_eq!(again.tag_value("White"), Some("Rabe"));
    assert_eq!(again.moves(), record.moves());

    // A record that does not replay leaves the game unchanged.
    let (turns, fen) = (other.turns(), other.fen());
    record.push_move("a1-a5", None).expect("a move");
    let error = other.bad(opened(&path, *record));
    assert!(error.contains("game.pgn: move"), "{error}");
    assert_eq!((other.turns(), other.fen()), (turns, fen));
}

#[test]
fn letters_may_be_missing_where_there_is_no_choice() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    // The step may be an approach or a withdrawal.
    sitting.good(Input::Turn("d3-e3".to_owned()));
    assert!(sitting.model.is_asking() && sitting.turns().is_empty());
    sitting.good(Input::Turn("f2e3".to_owned()));
    sitting.good(Input::Turn("d5-d4-c5".to_owned()));
    assert_eq!(sitting.turns(), ["f2-e3A", "d5-d4A-c5W"]);
}
