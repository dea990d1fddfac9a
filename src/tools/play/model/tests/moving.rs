//! Typed turns, choices between captures, passes.

use super::{Sitting, from_fen, settings};
use crate::play::{Input, Player};
use vato_engine::rules::Capture;

#[test]
fn approach_or_withdrawal_is_asked() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    let approach = Input::Capture(Capture::Approach);
    assert!(sitting.bad(approach.clone()).contains("nothing to choose"));
    sitting.turn("d3e3");
    assert!(sitting.model.is_asking() && sitting.turns().is_empty());
    // The choice is taken back, then made.
    sitting.good(Input::TakeBack);
    assert!(!sitting.model.is_asking());
    sitting.turn("d3e3");
    sitting.good(Input::Capture(Capture::Withdrawal));
    assert_eq!(sitting.turns(), ["d3-e3W"]);
    assert!(!sitting.model.is_asking());
    // What cannot be played changes nothing, and another turn may be typed instead.
    sitting.good(Input::NewGame);
    sitting.turn("d3e3");
    sitting.bad(Input::Turn("a1".to_owned()));
    assert!(sitting.model.is_asking());
    sitting.turn("f2e3");
    assert_eq!(sitting.turns(), ["f2-e3A"]);
    assert!(sitting.bad(approach).contains("nothing to choose"));
}

#[test]
fn who_cannot_move_passes() {
    let fen = "8w/9/w1w6/ww7/bww6 w 0 10";
    let both = |player, fen: &str| Sitting::new(from_fen("blocked=pass", player, fen));
    let mut sitting = both(Player::Both, fen);
    sitting.turn("i5-i4");
    assert_eq!(sitting.turns(), ["i5-i4", "pass"]);
    let notice = sitting.model.notice().expect("a word").text.clone();
    assert_eq!(notice, "Black cannot move, and passes");
    sitting.good(Input::TakeBack);
    assert!(sitting.turns().is_empty());
    sitting.good(Input::Redo);
    assert_eq!(sitting.turns(), ["i5-i4", "pass"]);
    // Against the engine, which then has the turn; and the engine passes as well.
    let mut blocked = both(Player::Black, &fen.replace(" w ", " b "));
    assert_eq!(blocked.turns(), ["pass"]);
    assert!(blocked.wanted().is_some());
    let mut white = both(Player::White, fen);
    white.turn("i5-i4");
    white.settle();
    assert_eq!(white.turns(), ["i5-i4", "pass"]);
}

#[test]
fn typed_moves_are_read_and_complained_about() {
    let mut sitting = Sitting::new(settings("dimy", Player::Both));
    for (text, word) in [
        ("", "character 1"),
        ("b3", "ends after its origin"),
        ("zz", "expected a file"),
        ("a1-a2A", "not empty"),
    ] {
        let error = sitting.bad(Input::Turn(text.to_owned()));
        assert!(error.contains(word), "{text}: {error}");
        assert!(sitting.turns().is_empty());
    }
    sitting.turn(" B3C3a ");
    assert_eq!(sitting.turns(), ["b3-c3A"]);
}
