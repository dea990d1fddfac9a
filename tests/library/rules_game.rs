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

/// Rules, a start, the moves, and how the game has ended with the last of them, and no sooner.
const ENDINGS: [&str; 38] = [
    // A side without stones has lost, whoever is to move.
    " | 9/9/4w4/9/9 w | | White wins: Black has no stones",
    "blocked=draw | 9/9/4w4/9/9 b | | White wins: Black has no stones",
    "vela=white | 9/9/4b4/9/9 w | | Black wins: White has no stones",
    "tie=count limit=1 | 9/9/4b4/9/9 b | | Black wins: White has no stones",
    " | 9/9/3w1b3/9/9 w 0 10 | d3-e3A | White wins: Black has no stones",
    // Who cannot move loses, draws or passes; on the other's turn it is no matter.
    " | 9/9/9/ww7/bw7 b 0 10 | | White wins: Black has no legal move",
    "blocked=draw | 9/9/9/ww7/bw7 b 0 10 | | draw: the player to move has no legal move",
    " | 9/9/9/ww7/bw7 w 0 10 | | goes on",
    "board=3x3 blocked=pass | www/wbw/www b 0 2 | | draw: the player to move has no legal move",
    // A pass is a quiet turn, and counts for repetition.
    "blocked=pass | PASSING | pass i5-i4 pass i4-i5 pass i5-i4 pass i4-i5 | draw: repetition",
    "blocked=pass limit=1 | PASSING | pass | draw: no capture for too long",
    // An eater that has to eat loses.
    "board=5x5 vela=black eating=must blocked=loss | HUNGRY | | Black wins: White has no legal move",
    "board=5x5 vela=black eating=must blocked=draw | HUNGRY | | Black wins: White has no legal move",
    "board=5x5 vela=black eating=must blocked=pass | HUNGRY | | Black wins: White has no legal move",
    // The third occurrence ends the game, or another.
    " | APART | ROUND ROUND | draw: repetition",
    "repeat=1 | APART | | draw: repetition",
    "repeat=2 | APART | ROUND | draw: repetition",
    "repeat=0 | APART | ROUND ROUND | goes on",
    "repeat=0 limit=8 | APART | ROUND ROUND | draw: no capture for too long",
    // White goes round a triangle while Black goes there and back: the stones are where they were, but Black is to move.
    "repeat=2 | 8b/9/9/9/w8 w 0 10 | TRIANGLE | goes on",
    // With a triangle of Black's too, the position is the one of the beginning.
    "repeat=2 | 8b/9/9/9/w8 w 0 10 | TRIANGLE i5-h5 a1-a2 h5-h4 a2-a1 h4-i5 | draw: repetition",
    // What was before a capture does not count.
    "repeat=2 | 7bb/9/9/3w1b3/ww7 w 0 10 | d2-e2A i5-i4 e2-d2 i4-i5 | goes on",
    "repeat=2 | 7bb/9/9/3w1b3/ww7 w 0 10 | d2-e2A i5-i4 e2-d2 i4-i5 d2-e2 | draw: repetition",
    // The limit counts plies without a capture, those before the start as well.
    " | 7bb/9/9/9/ww7 w 99 10 | | goes on",
    " | 7bb/9/9/9/ww7 w 100 10 | | draw: no capture for too long",
    " | 7bb/9/9/9/ww7 w 65535 10 | | draw: no capture for too long",
    "limit=0 | 7bb/9/9/9/ww7 w 65535 10 | | goes on",
    "limit=3 | 7bb/9/9/3w1b3/ww7 w 2 10 | d2-e2A i5-i4 a1-a2 i4-i5 | draw: no capture for too long",
    "limit=5 | 7bb/9/9/3w1b3/ww7 w 4 10 | d2-e2A | goes on",
    // Ties may be counted.
    "tie=count limit=1 | APART | a1-a2 | draw: no capture for too long",
    "limit=1 | UNEQUAL | a1-a2 | draw: no capture for too long",
    "tie=count limit=1 | UNEQUAL | a1-a2 | Black wins: more stones after no capture for too long",
    "tie=count limit=1 | 6bb1/9/9/9/www6 w 1 10 | | White wins: more stones after no capture for too long",
    "tie=count repeat=1 | APART | | draw: repetition",
    "tie=count repeat=1 | UNEQUAL | | Black wins: more stones after repetition",
    // Of two endings the first in this order counts: no stones, blocked, repetition, limit.
    "tie=count | 9/9/9/9/w8 b 100 60 | | White wins: Black has no stones",
    "tie=count | 9/9/9/ww7/bw7 b 100 60 | | White wins: Black has no legal move",
    "repeat=2 limit=4 | APART | ROUND | draw: repetition",
];
/// What stands for more in these rows.
const SHORT: [(&str, &str); 6] = [
    ("APART", APART),
    ("UNEQUAL", UNEQUAL),
    ("ROUND", ROUND),
    ("PASSING", "8w/9/w1w6/ww7/bww6 b 0 10"),
    ("HUNGRY", "bbb2/bbb2/5/5/w4 w 0 2"),
    ("TRIANGLE", "a1-a2 i5-h5 a2-b2 h5-i5 b2-a1"),
];

#[test]
fn games_end_as_the_rules_say() {
    for row in ENDINGS {
        let mut text = row.to_owned();
        for (short, long) in SHORT {
            text = text.replace(short, long);
        }
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let [rules, fen, moves, expected] = cells[..] else {
            panic!("{row}");
        };
        let mut game = game(rules, fen);
        for text in moves.split_whitespace() {
            assert_eq!(game.outcome(), None, "{row}");
            play(&mut game, text);
        }
        let outcome = game.outcome();
        let found = outcome.map_or("goes on".to_owned(), |outcome| outcome.to_string());
        assert_eq!(found, expected, "{row}");
        if outcome.is_some_and(|outcome| outcome.reason == Reason::NoStones) {
            assert!(legal_moves(game.rules(), game.position()).is_empty());
        }
    }
    let mut game = game("repeat=0", APART);
    for occurrences in 1..26 {
        assert_eq!((game.occurrences(), game.outcome()), (occurrences, None));
        play(&mut game, ROUND);
    }
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
