//! What must hold of every position under every rule set: checked along random games and on random
//! placements of stones, on every board.

mod checks;
mod endings;
mod rule_sets;
#[path = "../../../bench/yardstick/mod.rs"]
mod yardstick;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use vato_engine::board::{Bitboard, BoardSize, Position, Side};
use vato_engine::rules::{Game, Rules, legal_paths};

use self::endings::History;

/// Longest random game, in plies.
const LONGEST: usize = 120;

/// Plays turns at random, checking every position and the outcome after every ply.
fn random_game(rules: Rules, start: Position, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut game = Game::from_position(rules, start);
    let mut history = History::new(&rules, &start);
    for _ in 0..LONGEST {
        checks::position(&rules, game.position());
        assert_eq!(game.outcome(), history.outcome(), "{:?}", game.position());
        let paths = legal_paths(&rules, game.position());
        let Some(&(_, mv)) = paths.choose(&mut random) else {
            break;
        };
        game.play(mv).expect("a legal move");
        history.add(game.position());
    }
}

#[test]
fn games_under_every_preset() {
    let jobs: Vec<(Rules, u64)> = rule_sets::presets()
        .into_iter()
        .flat_map(|rules| (0..12).map(move |seed| (rules, seed)))
        .collect();
    jobs.into_par_iter()
        .for_each(|(rules, seed)| random_game(rules, rules.start(), seed));
}

#[test]
fn games_under_every_combination_of_movement_rules() {
    rule_sets::movements()
        .into_par_iter()
        .enumerate()
        .for_each(|(index, rules)| {
            random_game(rules, rules.start(), index as u64);
            // A small board gets to endings, and to velas that are over.
            let board = BoardSize::ALL[1 + index % (BoardSize::ALL.len() - 1)];
            let rules = Rules { board, ..rules };
            random_game(rules, rules.start(), index as u64);
        });
}

#[test]
fn games_on_every_board() {
    BoardSize::ALL.into_par_iter().for_each(|board| {
        for seed in 0..10 {
            let mut random = SmallRng::seed_from_u64(seed);
            let rules = Rules {
                board,
                ..rule_sets::any(&mut random)
            };
            random_game(rules, rules.start(), seed);
        }
    });
}

/// The key of every position within a few plies.
#[test]
fn keys_hold_at_every_node() {
    fn visit(rules: &Rules, position: &Position, depth: u32) -> u64 {
        assert_eq!(position.key(), position.recomputed_key());
        if depth == 0 {
            return 1;
        }
        legal_paths(rules, position)
            .iter()
            .map(|&(_, mv)| visit(rules, &position.play(mv), depth - 1))
            .sum()
    }
    let standard = visit(&Rules::STANDARD, &Rules::STANDARD.start(), 5);
    assert_eq!(standard, 431_852);
    for rules in rule_sets::presets() {
        assert!(visit(&rules, &rules.start(), 3) > 0);
    }
}

/// Games between few stones, where positions come back and counters run out.
#[test]
fn endings_by_repetition_and_limit() {
    (0..300_u64).into_par_iter().for_each(|seed| {
        let mut random = SmallRng::seed_from_u64(seed);
        let rules = rule_sets::any(&mut random);
        let points: Vec<_> = rules.board.points().into_iter().collect();
        let mut stones = [Bitboard::EMPTY; 2];
        for side in Side::BOTH {
            for _ in 0..random.random_range(1..=2) {
                let point = points.choose(&mut random).expect("a board has points");
                stones[side.index()] |= (*point).into();
            }
        }
        // White's count where the two overlap, which may leave Black without stones.
        let start = Position::new(stones, Side::White, random.random_range(0..4), 1);
        random_game(rules, start, seed);
    });
}

/// A placement of stones with its counters, for any board: the points beyond a small one are left.
fn placements() -> impl Strategy<Value = ([Bitboard; 2], bool, u16, u32)> {
    (
        prop::collection::vec(0_u8..5, 45),
        any::<bool>(),
        0_u16..200,
        1_u32..4,
    )
        .prop_map(|(points, black, quiet, number)| {
            let mut stones = [Bitboard::EMPTY; 2];
            for (point, content) in Bitboard::LATTICE.into_iter().zip(points) {
                if let 1..=2 = content {
                    stones[usize::from(content) - 1] |= point.into();
                }
            }
            (stones, black, quiet, number)
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_placements(
        seed in any::<u64>(),
        (stones, black, quiet, number) in placements(),
    ) {
        let rules = rule_sets::any(&mut SmallRng::seed_from_u64(seed));
        let stones = stones.map(|side| side & rules.board.points());
        let side = if black { Side::Black } else { Side::White };
        checks::position(&rules, &Position::new(stones, side, quiet, number));
    }
}
