//! Variations: kept, written, replayed.

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::notation::format_path;
use vato_engine::rules::{Game, Rules, legal_paths};
use vato_records::pgn::{GameRecord, MAX_NESTING, RecordedMove, Variation};

use super::{faults, only_game, read};

/// A line and its variations in short: `a(b c{x}) d`, comments in braces.
fn shown(introduction: Option<&str>, moves: &[RecordedMove]) -> String {
    let comment = |text: Option<&str>| text.map_or(String::new(), |text| format!("{{{text}}}"));
    let moves = moves.iter().map(|mv| {
        let variations = mv.variations.iter();
        let variations = variations.map(|variation| {
            let line = shown(variation.introduction.as_deref(), &variation.moves);
            format!("({line}){}", comment(variation.comment_after.as_deref()))
        });
        format!(
            "{}{}{}",
            mv.text(),
            comment(mv.comment.as_deref()),
            variations.collect::<String>()
        )
    });
    let moves = moves.collect::<Vec<_>>().join(" ");
    format!("{}{moves}", comment(introduction))
}

#[test]
fn variations_are_kept_where_they_are() {
    for (text, expected) in [
        ("1. a (1. b c) (1. d) 1... e *", "a(b c)(d) e"),
        ("1. a (1. b (1. c (1. d)) 1... e) *", "a(b(c(d)) e)"),
        // Comments before the first move, on moves, and after a variation.
        (
            "1. a {1} ({2} 1. b {3} {4} c {5}) {6} 1... d *",
            "a{1}({2}b{3 4} c{5}){6} d",
        ),
        (
            "1. a (b ; to the end )\n) ({just a comment}) c *",
            "a(b{to the end )}){just a comment} c",
        ),
        (
            "1. a {1} {2} (b) {3} {4} (c (d) {5}) {6} e (f) {7} {8} *",
            "a{1 2}(b){3 4}(c(d){5}){6} e(f){7}",
        ),
        // One that begins with the move that it replaces, moves that are none, no move.
        ("1. a b (1... b 2. c) 2. d *", "a b(b c) d"),
        (
            "1. a (1. -- b) (0000) (x\u{200b}y) 1... 11-0 *",
            "a(-- b)(0000)(x\u{200b}y) 11-0",
        ),
        // Results in variations, and nothing in them.
        ("1. a (1. b 1-0) () (1. c *) 1... d 0-1", "a(b)(c) d"),
        ("1. a(1. b)1... c(c)*", "a(b) c(c)"),
    ] {
        let record = only_game(text);
        assert_eq!(
            shown(record.introduction(), record.moves()),
            expected,
            "{text}"
        );
        assert_eq!(only_game(&record.to_string()), record, "{text}");
    }
    // The last comment of a game is about the game.
    let record = only_game("1. a {1} (1. b {2}) {3} *");
    assert_eq!(shown(None, record.moves()), "a{1}(b{2})");
    assert_eq!(record.final_comment(), Some("3"));
    assert_eq!(record.count_moves(), 2);
    assert_eq!(record.moves()[0].variations[0].moves[0].line(), Some(1));
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| format!("a {} {} 1-0", "(a ".repeat(depth), ")".repeat(depth));
    let record = only_game(&nested(MAX_NESTING));
    assert_eq!(record.count_moves(), MAX_NESTING + 1);
    assert_eq!(only_game(&record.to_string()), record);
    for depth in [MAX_NESTING + 1, 100_000] {
        let text = format!("{}\n\na 1-0\n{}", nested(depth), nested(1));
        let games = read(text.as_bytes());
        let [Err(error), Ok(_), Ok(_)] = &games[..] else {
            panic!("{depth}: {} games", games.len());
        };
        assert!(error.contains("64"), "{error}");
    }
    for brackets in ["a ".to_owned() + &"(".repeat(100_000), ")".repeat(100_000)] {
        let games = read(brackets.as_bytes());
        assert!(matches!(&games[..], [Err(_)]), "{} games", games.len());
    }
}

#[test]
fn a_variation_has_moves() {
    assert!(Variation::new("x", []).is_err());
    assert!(Variation::new("x", ["a1-a2", ")"]).is_err());
    let variation = Variation::new(" a }", ["d3-e3A"]).expect("a move");
    assert_eq!(variation.introduction.as_deref(), Some("a )"));
}

#[test]
fn illegal_moves_in_variations_are_found() {
    let text =
        "1. d3-e3A\n(1. d3-e3W\n1... a1-a2) (1. f2-e3A f3-f2A) (1. a1-a2\n2. x) 1... c3-d3W *";
    let record = only_game(text);
    let faults = faults(&record);
    let [second, third] = &faults[..] else {
        panic!("{faults:?}");
    };
    assert!(
        second.starts_with("line 3: variation, move 1, Black: "),
        "{second}"
    );
    assert!(
        third.starts_with("line 3: variation, move 1, White: "),
        "{third}"
    );
    assert_eq!(record.replay().expect("the game itself").moves().len(), 2);
    // Those after the first illegal move of the line itself have no position.
    let record = only_game("1. a1-a2 (1. d3-e3A) 1... c3-d3A (1... x) *");
    assert_eq!(super::faults(&record).len(), 1);
}

/// A line of random legal turns of `game`, to `longest` plies, with variations.
fn line(game: &mut Game, random: &mut SmallRng, longest: usize, depth: usize) -> GameRecord {
    let rules = *game.rules();
    let mut record = GameRecord::new(&rules, game.start());
    for ply in 0..random.random_range(1..=longest) {
        let paths = legal_paths(&rules, game.position());
        let Some((path, mv)) = paths.choose(random).filter(|_| game.outcome().is_none()) else {
            break;
        };
        let text = format_path(path, rules.board);
        let comment = random
            .random_bool(0.3)
            .then_some("a \"comment\" [%x] (1. b)");
        record.push_move(&text, comment).expect("a move");
        for _ in 0..random.random_range(0..3).min(depth) {
            let inner = line(&mut game.clone(), random, 4, depth - 1);
            let introduction = ["", "or"].choose(random).expect("one");
            let texts = inner.moves().iter().map(RecordedMove::text);
            let mut variation = Variation::new(introduction, texts).expect("moves");
            variation.moves.clone_from_slice(inner.moves());
            record.moves_mut()[ply].variations.push(variation);
        }
        game.play(*mv).expect("legal");
    }
    // Twelve plies may take the last stone.
    record.set_result(game.outcome().into());
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn trees_of_legal_turns_read_back(seed: u64) {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut game = Game::new(Rules::STANDARD);
        let record = line(&mut game, &mut random, 12, 3);
        let text = record.to_string();
        let again = only_game(&text);
        prop_assert_eq!(&again, &record);
        prop_assert_eq!(faults(&again), Vec::<String>::new());
        for line in text.lines().skip(9) {
            prop_assert!(line.len() < 80 + " [%x]".len(), "{}", line);
        }
    }
}
