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
    (0..=scores.len())
        .take(format.games(encounter, &scores) as usize)
        .map(|game| {
            let game = format.game(encounter, game as u32, [0, 1], &scores);
            (game.vela, game.players[0])
        })
        .collect()
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
fn the_loser_plays_the_vela_as_white() {
    assert_eq!(games(0, &[]), [(false, 0)]);
    assert_eq!(games(0, &[Win]), [(false, 0), (true, 1)]);
    assert_eq!(games(0, &[Loss]), [(false, 0), (true, 0)]);
    // In the second round the other engine plays White first.
    assert_eq!(games(1, &[Loss]), [(false, 1), (true, 0)]);
}

#[test]
fn who_wins_both_games_wins_the_round() {
    assert_eq!(outcome(&[Win]), None);
    assert_eq!(outcome(&[Win, Win]), Some(Win));
    assert_eq!(outcome(&[Loss, Loss]), Some(Loss));
    assert_eq!(games(0, &[Loss, Loss]).len(), 2, "and it is over");
}

#[test]
fn a_round_that_the_eater_wins_starts_again() {
    assert_eq!(outcome(&[Win, Loss]), None);
    let wanted = [(false, 0), (true, 1), (false, 1)];
    assert_eq!(games(0, &[Win, Loss]), wanted);
    assert_eq!(outcome(&[Win, Loss, Loss, Loss]), Some(Loss));
}

#[test]
fn drawn_games_are_played_again() {
    // A drawn normal game is replayed with colours swapped,
    assert_eq!(games(0, &[Draw]), [(false, 0), (false, 1)]);
    // a drawn vela with the same colours.
    let wanted = [(false, 0), (true, 1), (true, 1)];
    assert_eq!(games(0, &[Win, Draw]), wanted);
    assert_eq!(outcome(&[Draw, Win, Draw, Win]), Some(Win));
}

#[test]
fn a_round_without_end_is_drawn() {
    assert_eq!(outcome(&[Draw; 5]), None);
    assert_eq!(outcome(&[Draw; 6]), Some(Draw));
    assert_eq!(games(0, &[Draw; 6]).len(), 6);
    assert_eq!(outcome(&[Draw, Draw, Draw, Draw, Win, Draw]), Some(Draw));
    // The last permitted game may decide the round.
    assert_eq!(outcome(&[Draw, Draw, Draw, Draw, Win, Win]), Some(Win));
}

#[test]
fn rounds_are_told_one_by_one() {
    let mut results = Results::default();
    for (encounter, scores) in [
        (0, &[Win, Win][..]),
        (1, &[Draw; 6]),
        (2, &[Win]),
        (3, &[Loss; 2]),
    ] {
        for (game, &score) in scores.iter().enumerate() {
            assert!(results.add(encounter, game as u32, score));
        }
    }
    let told = FORMAT().round_by_round(&results);
    assert_eq!(told, ["1 (2 games)", "½ (6 games)", "0 (2 games)"]);
}

#[test]
fn two_rounds_are_a_pair_and_share_their_openings() {
    let format = FORMAT();
    let first = |encounter| format.game(encounter, 0, [0, 1], &[]);
    let openings: Vec<(u32, u32, usize)> = (0..4)
        .map(|encounter| {
            (
                first(encounter).pair,
                first(encounter).opening,
                first(encounter).players[0],
            )
        })
        .collect();
    assert_eq!(openings, [(1, 0, 0), (1, 0, 1), (2, 12, 0), (2, 12, 1)]);
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
        assert_eq!(opening(encounter, &[wins]), (true, 0));
        assert_eq!(opening(encounter, &[wins, Draw]), (true, 2));
        assert_eq!(opening(encounter, &[loses]), (true, 1));
        assert_eq!(opening(encounter, &[loses, Draw]), (true, 3));
        assert_eq!(opening(encounter, &[wins, loses, loses]), (true, 1));
        assert_eq!(opening(encounter, &[wins, loses, Draw, wins]), (true, 2));
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
    assert_eq!(
        format.opening(9, u32::MAX),
        4 * MOST_OPENINGS + MOST_OPENINGS - 1
    );
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
            assert_eq!(
                format.rounds.encounters_of(Some(part)),
                count as u64,
                "{engines}, {rounds}"
            );
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
    let mut results = Results::default();
    for (encounter, scores) in [(0, &[Draw, Win, Loss, Loss, Draw][..]), (1, &[Win, Win])] {
        for (game, &score) in scores.iter().enumerate() {
            assert!(results.add(encounter, game as u32, score));
        }
    }
    let counts = |wins, draws, losses| GameCounts {
        wins,
        draws,
        losses,
    };
    let first = VelaFigures {
        normal: counts(2, 1, 1),
        as_giver: counts(1, 0, 1),
        as_eater: counts(0, 1, 0),
    };
    let second = VelaFigures {
        normal: counts(1, 1, 2),
        as_giver: counts(0, 1, 0),
        as_eater: counts(1, 0, 1),
    };
    assert_eq!(FORMAT().figures(2, &results), [first, second]);
}
