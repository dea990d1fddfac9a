//! Selecting stones, steps, choices between captures, typed turns.

use super::{Sitting, from_fen, settings};
use crate::play::{Input, Player, Target};
use vato_engine::board::Side;
use vato_engine::rules::Capture;

#[test]
fn a_step_is_chosen_point_by_point() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    assert_eq!(sitting.model.movable().count(), 4);
    assert!(sitting.cannot_choose("a5").contains("no stone of White's"));
    assert!(sitting.cannot_choose("e3").contains("no stone of White's"));
    assert!(
        sitting
            .cannot_choose("a1")
            .contains("another one can capture")
    );
    sitting.choose("f2");
    assert_eq!(
        sitting.targets(),
        [("e3".to_owned(), Target::Capture(Capture::Approach))]
    );
    assert_eq!(sitting.cannot_choose("f5"), "no step from f2 to f5",);
    // Select another stone, then deselect it.
    sitting.choose("d3");
    sitting.choose("d3");
    assert!(sitting.model.hand().is_none());
    sitting.choose("f2");
    sitting.choose("e3");
    assert_eq!(sitting.turns(), ["f2-e3A"]);
    assert_eq!(sitting.model.side(), Side::Black);
    assert!(sitting.model.is_unsaved());
}

#[test]
fn the_cursor_stays_on_the_board() {
    let mut sitting = Sitting::new(settings("board=3x5", Player::Both));
    let name = |sitting: &Sitting| {
        let board = sitting.model.game.rules().board;
        board.name(sitting.model.cursor)
    };
    assert_eq!(name(&sitting), "b3");
    for _ in 0..9 {
        sitting.good(Input::MoveCursor {
            files: -1,
            ranks: 1,
        });
    }
    assert_eq!(name(&sitting), "a5");
    sitting.good(Input::MoveCursor {
        files: 2,
        ranks: -4,
    });
    assert_eq!(name(&sitting), "c1");
    sitting.good(Input::MoveCursor {
        files: 127,
        ranks: -128,
    });
    assert_eq!(name(&sitting), "c1");
}

#[test]
fn approach_or_withdrawal_is_asked() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    assert!(
        sitting
            .bad(Input::Capture(Capture::Approach))
            .contains("nothing to choose")
    );
    sitting.choose("d3");
    assert_eq!(sitting.targets(), [("e3".to_owned(), Target::Either)]);
    sitting.choose("e3");
    let hand = sitting.model.hand().expect("a stone");
    assert_eq!(hand.asking, Some(sitting.point("e3")));
    let f3 = sitting.point("f3");
    let would = hand.would_capture(sitting.point("e3"), Capture::Approach);
    assert!(would.contains(f3) && would.count() == 1);
    // Take back the choice, then choose again.
    sitting.good(Input::TakeBack);
    assert_eq!(sitting.model.hand().expect("a stone").asking, None);
    sitting.choose("e3");
    sitting.good(Input::Capture(Capture::Withdrawal));
    assert_eq!(sitting.turns(), ["d3-e3W"]);

    // Choosing one of the stones to be captured decides as well.
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    sitting.choose("d3");
    sitting.choose("e3");
    sitting.choose("f3");
    assert_eq!(sitting.turns(), ["d3-e3A"]);
}

#[test]
fn a_chain_goes_on_step_by_step_or_stops() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Both));
    sitting.turn("f2e3a");
    sitting.choose("d5");
    sitting.choose("d4");
    assert_eq!(sitting.turns(), ["f2-e3A"]);
    // The stones are shown with the steps played so far.
    let black = sitting.model.stones(Side::Black);
    assert!(black.contains(sitting.point("d4")) && !black.contains(sitting.point("d5")));
    let lost = sitting.model.stones(Side::White).count();
    assert!(lost < sitting.model.game.position().stones(Side::White).count());
    assert_eq!(
        sitting.targets(),
        [("c5".to_owned(), Target::Capture(Capture::Withdrawal))]
    );
    // Back, forward, and to the end.
    sitting.good(Input::TakeBack);
    assert!(
        sitting
            .model
            .hand()
            .expect("still taken up")
            .turn
            .steps()
            .is_empty()
    );
    sitting.choose("d4");
    sitting.choose("c5");
    assert_eq!(sitting.turns(), ["f2-e3A", "d5-d4A-c5W"]);
    // The same, ended by choosing the stone's own point, and by the command.
    for stop in [Input::ChooseAtCursor, Input::EndTurn] {
        sitting.good(Input::TakeBack);
        sitting.choose("d5");
        sitting.choose("d4");
        sitting.good(stop);
        assert_eq!(sitting.turns(), ["f2-e3A", "d5-d4A"]);
    }
    // Deselected, the stone is where it was.
    sitting.good(Input::TakeBack);
    sitting.choose("d5");
    sitting.choose("d4");
    sitting.good(Input::PutDown);
    assert_eq!(sitting.turns(), ["f2-e3A"]);
    assert!(sitting.bad(Input::EndTurn).contains("no turn"));
}

#[test]
fn a_full_chain_cannot_stop() {
    let mut sitting = Sitting::new(settings("full-chain", Player::Both));
    sitting.turn("f2-e3A");
    sitting.choose("d5");
    sitting.choose("d4");
    assert_eq!(sitting.bad(Input::EndTurn), "the stone must capture again");
    assert_eq!(
        sitting.bad(Input::ChooseAtCursor),
        "the stone must capture again"
    );
    assert!(
        sitting
            .bad(Input::Turn("d5-d4A".to_owned()))
            .contains("must go on")
    );
    sitting.choose("c5");
    assert_eq!(sitting.turns(), ["f2-e3A", "d5-d4A-c5W"]);
}

#[test]
fn the_vela_takes_one_stone_and_gives_paikas() {
    let mut sitting = Sitting::new(settings("vela", Player::Both));
    sitting.choose("e2");
    sitting.choose("e3");
    assert_eq!(sitting.turns(), ["e2-e3A"]);
    assert_eq!(sitting.model.stones(Side::Black).count(), 21);
    let movable = sitting.model.movable();
    assert!(!movable.is_empty());
    for point in movable {
        sitting.good(Input::Choose(point));
        let targets = sitting.targets();
        assert!(targets.iter().all(|(_, target)| *target == Target::Paika));
        sitting.good(Input::PutDown);
    }
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
