//! How games end, what counts for repetition and the limit, and what happens afterwards.

use vato_engine::board::{Position, Side};
use vato_engine::notation::{parse_fen, parse_turn};
use vato_engine::rules::{Game, Outcome, Reason, Rules, legal_moves};

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

fn position(text: &str, rules: &Rules) -> Position {
    parse_fen(text, rules.board).expect("a FEN")
}

fn game(rules_text: &str, fen: &str) -> Game {
    let rules = rules(rules_text);
    Game::from_position(rules, position(fen, &rules))
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let (_, mv) = parse_turn(text, game.rules(), game.position()).expect("a legal turn");
        game.play(mv).expect("a legal turn");
    }
}

fn outcome(winner: Option<Side>, reason: Reason) -> Option<Outcome> {
    Some(Outcome { winner, reason })
}

/// Two stones a side far apart: four plies bring the position back.
const APART: &str = "7bb/9/9/9/ww7 w 0 10";
/// The same with a third black stone.
const UNEQUAL: &str = "6bbb/9/9/9/ww7 w 0 10";
const ROUND: &str = "a1-a2 i5-i4 a2-a1 i4-i5";

#[test]
fn a_side_without_stones_has_lost() {
    let white = outcome(Some(Side::White), Reason::NoStones);
    let black = outcome(Some(Side::Black), Reason::NoStones);
    for side in ["w", "b"] {
        for rules in ["", "blocked=draw", "vela=white", "tie=count limit=1"] {
            assert_eq!(game(rules, &format!("9/9/4w4/9/9 {side}")).outcome(), white);
            assert_eq!(game(rules, &format!("9/9/4b4/9/9 {side}")).outcome(), black);
        }
    }
    let mut game = game("", "9/9/3w1b3/9/9 w 0 10");
    assert_eq!(game.outcome(), None);
    play(&mut game, "d3-e3A");
    assert_eq!(game.outcome(), white);
    assert!(legal_moves(game.rules(), game.position()).is_empty());
}

#[test]
fn a_blocked_player_loses_or_draws() {
    let fen = "9/9/9/ww7/bw7 b 0 10";
    assert_eq!(
        game("", fen).outcome(),
        outcome(Some(Side::White), Reason::Blocked)
    );
    assert_eq!(
        game("blocked=draw", fen).outcome(),
        outcome(None, Reason::Blocked)
    );
    // A pass is a quiet turn, and counts for repetition.
    let mut passing = game("blocked=pass", "8w/9/w1w6/ww7/bww6 b 0 10");
    play(&mut passing, "pass");
    let after = passing.position();
    assert_eq!((after.halfmove_clock(), after.move_number()), (1, 11));
    play(&mut passing, "i5-i4 pass i4-i5 pass i5-i4 pass");
    assert_eq!(passing.outcome(), None);
    play(&mut passing, "i4-i5");
    assert_eq!(passing.outcome(), outcome(None, Reason::Repetition));
    assert_eq!(
        game("board=3x3 blocked=pass", "www/wbw/www b 0 2").outcome(),
        outcome(None, Reason::Blocked)
    );
    // An eater that has to eat loses.
    for blocked in ["loss", "draw", "pass"] {
        let rules = format!("board=5x5 vela=black eating=must blocked={blocked}");
        assert_eq!(
            game(&rules, "bbb2/bbb2/5/5/w4 w 0 2").outcome(),
            outcome(Some(Side::Black), Reason::Blocked)
        );
    }
    // Being surrounded is no matter on the other's turn.
    let white_to_move = game("", &fen.replace(" b ", " w "));
    assert_eq!(white_to_move.outcome(), None);
}

#[test]
fn the_third_occurrence_ends_the_game() {
    let mut game = game("", APART);
    assert_eq!(game.occurrences(), 1);
    play(&mut game, ROUND);
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "a1-a2 i5-i4 a2-a1");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "i4-i5");
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.outcome(), outcome(None, Reason::Repetition));
}

#[test]
fn repeat_is_a_parameter() {
    let mut first = game("repeat=1", APART);
    assert_eq!(first.outcome(), outcome(None, Reason::Repetition));
    play(&mut first, "a1-a2");
    assert_eq!(first.outcome(), outcome(None, Reason::Repetition));
    let mut second = game("repeat=2", APART);
    play(&mut second, ROUND);
    assert_eq!(second.outcome(), outcome(None, Reason::Repetition));
    let mut never = game("repeat=0", APART);
    for _ in 0..24 {
        play(&mut never, ROUND);
    }
    assert_eq!((never.occurrences(), never.outcome()), (25, None));
    play(&mut never, ROUND);
    assert_eq!(never.outcome(), outcome(None, Reason::Limit));
}

#[test]
fn the_side_to_move_is_part_of_the_position() {
    // White goes round a triangle while Black goes there and back: the stones are where they were,
    // but Black is to move.
    let mut game = game("repeat=2", "8b/9/9/9/w8 w 0 10");
    play(&mut game, "a1-a2 i5-h5 a2-b2 h5-i5 b2-a1");
    assert_eq!((game.occurrences(), game.outcome()), (1, None));
    // With a triangle of Black's too, the position is the one of the beginning.
    play(&mut game, "i5-h5 a1-a2 h5-h4 a2-a1 h4-i5");
    assert_eq!(game.occurrences(), 2);
    assert_eq!(game.outcome(), outcome(None, Reason::Repetition));
}

#[test]
fn what_was_before_a_capture_does_not_count() {
    let mut game = game("repeat=2", "7bb/9/9/3w1b3/ww7 w 0 10");
    play(&mut game, "d2-e2A");
    assert_eq!(game.keys_since_capture().len(), 1);
    play(&mut game, "i5-i4 e2-d2 i4-i5");
    assert_eq!(game.outcome(), None);
    assert_eq!(game.keys_since_capture().len(), 4);
    play(&mut game, "d2-e2");
    assert_eq!(game.outcome(), outcome(None, Reason::Repetition));
}

#[test]
fn the_limit_counts_plies_without_a_capture() {
    assert_eq!(game("", &APART.replace(" 0 ", " 99 ")).outcome(), None);
    for quiet in ["100", "101", "65535"] {
        let fen = APART.replace(" 0 ", &format!(" {quiet} "));
        assert_eq!(game("", &fen).outcome(), outcome(None, Reason::Limit));
        assert_eq!(game("limit=0", &fen).outcome(), None);
    }
    let mut game = game("limit=3", "7bb/9/9/3w1b3/ww7 w 2 10");
    play(&mut game, "d2-e2A i5-i4 a1-a2");
    assert_eq!(game.outcome(), None);
    play(&mut game, "i4-i5");
    assert_eq!(game.outcome(), outcome(None, Reason::Limit));
}

#[test]
fn halfmove_clock_stop_counting_at_their_largest_number() {
    let mut game = game("limit=0 repeat=0", &APART.replace(" 0 ", " 65534 "));
    play(&mut game, ROUND);
    assert_eq!(game.position().halfmove_clock(), u16::MAX);
    assert_eq!((game.outcome(), game.occurrences()), (None, 2));
}

#[test]
fn ties_may_be_counted() {
    let white_has_more = UNEQUAL.to_uppercase().replace('W', "x").replace('B', "w");
    let white_has_more = white_has_more.replace('x', "b").replace(" b ", " w ");
    for (fen, winner) in [
        (APART, None),
        (UNEQUAL, Some(Side::Black)),
        (&white_has_more, Some(Side::White)),
    ] {
        let at_limit = fen.replace(" 0 ", " 100 ");
        assert_eq!(
            game("tie=count", &at_limit).outcome(),
            outcome(winner, Reason::Limit)
        );
        assert_eq!(game("", &at_limit).outcome(), outcome(None, Reason::Limit));
        assert_eq!(
            game("tie=count repeat=1", fen).outcome(),
            outcome(winner, Reason::Repetition)
        );
    }
}

#[test]
fn endings_come_in_their_order() {
    // Blocked and at the limit: blocked.
    let fen = "9/9/9/ww7/bw7 b 100 60";
    assert_eq!(
        game("tie=count", fen).outcome(),
        outcome(Some(Side::White), Reason::Blocked)
    );
    // Without stones and at the limit: no stones.
    assert_eq!(
        game("tie=count", "9/9/9/9/w8 b 100 60").outcome(),
        outcome(Some(Side::White), Reason::NoStones)
    );
    // Repetition and limit on the same ply: repetition.
    let mut game = game("repeat=2 limit=4", APART);
    play(&mut game, ROUND);
    assert_eq!(game.outcome(), outcome(None, Reason::Repetition));
    // A capture on the ply of the limit goes on.
    let mut game = self::game("limit=5", "7bb/9/9/3w1b3/ww7 w 4 10");
    play(&mut game, "d2-e2A");
    assert_eq!(game.outcome(), None);
}

#[test]
fn the_first_ending_stands() {
    let mut game = game("limit=4 tie=count", UNEQUAL);
    play(&mut game, ROUND);
    let ended = outcome(Some(Side::Black), Reason::Limit);
    assert_eq!(game.outcome(), ended);
    // Another ending later on changes nothing, nor does a move that is refused.
    play(&mut game, ROUND);
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.outcome(), ended);
    let blacks = position(&UNEQUAL.replace(" w ", " b "), game.rules());
    let other = legal_moves(game.rules(), &blacks)[0];
    assert!(game.play(other).is_err());
    assert_eq!(game.moves().len(), 8);
    assert_eq!(game.outcome(), ended);
}

#[test]
fn outcomes_read_as_sentences() {
    let sentence = |game: Game| game.outcome().expect("an ending").to_string();
    assert_eq!(
        sentence(game("", "9/9/4w4/9/9 w")),
        "White wins: Black has no stones"
    );
    assert_eq!(
        sentence(game("", "9/9/9/ww7/bw7 b")),
        "White wins: Black has no legal move"
    );
    assert_eq!(
        sentence(game("limit=1", &APART.replace(" 0 ", " 1 "))),
        "draw: no capture for too long"
    );
    assert_eq!(
        sentence(game("repeat=1 tie=count", UNEQUAL)),
        "Black wins: more stones after repetition"
    );
}

/// Cut off anywhere, a game is as it was then, and can be played on.
#[test]
fn a_game_is_taken_back_to_any_of_its_positions() {
    // A draw by repetition that is played on, and a game that has ended before it began.
    for (rules, fen, moves) in [
        ("repeat=2", APART, format!("{ROUND} {ROUND} a1-b2")),
        ("", "9/9/3w2b2/9/9 b 0 31", "g3-f3 d3-e3A".to_owned()),
        ("", "9/9/4w4/9/9 b", String::new()),
    ] {
        let mut replayed = game(rules, fen);
        let mut whole = replayed.clone();
        play(&mut whole, &moves);
        for plies in 0..=whole.moves().len() {
            let mut cut = whole.truncated(plies);
            assert_eq!(cut.position(), replayed.position());
            assert_eq!(cut.moves(), replayed.moves());
            assert_eq!(cut.keys_since_capture(), replayed.keys_since_capture());
            assert_eq!(cut.outcome(), replayed.outcome(), "{plies} plies");
            for &mv in &whole.moves()[plies..] {
                cut.play(mv).expect("legal");
            }
            assert_eq!(cut.outcome(), whole.outcome(), "{plies} plies");
            if let Some(&mv) = whole.moves().get(plies) {
                replayed.play(mv).expect("legal");
            }
        }
        assert_eq!(whole.truncated(99).moves(), whole.moves());
    }
}
