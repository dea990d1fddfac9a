//! Scores and Elo differences with their errors, in logistic and normalised Elo.

use std::f64::consts::SQRT_2;

use serde::Serialize;

use super::tally::{Sample, Tally, ratio};

/// Half the width of a 95 % confidence interval, in standard errors.
pub const MARGIN: f64 = 1.959_963_984_540_054;

/// Elo per unit of the log-odds: 400 / ln 10.
pub(super) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The normalised Elo of an expected score one standard deviation of a game above ½: 800 / ln 10. With this
/// factor both scales agree near 0 if there are no draws.
pub const NORMALIZED_ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The (logistic) Elo difference for an expected score per game.
///
/// -∞ for scores of 0 or less, +∞ for scores of 1 or more.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score per game, from 0 to 1, at a (logistic) Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// An estimate with its 95 % confidence interval.
///
/// All three numbers may be infinite: `null` in JSON, which has no infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl Estimate {
    /// Half the width of the interval, printed after `±`; may be infinite.
    pub fn margin(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }
}

/// The results added where there are too few: half a result of no points, and half a result of all.
const ADDED: f64 = 0.5;

/// Fewer results are too few for the normal distribution: their own variance says less than it seems to.
const FEWEST: u64 = 20;

/// The statistics of a match, from the view of the first engine.
///
/// Results may be too few for bounds: below 20 pairs, all equal, or the interval of the score reaches 0 or 1. Then
/// the Elo figures and LOS are those with a prior, one pair more (without pairs, one game) that is half won and half
/// lost.
/// Bounds and LOS come from one test then, as in Wilson's interval: the variance is that at the bound, and at ½, not
/// that at the score, which is next to nothing near 0 and 1. So the bounds leave 0 out where the LOS says so.
/// Sequential tests are not concerned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The basis of `score`, the Elo figures and their errors: complete `pairs`, whereby games of incomplete ones are
    /// ignored, or single `games`, as no pair is complete.
    pub basis: &'static str,
    /// Games of incomplete pairs, which only the score counts where pairs are the basis.
    pub unpaired: u64,
    /// The mean score per game, from 0 to 1.
    pub score: f64,
    /// Standard error of `score`; `None` if all results are equal.
    pub standard_error: Option<f64>,
    /// Whether `elo`, `normalized_elo` and `los` are with a prior, see above.
    pub with_prior: bool,
    /// Difference in (logistic) Elo.
    pub elo: Estimate,
    /// Difference in normalised Elo: (score - ½) / standard deviation of a game, times 800 / ln 10. It
    /// determines the length of a match, independent of the draw ratio.
    pub normalized_elo: Estimate,
    /// Likelihood of superiority: the probability that the true score is above ½, given a uniform prior.
    pub los: Option<f64>,
    /// The draw ratio of all games, from 0 to 1.
    pub draw_ratio: Option<f64>,
    /// The share of the complete pairs split 1-1, from 0 to 1; `None` without pairs.
    pub even_pairs_ratio: Option<f64>,
    /// The ratio of pairs won to pairs lost; +∞ (`null` in JSON) if none was lost, `None` if none was won
    /// either.
    pub pairs_ratio: Option<f64>,
}

impl Tally {
    /// The statistics of the match; `None` without games.
    ///
    /// The bounds are computed as in fastchess: the normal 95 % interval of the score, transformed to Elo;
    /// for normalised Elo the standard deviation is taken as known. With the prior the interval is that of the
    /// log-odds of the score, which has an end.
    pub fn figures(&self) -> Option<Figures> {
        let sample = self.sample();
        if sample.size() == 0 {
            return None;
        }
        let (score, variance) = sample.moments(0.0);
        let (basis, paired) = match sample {
            Sample::Games(_) => ("games", self.games().games()),
            Sample::Pairs(_) => ("pairs", 2 * self.complete_pairs()),
        };
        let size = sample.size() as f64;
        let standard_error = (variance > 0.0).then(|| (variance / size).sqrt());
        let margin = MARGIN * standard_error.unwrap_or(f64::INFINITY);
        let is_open = score - margin <= 0.0 || score + margin >= 1.0;
        let with_prior = is_open || sample.size() < FEWEST;
        // With the prior: the share of the variance that results without draws would have.
        let (likely, [lower, upper], deviations_above, share) = match standard_error {
            Some(error) if !with_prior => {
                let bounds = [score - margin, score + margin];
                (score, bounds, (score - 0.5) / error, None)
            }
            _ => {
                let (likely, variance) = sample.moments(ADDED);
                let share = variance / (likely * (1.0 - likely));
                // So many results without draws say as much.
                let size = (size + 2.0 * ADDED) / share;
                let deviations = (2.0 * likely - 1.0) * size.sqrt();
                (likely, wilson(likely, size), deviations, Some(share))
            }
        };
        let normalized = |score: f64| {
            let variance = share.map_or(variance, |share| share * score * (1.0 - score));
            normalized_elo(score, (variance * sample.games_each()).sqrt())
        };
        let estimate = |elo: &dyn Fn(f64) -> f64| Estimate {
            value: elo(likely),
            lower: elo(lower),
            upper: elo(upper),
        };
        let [lost_clearly, lost, even, won, won_clearly] = self.pairs;
        let (lost, won) = (lost_clearly + lost, won + won_clearly);
        Some(Figures {
            basis,
            unpaired: (self.games().games()).saturating_sub(paired + 2 * self.left_out),
            score,
            standard_error,
            with_prior,
            elo: estimate(&elo_of_score),
            normalized_elo: estimate(&normalized),
            los: Some(normal_cdf(deviations_above)),
            draw_ratio: self.games().draw_ratio(),
            even_pairs_ratio: ratio(even as f64, self.complete_pairs()),
            pairs_ratio: (lost + won > 0).then(|| won as f64 / lost as f64),
        })
    }
}

/// Wilson's 95 % interval of a score strictly between 0 and 1, of so many results without draws.
fn wilson(score: f64, size: f64) -> [f64; 2] {
    let square = MARGIN * MARGIN / size;
    let margin = (square * score * (1.0 - score) + square * square / 4.0).sqrt();
    [-margin, margin].map(|margin| (score + square / 2.0 + margin) / (1.0 + square))
}

/// The standard normal distribution: the probability of a value up to this one.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / SQRT_2) / 2.0
}

/// The normalised Elo of a score if a game has standard deviation `deviation`.
fn normalized_elo(score: f64, deviation: f64) -> f64 {
    let lead = score - 0.5;
    if lead == 0.0 {
        0.0
    } else {
        lead / deviation * NORMALIZED_ELO_PER_DEVIATION
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::statistics::{GameCounts, GameScore};
    use vato_engine::board::Side;

    fn games(wins: u64, losses: u64, draws: u64) -> Figures {
        let games = [wins, draws, losses].into();
        let tally = Tally::from_counts(games, GameCounts::default(), [0; 5]);
        tally.figures().expect("there are games")
    }

    fn pairs(pairs: [u64; 5]) -> Figures {
        let none = GameCounts::default();
        let tally = Tally::from_counts(none, none, pairs);
        tally.figures().expect("there are pairs")
    }

    /// Asserts equality after rounding to two decimals.
    fn assert_rounds_to(found: f64, wanted: f64) {
        let is_near = (found - wanted).abs() <= 0.005_001;
        assert!(is_near, "{found}, want {wanted}");
    }

    #[test]
    fn by_hand() {
        // 100 games, score 0.6, variance 0.2 · 0.6² + 0.4 · 0.1² + 0.4 · 0.4² = 0.14.
        let figures = games(40, 20, 40);
        assert_eq!(figures.basis, "games");
        assert!((figures.score - 0.6).abs() < 1e-12);
        let error = figures.standard_error.expect("results differ");
        assert!((error - 0.037_416_573_867_739_4).abs() < 1e-12);
        // 400 log10(0.6 / 0.4), and the same at 0.6 ± 1.959964 · 0.0374166.
        assert_rounds_to(figures.elo.value, 70.44);
        assert_rounds_to(figures.elo.lower, 18.55);
        assert_rounds_to(figures.elo.upper, 125.65);
        // 0.1 / √0.14 · 347.4356, ± 1.959964 · 347.4356 / √100.
        assert_rounds_to(figures.normalized_elo.value, 92.86);
        assert_rounds_to(figures.normalized_elo.margin(), 68.10);
        // Φ(0.1 / 0.0374166) = Φ(2.6726).
        assert!((figures.los.expect("results differ") - 0.996_237).abs() < 1e-6);
        assert_eq!(figures.draw_ratio, Some(0.4));
        assert_eq!(figures.even_pairs_ratio, None);
    }

    /// The values of fastchess, app/tests/elo_test.cpp, "EloWDL 1" to "EloWDL 3" and "EloPentanomial 1" to
    /// "EloPentanomial 3": normalised Elo, Elo, each with its margin, and LOS; NaN is not told there.
    #[test]
    fn figures_as_in_fastchess() {
        let none = f64::NAN;
        let clear = pairs([34, 54, 63, 64, 75]);
        let balanced = pairs([332, 433, 498, 333, 334]);
        let extreme = pairs([7895, 8757, 5685, 568, 9999]);
        for (figures, wanted) in [
            (games(76, 89, 123), [-20.76, 40.13, none, none, 15.53]),
            (games(136, 96, 111), [49.77, 36.77, 40.70, 30.43, 99.60]),
            (games(34, 356, 0), [-508.44, 34.48, none, none, none]),
            (clear, [57.94, 28.28, 55.58, 27.65, 100.0]),
            (balanced, [-9.17, 10.96, -8.64, 10.33, 5.05]),
            (extreme, [-19.01, 2.65, -21.04, 2.95, none]),
        ] {
            let los = 100.0 * figures.los.expect("results differ");
            let scales = [figures.normalized_elo, figures.elo];
            let scales = scales.map(|scale| [scale.value, scale.margin()]);
            let found = scales.as_flattened().iter().chain([&los]);
            for (found, wanted) in found.zip(wanted).filter(|(_, wanted)| !wanted.is_nan()) {
                assert_rounds_to(*found, wanted);
            }
        }
    }

    #[test]
    fn results_all_alike_have_bounds_by_the_prior() {
        // Five wins and half a win, half a loss: score 11/12 of 6.
        let figures = games(5, 0, 0);
        assert_eq!((figures.score, figures.standard_error), (1.0, None));
        assert!(figures.with_prior);
        assert_rounds_to(figures.elo.value, 400.0 * 11.0_f64.log10());
        // The bounds are the scores p whose distance is 1.96 √(p (1 - p) / 6).
        assert_rounds_to(figures.elo.lower, elo_of_score(0.516_817_051));
        assert_rounds_to(figures.elo.upper, elo_of_score(0.991_237_709));
        let los = normal_cdf(5.0 / 12.0 / (0.25_f64 / 6.0).sqrt());
        assert!((figures.los.expect("a figure") - los).abs() < 1e-12);
        let other = games(0, 5, 0);
        assert_rounds_to(other.elo.value, -figures.elo.value);
        assert_rounds_to(other.elo.lower, -figures.elo.upper);
        for (figures, elo) in [(games(0, 0, 5), 0.0), (pairs([0, 0, 3, 0, 0]), 0.0)] {
            assert!(figures.with_prior && figures.elo.margin().is_finite());
            assert_eq!((figures.elo.value, figures.los), (elo, Some(0.5)));
        }
        // More of the same is more certain.
        let margins = [1, 4, 40].map(|count| pairs([0, 0, count, 0, 0]).elo.margin());
        assert!(margins.is_sorted_by(|one, next| one > next), "{margins:?}");
        assert!(pairs([0, 0, 0, 4, 0]).normalized_elo.margin().is_finite());
        assert!(!games(40, 20, 40).with_prior);
    }

    /// Five pairs are 2.7 standard errors ahead; by Student's distribution the LOS is no more than 97.4 %.
    #[test]
    fn few_results_say_little() {
        let few = pairs([0, 0, 2, 3, 0]);
        assert!(few.with_prior && few.los < Some(0.95), "{few:?}");
        let many = pairs([0, 0, 8, 12, 0]);
        assert!(!many.with_prior && many.los > few.los, "{many:?}");
    }

    /// Whatever the results, the figures say one thing: bounds enclose their estimate and are finite, and both leave
    /// 0 out exactly where the LOS is beyond them.
    #[test]
    fn bounds_and_los_agree_however_few_results_there_are() {
        let all =
            (0..6_u64.pow(5)).map(|code| [0, 1, 2, 3, 4].map(|place| code / 6_u64.pow(place) % 6));
        let of_games = (1..216).map(|code| games(code % 6, code / 6 % 6, code / 36));
        for figures in all.filter(|all| *all != [0; 5]).map(pairs).chain(of_games) {
            let los = figures.los.expect("there are results");
            for estimate in [figures.elo, figures.normalized_elo] {
                let (value, lower, upper) = (estimate.value, estimate.lower, estimate.upper);
                let is_enclosed = lower <= value && value <= upper;
                assert!(is_enclosed && upper - lower < 1e4, "{figures:?}");
                if (0.025 - los).abs() > 1e-6 && (0.975 - los).abs() > 1e-6 {
                    assert_eq!(lower > 0.0, los > 0.975, "{figures:?}");
                    assert_eq!(upper < 0.0, los < 0.025, "{figures:?}");
                }
            }
        }
        let ten = pairs([0, 0, 0, 0, 5]);
        assert!(ten.elo.lower > 0.0 && ten.los > Some(0.975), "{ten:?}");
    }

    #[test]
    fn games_of_unfinished_pairs_are_told() {
        let mut tally = Tally::default();
        for (pair, colour) in [(1, Side::White), (1, Side::Black), (2, Side::White)] {
            assert_eq!(tally.figures().map_or(0, |figures| figures.unpaired), 0);
            tally.add(pair, colour, GameScore::Draw, false);
        }
        assert_eq!(tally.figures().expect("games").unpaired, 1);
    }

    #[test]
    fn an_interval_that_reaches_certainty_is_that_of_the_prior() {
        let figures = games(9, 1, 0);
        assert!(figures.with_prior);
        assert_rounds_to(figures.elo.value, elo_of_score(9.5 / 11.0));
        let json = serde_json::to_value(figures).expect("can be written");
        assert!(json["elo"]["upper"].is_number());
        assert_eq!(json["basis"], "games");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -200.0, -1.0, 0.0, 0.5, 70.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        // Odds of ten to one are 400 Elo; what is certain is infinitely far.
        assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert_eq!([1.0, 1.1].map(elo_of_score), [f64::INFINITY; 2]);
        assert_eq!([0.0, -0.1].map(elo_of_score), [f64::NEG_INFINITY; 2]);
        // Without draws the standard deviation of a game is one half, and both scales agree at 0.
        let normalized = (score_of_elo(1.0) - 0.5) / 0.5 * NORMALIZED_ELO_PER_DEVIATION;
        assert!((normalized - 1.0).abs() < 1e-5);
    }
}
