//! The statistics of a match: what must hold for all results, and how often the sequential test
//! errs.

use chacha20::ChaCha8Rng;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;

use vato_engine::board::Side;
use vato_tools::tournament::statistics::{
    Estimate, GameCounts, GameScore, Sprt, SprtDecision, SprtModel, Tally, score_of_elo,
};

const MODELS: [SprtModel; 2] = [SprtModel::Normalized, SprtModel::Logistic];

/// The score of a game, A's colour in it, and its pair.
type Played = (u32, Side, GameScore);

fn opposite(score: GameScore) -> GameScore {
    match score {
        GameScore::Loss => GameScore::Win,
        GameScore::Draw => GameScore::Draw,
        GameScore::Win => GameScore::Loss,
    }
}

fn tally(games: impl IntoIterator<Item = Played>) -> Tally {
    let mut tally = Tally::default();
    for (pair, colour, score) in games {
        tally.add(pair, colour, score, false);
    }
    tally
}

/// The games of a match whose pairs are all played by both colours, some not to the end, in an
/// order of their own.
fn matches() -> impl Strategy<Value = Vec<Played>> {
    let score = prop_oneof![
        Just(GameScore::Loss),
        Just(GameScore::Draw),
        Just(GameScore::Win)
    ];
    let games = prop::collection::vec(score, 0..60).prop_map(|scores| {
        let games = scores.into_iter().enumerate();
        games
            .map(|(index, score)| (index as u32 / 2, Side::BOTH[index % 2], score))
            .collect::<Vec<Played>>()
    });
    games.prop_shuffle()
}

fn counts() -> impl Strategy<Value = [u64; 5]> {
    let count = prop_oneof![Just(0), 0_u64..20, 0_u64..20_000];
    prop::array::uniform5(count)
}

fn pairs(pairs: [u64; 5]) -> Tally {
    Tally::from_counts(GameCounts::default(), GameCounts::default(), pairs)
}

/// Equal, or as near as rounding allows.
fn near(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-7 * one.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_games_does_not_matter(games in matches()) {
        let mut sorted = games.clone();
        sorted.sort_by_key(|(pair, colour, _)| (*pair, *colour));
        let (tally, sorted) = (tally(games.clone()), tally(sorted));
        prop_assert_eq!(tally.pairs, sorted.pairs);
        prop_assert_eq!(tally.games(), sorted.games());
        prop_assert_eq!(tally.games().games(), games.len() as u64);
        prop_assert_eq!(tally.complete_pairs(), games.len() as u64 / 2);
    }

    #[test]
    fn swapping_the_engines_negates(games in matches()) {
        let forth = tally(games.clone());
        let back = tally(
            games
                .into_iter()
                .map(|(pair, colour, score)| (pair, !colour, opposite(score))),
        );
        prop_assert_eq!(forth.games_of_white(), back.games_of_white());
        let (Some(forth), Some(back)) = (forth.figures(), back.figures()) else {
            prop_assert_eq!(forth.figures(), back.figures());
            return Ok(());
        };
        prop_assert_eq!(forth.basis, back.basis);
        prop_assert!(near(forth.score, 1.0 - back.score));
        let negated = |forth: Estimate, back: Estimate| {
            near(forth.value, -back.value)
                && near(forth.lower, -back.upper)
                && near(forth.upper, -back.lower)
        };
        prop_assert!(negated(forth.elo, back.elo), "{:?} {:?}", forth.elo, back.elo);
        prop_assert!(negated(forth.normalized_elo, back.normalized_elo));
        match (forth.los, back.los) {
            (Some(forth), Some(back)) => prop_assert!((forth + back - 1.0).abs() < 1e-9),
            (forth, back) => prop_assert_eq!(forth, back),
        }
    }

    #[test]
    fn bounds_hold_the_estimate(games in matches()) {
        if let Some(figures) = tally(games).figures() {
            for estimate in [figures.elo, figures.normalized_elo] {
                prop_assert!(estimate.lower <= estimate.value, "{:?}", estimate);
                prop_assert!(estimate.value <= estimate.upper, "{:?}", estimate);
            }
            prop_assert!((0.0..=1.0).contains(&figures.score));
            prop_assert!(figures.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
        }
    }

    #[test]
    fn the_ratio_is_antisymmetric(
        counts in counts(),
        elo0 in -200.0..100.0,
        width in 0.001..1.0,
        model in prop::sample::select(MODELS.to_vec()),
    ) {
        let elo1 = elo0 + width * (200.0 - elo0);
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model, skip_abandoned: false };
        prop_assert!(sprt.validate().is_ok());
        let ratio = sprt.log_likelihood_ratio(&pairs(counts));
        prop_assert!(ratio.is_finite());
        // The hypotheses change places.
        let swapped = Sprt { elo0: elo1, elo1: elo0, ..sprt };
        prop_assert!(near(swapped.log_likelihood_ratio(&pairs(counts)), -ratio));
        // The engines change places, and with them what is H0.
        let mirrored = Sprt { elo0: -elo1, elo1: -elo0, ..sprt };
        let mut reversed = counts;
        reversed.reverse();
        prop_assert!(near(mirrored.log_likelihood_ratio(&pairs(reversed)), -ratio));
    }

    #[test]
    fn a_better_result_is_more_elo(counts in prop::array::uniform5(1_u64..200), place in 0_usize..4) {
        let mut better = counts;
        better[place] -= 1;
        better[place + 1] += 1;
        let elo = |counts| pairs(counts).figures().expect("there are pairs").elo;
        prop_assert!(elo(better).value > elo(counts).value);
    }
}

/// A distribution of pairs shaped like `shape`, its chances of points tilted until `measure` has
/// the value `wanted`.
fn tilted(shape: [f64; 5], measure: impl Fn(&[f64; 5]) -> f64, wanted: f64) -> [f64; 5] {
    let tilt = |strength: f64| {
        let mut chances = shape;
        for (half_points, chance) in chances.iter_mut().enumerate() {
            *chance *= (strength * half_points as f64).exp();
        }
        let sum: f64 = chances.iter().sum();
        chances.map(|chance| chance / sum)
    };
    let (mut lower, mut upper) = (-5.0, 5.0);
    for _ in 0..100 {
        let middle = 0.5 * (lower + upper);
        if measure(&tilt(middle)) < wanted {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    tilt(lower)
}

/// The mean score and the normalised Elo of a distribution of pairs, by their definitions.
fn mean_and_normalized_elo(chances: &[f64; 5]) -> (f64, f64) {
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean: f64 = scores.iter().zip(chances).map(|(s, p)| s * p).sum();
    let variance: f64 = scores
        .iter()
        .zip(chances)
        .map(|(s, p)| p * (s - mean).powi(2))
        .sum();
    // A pair's mean score varies half as much as a game's score.
    let deviation = (2.0 * variance).sqrt();
    (mean, (mean - 0.5) / deviation * 800.0 / 10_f64.ln())
}

/// Plays `matches` matches to the decision of `sprt`, pairs drawn by `chances`, and returns how many
/// ended with H1, and the mean number of pairs.
fn simulate(sprt: Sprt, chances: [f64; 5], matches: u32, seed: u64) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let kinds = WeightedIndex::new(chances).expect("chances");
    let (mut accepted, mut played) = (0_u32, 0_u64);
    for _ in 0..matches {
        let mut counts = [0; 5];
        loop {
            counts[kinds.sample(&mut random)] += 1;
            played += 1;
            match sprt.state(&pairs(counts)).decision {
                SprtDecision::Continue => {}
                SprtDecision::AcceptH0 => break,
                SprtDecision::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
    }
    let matches = f64::from(matches);
    (f64::from(accepted) / matches, played as f64 / matches)
}

/// Rates of error of a test, where one of the hypotheses is exactly true and pairs are distributed
/// nearly as `shape` says.
fn assert_error_rates(sprt: Sprt, shape: [f64; 5]) {
    const MATCHES: u32 = 10_000;
    let Sprt { alpha, beta, .. } = sprt;
    let chances = |elo: f64| match sprt.model {
        SprtModel::Normalized => tilted(shape, |chances| mean_and_normalized_elo(chances).1, elo),
        SprtModel::Logistic => tilted(
            shape,
            |chances| mean_and_normalized_elo(chances).0,
            score_of_elo(elo),
        ),
    };
    let (false_positives, pairs0) = simulate(sprt, chances(sprt.elo0), MATCHES, 1);
    let (true_positives, pairs1) = simulate(sprt, chances(sprt.elo1), MATCHES, 2);
    let false_negatives = 1.0 - true_positives;
    println!(
        "{sprt:?}: {false_positives:.4} false positives ({pairs0:.1} pairs), \
         {false_negatives:.4} false negatives ({pairs1:.1} pairs)"
    );
    // Chance alone takes a rate that is right three standard errors too high once in 700 times.
    let most = |rate: f64| rate + 3.0 * (rate * (1.0 - rate) / f64::from(MATCHES)).sqrt();
    assert!(
        false_positives <= most(alpha),
        "false positives: {false_positives}"
    );
    assert!(
        false_negatives <= most(beta),
        "false negatives: {false_negatives}"
    );
    // A test that errs far less than it may, lasts longer than it need.
    assert!(
        false_positives >= alpha / 2.0,
        "false positives: {false_positives}"
    );
    assert!(
        false_negatives >= beta / 2.0,
        "false negatives: {false_negatives}"
    );
}

/// Also with uneven bounds, and with many draws.
#[test]
fn tests_err_as_often_as_they_may() {
    let usual = [0.1, 0.2, 0.4, 0.2, 0.1];
    let drawish = [0.01, 0.1, 0.78, 0.1, 0.01];
    for (model, elo1, [alpha, beta], shape) in [
        (SprtModel::Normalized, 60.0, [0.05, 0.05], usual),
        (SprtModel::Normalized, 60.0, [0.1, 0.02], usual),
        (SprtModel::Logistic, 30.0, [0.05, 0.05], drawish),
    ] {
        let sprt = Sprt {
            elo0: 0.0,
            elo1,
            alpha,
            beta,
            model,
            skip_abandoned: false,
        };
        assert_error_rates(sprt, shape);
    }
}
