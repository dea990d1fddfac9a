//! Searches requested, answered and superseded.

use std::time::Duration;

use super::{Sitting, from_fen, settings};
use crate::clock::TimeControl;
use crate::play::{Effect, Input, PlaySettings, Player, Purpose, SearchEvent};
use vato_engine::notation::format_path;
use vato_engine::search::{Limits, Strength};

#[test]
fn what_an_old_search_says_is_of_no_interest() {
    let mut sitting = Sitting::new(settings("tsivy", Player::White));
    sitting.turn("f2-e3A");
    let old = sitting.wanted().expect("a search");
    sitting.good(Input::TakeBack);
    assert!(matches!(sitting.effects.front(), Some(Effect::StopSearch)));
    assert!(sitting.turns().is_empty() && sitting.model.thinking.is_none());
    let event = sitting.search(&old);
    sitting.good(Input::Search { id: old.id, event });
    assert!(sitting.turns().is_empty());
    // Events of the old game's search do not reach the new game either.
    sitting.turn("f2-e3A");
    let old = sitting.wanted().expect("a search");
    sitting.good(Input::NewGame);
    sitting.turn("d3-e3A");
    let event = sitting.search(&old);
    sitting.good(Input::Search { id: old.id, event });
    assert_eq!(sitting.turns(), ["d3-e3A"]);
}

#[test]
fn the_engine_is_told_its_clock() {
    let control: TimeControl = "10+1".parse().expect("a time control");
    let mut sitting = Sitting::new(PlaySettings {
        clock: Some(control),
        limits: Limits::default(),
        ..settings("tsivy", Player::White)
    });
    sitting.good(Input::Elapsed(Duration::from_secs(3)));
    sitting.turn("f2-e3A");
    let limits = sitting.wanted().expect("a search").limits;
    let clock = limits.clock.expect("a clock");
    assert_eq!(clock.remaining, Duration::from_secs(10));
    assert_eq!(clock.increment, Duration::from_secs(1));
    assert!(!limits.move_overhead.is_zero());
}

#[test]
fn hints_are_for_white() {
    let fen = "bbbbbbbbb/9/9/9/4w4 b 0 30";
    let mut sitting = Sitting::new(from_fen("tsivy", Player::Both, fen));
    sitting.good(Input::Hint);
    let purpose = sitting.model.thinking.as_ref().expect("a search").purpose;
    assert_eq!(purpose, Purpose::Hint);
    sitting.settle();
    let hint = sitting.model.hint.as_ref().expect("a hint").clone();
    assert!(hint.score.expected < 0.3, "{hint:?}");
    let text = format_path(&hint.path, sitting.model.game.rules().board);
    sitting.turn(&text);
    assert!(sitting.model.hint.is_none());
    assert!(sitting.wanted().is_none());
}

#[test]
fn an_engine_that_fails_is_asked_again_when_the_person_says_so() {
    let mut sitting = Sitting::new(settings("tsivy", Player::Black));
    let id = sitting.wanted().expect("a search").id;
    let event = SearchEvent::Failed("no memory".to_owned());
    let error = sitting.bad(Input::Search { id, event });
    assert!(error.contains("no memory"));
    assert!(sitting.model.paused && sitting.wanted().is_none());
    sitting.good(Input::TogglePause);
    assert!(sitting.wanted().is_some());
}

/// If the process is stopped while the engine thinks, the search time includes the pause.
#[test]
fn a_halt_is_no_thinking() {
    for clock in [None, "60".parse().ok()] {
        let mut sitting = Sitting::new(PlaySettings {
            clock,
            ..settings("tsivy", Player::Black)
        });
        let request = sitting.wanted().expect("a search");
        let SearchEvent::Done(mut result) = sitting.search(&request) else {
            panic!("a small search");
        };
        result.time = Duration::from_secs(3_600);
        sitting.good(Input::Elapsed(Duration::from_millis(250)));
        sitting.good(Input::Search {
            id: request.id,
            event: SearchEvent::Done(result),
        });
        let comment = sitting.model.turns[0].comment.clone();
        let comment = comment.expect("a score");
        assert!(comment.ends_with(" 0.250s"), "{comment}");
    }
}

#[test]
fn weak_players_search_less() {
    let mut sitting = Sitting::new(PlaySettings {
        level: "0".parse().expect("a level"),
        limits: Limits::default(),
        ..settings("tsivy", Player::Black)
    });
    let request = sitting.wanted().expect("a search");
    assert_eq!(request.limits.strength.elo(), Some(Strength::MIN_ELO));
}

#[test]
fn strengths_follow_from_levels() {
    let strength = |level| Strength::from_level(level).with_seed(3);
    assert!((1..20).all(|level| strength(level).elo() > strength(level - 1).elo()));
    assert_eq!(strength(19).seed(), Some(3));
    assert!(strength(Strength::FULL_LEVEL).is_full());
}
