//! The statistics of a match: what must hold for all results, and how often the sequential test
//! errs.

use chacha20::ChaCha8Rng;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;

use vato_engine::board::Side;
use vato_tools::tournament::statistics::{
    Estimate, GameScore, Sprt, SprtDecision, SprtModel, Tally, score_of_elo,
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
    let mut tally = Tally::default();
    tally.pairs = pairs;
    tally
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

/// Plays `matches` matches to the decision of `sprt`, pairs drawn by `chances`, and returns the part of them that
/// ended with H1.
fn simulate(sprt: Sprt, chances: [f64; 5], matches: u32, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let kinds = WeightedIndex::new(chances).expect("chances");
    let mut play = || {
        let mut counts = [0; 5];
        loop {
            counts[kinds.sample(&mut random)] += 1;
            match sprt.state(&pairs(counts)).decision {
                SprtDecision::Continue => {}
                decision => return decision,
            }
        }
    };
    let accepted = (0..matches)
        .filter(|_| play() == SprtDecision::AcceptH1)
        .count();
    accepted as f64 / f64::from(matches)
}

/// Rates of error of a test, where one of the hypotheses is exactly true and pairs are distributed
/// nearly as `shape` says.
fn assert_error_rates(model: SprtModel, elo1: f64, [alpha, beta]: [f64; 2], shape: [f64; 5]) {
    const MATCHES: u32 = 10_000;
    let (elo0, skip_abandoned) = (0.0, false);
    let sprt = Sprt {
        elo0,
        elo1,
        alpha,
        beta,
        model,
        skip_abandoned,
    };
    let chances = |elo: f64| match model {
        SprtModel::Normalized => tilted(shape, |chances| mean_and_normalized_elo(chances).1, elo),
        SprtModel::Logistic => {
            let score = score_of_elo(elo);
            tilted(shape, |chances| mean_and_normalized_elo(chances).0, score)
        }
    };
    let false_positives = simulate(sprt, chances(elo0), MATCHES, 1);
    let false_negatives = 1.0 - simulate(sprt, chances(elo1), MATCHES, 2);
    for (found, rate) in [(false_positives, alpha), (false_negatives, beta)] {
        // Chance alone takes a rate that is right three standard errors too high once in 700 times.
        let most = rate + 3.0 * (rate * (1.0 - rate) / f64::from(MATCHES)).sqrt();
        // A test that errs far less than it may, lasts longer than it need.
        assert!(
            (rate / 2.0..=most).contains(&found),
            "{sprt:?}: {found}, allowed {rate}"
        );
    }
}

const FEW_DRAWS: [f64; 5] = [0.1, 0.2, 0.4, 0.2, 0.1];
const MANY_DRAWS: [f64; 5] = [0.01, 0.1, 0.78, 0.1, 0.01];

#[test]
fn error_rates_in_normalized_elo() {
    assert_error_rates(SprtModel::Normalized, 60.0, [0.05, 0.05], FEW_DRAWS);
}

#[test]
fn error_rates_with_uneven_bounds() {
    assert_error_rates(SprtModel::Normalized, 60.0, [0.1, 0.02], FEW_DRAWS);
}

#[test]
fn error_rates_in_logistic_elo_with_many_draws() {
    assert_error_rates(SprtModel::Logistic, 30.0, [0.05, 0.05], MANY_DRAWS);
}
