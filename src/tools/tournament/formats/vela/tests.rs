//! Tests of rounds of the vela.

use GameScore::{Draw, Loss, Win};

use super::*;
use crate::tournament::settings::Shard;
use crate::tournament::statistics::GameCounts;

const FORMAT: fn() -> VelaRounds = || VelaRounds::new(2, 4, 6);

/// For each game of a round with these scores of engine 0: whether it is a vela, and which engine is White.
fn games(encounter: u32, scores: &[GameScore]) -> Vec<(bool, usize)> {
    let format = FORMAT();
    let scores: Vec<_> = scores.iter().copied().map(Some).collect();
    let count = format
        .games(encounter, &scores)
        .min(scores.len() as u32 + 1);
    let games = (0..count).map(|game| format.game(encounter, game, [0, 1], &scores));
    games.map(|game| (game.vela, game.players[0])).collect()
}

/// The results of encounters with these scores.
fn results(encounters: &[&[GameScore]]) -> Results {
    let mut results = Results::default();
    for (encounter, scores) in (0..).zip(encounters) {
        for (game, &score) in (0..).zip(*scores) {
            assert!(results.add(encounter, game, score));
        }
    }
    results
}

fn outcome(scores: &[GameScore]) -> Option<GameScore> {
    let format = FORMAT();
    let Meeting::Of(engines) = format.meeting(0, &Results::default()) else {
        panic!("two engines meet");
    };
    let own = Scored {
        players: engines,
        pair: 1,
        score: *scores.last().expect("a game"),
    };
    let scores: Vec<_> = scores.iter().copied().map(Some).collect();
    let scored = format.scored(0, engines, own, &scores);
    scored.map(|scored| scored.score)
}

#[test]
fn the_loser_plays_the_vela_and_drawn_games_are_played_again() {
    let (normal, vela) = (|white| (false, white), |white| (true, white));
    for (encounter, scores, wanted) in [
        (0, &[][..], &[normal(0)][..]),
        (0, &[Win], &[normal(0), vela(1)]),
        (0, &[Loss], &[normal(0), vela(0)]),
        // In the second round the other engine plays White first.
        (1, &[Loss], &[normal(1), vela(0)]),
        // A drawn normal game is replayed with colours swapped, a drawn vela with the same ones.
        (0, &[Draw], &[normal(0), normal(1)]),
        (0, &[Win, Draw], &[normal(0), vela(1), vela(1)]),
        // A round that the eater wins starts again.
        (0, &[Win, Loss], &[normal(0), vela(1), normal(1)]),
        (0, &[Loss, Loss], &[normal(0), vela(0)]),
    ] {
        assert_eq!(games(encounter, scores), wanted, "{encounter}: {scores:?}");
    }
    assert_eq!(games(0, &[Draw; 6]).len(), 6);
}

#[test]
fn who_wins_both_games_wins_the_round() {
    for (scores, wanted) in [
        (&[Win][..], None),
        (&[Win, Win], Some(Win)),
        (&[Loss, Loss], Some(Loss)),
        (&[Win, Loss], None),
        (&[Win, Loss, Loss, Loss], Some(Loss)),
        (&[Draw, Win, Draw, Win], Some(Win)),
        (&[Draw; 5], None),
        (&[Draw; 6], Some(Draw)),
        (&[Draw, Draw, Draw, Draw, Win, Draw], Some(Draw)),
        // The last permitted game may decide the round.
        (&[Draw, Draw, Draw, Draw, Win, Win], Some(Win)),
    ] {
        assert_eq!(outcome(scores), wanted, "{scores:?}");
    }
}

#[test]
fn rounds_are_told_one_by_one() {
    let results = results(&[&[Win, Win], &[Draw; 6], &[Win], &[Loss; 2]]);
    let told = FORMAT().round_by_round(&results);
    assert_eq!(told, ["1 (2 games)", "½ (6 games)", "0 (2 games)"]);
}

#[test]
fn two_rounds_are_a_pair_and_share_their_openings() {
    let format = FORMAT();
    let firsts = (0..4).map(|encounter| format.game(encounter, 0, [0, 1], &[]));
    let firsts = firsts.map(|first| (first.pair, first.opening, first.players[0]));
    assert!(firsts.eq([(1, 0, 0), (1, 0, 1), (2, 12, 0), (2, 12, 1)]));
    let opening = |encounter, scores: &[GameScore]| {
        let scores: Vec<_> = scores.iter().copied().map(Some).collect();
        let game = format.game(encounter, scores.len() as u32, [0, 1], &scores);
        (game.vela, game.opening)
    };
    // The second opening of a round is not the first opening of any round.
    for (encounter, second) in [(0, 1), (1, 1), (2, 13), (3, 13)] {
        assert_eq!(opening(encounter, &[Draw]), (false, second));
        assert_eq!(opening(encounter, &[Win, Loss]), (false, second));
    }
    // The beginner (engine 0 in the first round of a pair, engine 1 in the second) gets the same vela
    // openings in both; the other engine gets others.
    for (encounter, wins, loses) in [(0, Win, Loss), (1, Loss, Win)] {
        for (scores, wanted) in [
            (&[wins][..], 0),
            (&[wins, Draw], 2),
            (&[loses], 1),
            (&[loses, Draw], 3),
            (&[wins, loses, loses], 1),
            (&[wins, loses, Draw, wins], 2),
        ] {
            assert_eq!(opening(encounter, scores), (true, wanted), "{scores:?}");
        }
    }
    assert_eq!(opening(2, &[Win]), (true, 12));
}

#[test]
fn the_openings_of_a_pair_of_rounds_stand_together() {
    for most_games in [1, 6, 16] {
        let format = VelaRounds::new(2, 10, most_games);
        let mut wanted = 0..;
        for round in (0..10).step_by(2) {
            for number in 0..2 * most_games {
                let opening = format.opening(round, number);
                assert_eq!(Some(opening), wanted.next(), "{round}, {number}");
                assert_eq!(opening, format.opening(round + 1, number));
            }
        }
    }
    // However long a round may be, its openings stay near the start of the suite.
    let format = VelaRounds::new(2, 10, u32::MAX);
    assert_eq!(format.opening(9, u32::MAX), 5 * MOST_OPENINGS - 1);
}

#[test]
fn a_part_has_whole_pairs_of_rounds() {
    for (engines, rounds) in [(2, 6), (2, 5), (3, 5), (4, 1), (3, 2)] {
        let format = VelaRounds::new(engines, rounds, 4);
        for part in "1/1 1/2 2/2 1/3 2/3 3/3 5/7".split(' ') {
            let part: Shard = part.parse().expect("a part");
            let mine = |encounter: u32| part.has(format.rounds.unit(encounter));
            let encounters = format.rounds.encounters() as u32;
            let count = (0..encounters).filter(|&encounter| mine(encounter)).count();
            let found = format.rounds.encounters_of(Some(part));
            assert_eq!(found, count as u64, "{engines}, {rounds}");
            let of_a_round = format.rounds.encounters;
            for encounter in 0..encounters - of_a_round {
                if format.rounds.place(encounter).0.is_multiple_of(2) {
                    assert_eq!(mine(encounter), mine(encounter + of_a_round));
                }
            }
        }
    }
}

#[test]
fn games_are_counted_by_what_they_were() {
    let results = results(&[&[Draw, Win, Loss, Loss, Draw], &[Win, Win]]);
    let figures = FORMAT().figures(2, &results).into_iter();
    let counts = figures.map(|one| [one.normal, one.as_giver, one.as_eater]);
    let first = [[2, 1, 1], [1, 0, 1], [0, 1, 0]].map(GameCounts::from);
    let second = [[1, 1, 2], [0, 1, 0], [1, 0, 1]].map(GameCounts::from);
    assert!(counts.eq([first, second]));
}
