//! How games end.

use std::time::Duration;

use super::{Sitting, from_fen, settings};
use crate::clock::TimeControl;
use crate::play::{Ending, Input, PlaySettings, Player};
use vato_engine::board::Side;
use vato_engine::rules::Reason;

#[test]
fn whole_games_end_under_all_rules() {
    for rules in [
        "telo",
        "board=3x5 chain=full",
        "board=5x3 tie=count limit=12",
        "dimy",
        "vela",
    ] {
        let mut sitting = Sitting::new(settings(rules, Player::Neither));
        sitting.settle();
        let ending = sitting.model.ending().expect(rules);
        assert!(matches!(ending, Ending::Rules(_)), "{rules}: {ending}");
        let record = sitting.model.record().expect("a record");
        assert_eq!(record.check(), [], "{rules}");
        let late = Input::Turn("a1-a2".to_owned());
        assert!(sitting.bad(late).contains("the game is over"));
        assert!(sitting.bad(Input::Hint).contains("over"));
        assert!(sitting.bad(Input::Resign).contains("over"));
        // The last turn can be taken back after the end too.
        let turns = sitting.turns().len();
        sitting.good(Input::TakeBack);
        assert_eq!(sitting.turns().len(), turns - 1);
        assert!(sitting.model.paused && sitting.model.ending().is_none());
    }
}

#[test]
fn ends_have_their_reasons() {
    let mut sitting = Sitting::new(from_fen("tsivy", Player::Both, "9/9/3w2b2/9/9 b 0 31"));
    sitting.turn("g3-f3");
    sitting.turn("d3-e3A");
    let ending = sitting.model.ending().expect("the end");
    assert_eq!(ending.to_string(), "White wins: Black has no stones");
    sitting.good(Input::TakeBack);
    assert!(sitting.model.ending().is_none());

    let far = "w8/9/9/9/8b w 0 9";
    let mut sitting = Sitting::new(from_fen("limit=2", Player::Both, far));
    sitting.turn("a5-a4");
    sitting.turn("i1-i2");
    let Some(Ending::Rules(outcome)) = sitting.model.ending() else {
        panic!("the limit is reached");
    };
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Limit));
}

#[test]
fn clocks_run_for_the_side_to_move() {
    let control: TimeControl = "10+1".parse().expect("a time control");
    let mut sitting = Sitting::new(PlaySettings {
        clock: Some(control),
        ..settings("tsivy", Player::Both)
    });
    let seconds = Duration::from_secs;
    sitting.good(Input::Elapsed(seconds(4)));
    assert_eq!(sitting.model.time_left(Side::White), Some(seconds(6)));
    sitting.turn("f2-e3A");
    assert_eq!(sitting.model.time_left(Side::White), Some(seconds(7)));
    // No clock runs during a pause.
    sitting.good(Input::TogglePause);
    assert_eq!(sitting.model.time_to_flag(), None);
    sitting.good(Input::Elapsed(seconds(40)));
    assert!(
        sitting
            .bad(Input::Turn("d5-d4A".to_owned()))
            .contains("paused")
    );
    sitting.good(Input::TogglePause);
    sitting.good(Input::Elapsed(seconds(9)));
    let last = sitting.model.time_to_flag().expect("a clock runs");
    sitting.good(Input::Elapsed(seconds(1)));
    assert_eq!(sitting.model.ending(), None);
    sitting.good(Input::Elapsed(last - seconds(1)));
    assert_eq!(sitting.model.time_to_flag(), None);
    let ending = sitting.model.ending().expect("the end");
    assert_eq!(ending, Ending::TimeUp(Side::Black));
    let record = sitting.model.record().expect("a record");
    assert_eq!(record.tag_value("Termination"), Some("time forfeit"));
    assert_eq!(record.check(), []);
    // Taking the turn back restores the time.
    sitting.good(Input::TakeBack);
    assert!(sitting.model.ending().is_none());
    for side in Side::BOTH {
        assert_eq!(sitting.model.time_left(side), Some(seconds(10)));
    }
}
