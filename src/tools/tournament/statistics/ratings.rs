//! Ratings of several engines from the games between them.
//!
//! The model is that of Roger R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in
//! Paired Comparison Experiments", Journal of the American Statistical Association 65 (1970): engines have
//! strengths `π`; between two of them the probabilities of win, draw and loss are proportional to
//! `π₁ : ν √(π₁ π₂) : π₂`, with the same `ν` for all. With the maximum-likelihood strengths the expected
//! points of every engine equal its actual points. Colours are not modelled: the formats balance them.
//!
//! Ratings are `ln π`, scaled like Bayeselo so that small differences agree with Elo: between equals the
//! expected score rises by `ln 10 / 1600` per unit. Without draws this is exactly the Elo scale. Bounds
//! come from the observed Fisher information of the strengths and `ν` together, with the anchor's rating
//! taken as known.

mod davidson;

use std::mem;

use serde::Serialize;

use self::davidson::fit;
pub use self::davidson::inverse;
use super::figures::MARGIN;
use super::{Estimate, GameCounts};

/// Ratings of several engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The engine whose rating is fixed.
    pub anchor: usize,
    /// The ratings, in the order of the engines.
    pub engines: Vec<Rating>,
    /// The probability of a draw between equal engines, from 0 to 1.
    pub draw_rate: f64,
    /// Whether one game, half won and half lost, was added to every pairing that has games. This is done if
    /// the ratings might otherwise diverge: a group of engines has won, or lost, everything against the
    /// rest; or there are draws, and no engines have beaten each other in a cycle (or both ways).
    pub with_added_games: bool,
}

/// An engine's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating in Elo; infinite bounds (`null` in JSON) are unknown. `None` if no games connect the
    /// engine with the anchor.
    pub elo: Option<Estimate>,
    /// The kind of its bounds.
    pub bounds: Bounds,
}

/// The kind of a rating's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// The anchor's rating, which is fixed.
    Given,
    /// A 95 % confidence interval.
    Known,
    /// A 95 % interval that the added games give, as a prior: without them the rating might be infinitely far from
    /// the anchor, see [`Ratings::with_added_games`].
    Prior,
    /// The fit gives none.
    Unknown,
    /// No games connect it with the anchor, so it has no rating.
    Unconnected,
}

impl Ratings {
    /// The maximum-likelihood ratings for `results`: `results[one][other]` are the games of `one` against
    /// `other` from the view of `one`, the reverse of `results[other][one]`. The anchor has the rating
    /// `elo`.
    ///
    /// `None` if the index `anchor` is out of range, or the anchor has no games: nothing is told of the others by it.
    pub fn of(results: &[Vec<GameCounts>], anchor: usize, elo: f64) -> Option<Ratings> {
        if anchor >= results.len() {
            return None;
        }
        let engines = 0..results.len();
        let connected = group(results, anchor, |counts| counts.games() > 0);
        if connected.len() < 2 {
            return None;
        }
        let comparable = comparable(results, &connected, anchor);
        let with_added_games = !connected.iter().all(|engine| comparable.contains(engine));
        let is_connected = |engine| connected.contains(&engine);
        let mut pairings = Vec::new();
        for one in engines.clone().filter(|&one| is_connected(one)) {
            for (other, counts) in results[one].iter().enumerate().skip(one + 1) {
                if counts.games() > 0 {
                    let counts = [counts.wins, counts.draws, counts.losses];
                    pairings.push(([one, other], counts.map(|count| count as f64)));
                }
            }
        }
        let given: Vec<bool> = engines
            .clone()
            .map(|engine| engine == anchor || !is_connected(engine))
            .collect();
        let fitted = fit(&given, pairings, with_added_games);
        let rating = |engine: usize| {
            let (bounds, margin) = match fitted.standard_error(engine) {
                _ if !is_connected(engine) => (Bounds::Unconnected, 0.0),
                _ if engine == anchor => (Bounds::Given, 0.0),
                None => (Bounds::Unknown, f64::INFINITY),
                Some(error) if comparable.contains(&engine) => (Bounds::Known, MARGIN * error),
                Some(error) => (Bounds::Prior, MARGIN * error),
            };
            let value = elo + fitted.elo(engine);
            let estimate = Estimate {
                value,
                lower: value - margin,
                upper: value + margin,
            };
            let elo = is_connected(engine).then_some(estimate);
            Rating { elo, bounds }
        };
        Some(Ratings {
            anchor,
            engines: engines.map(rating).collect(),
            draw_rate: fitted.draw_rate(),
            with_added_games,
        })
    }
}

/// The engines whose distances from the anchor are finite without added games.
///
/// Without draws the relative strengths are finite exactly within strongly connected components of the
/// graph with an edge from each engine to those that have scored against it (L. R. Ford, "Solution of a
/// Ranking Problem from Binary Comparisons", 1957). With draws, strengths and `ν` may still diverge
/// together unless `ν` is bounded, for which a cycle of engines that have beaten each other is sufficient.
/// (Other sufficient conditions are not tested.)
fn comparable(results: &[Vec<GameCounts>], connected: &[usize], anchor: usize) -> Vec<usize> {
    let has_draws = |&one: &usize| results[one].iter().any(|counts| counts.draws > 0);
    let is_in_cycle = |&one: &usize| group(results, one, |counts| counts.losses > 0).len() > 1;
    if connected.iter().any(has_draws) && !connected.iter().any(is_in_cycle) {
        return Vec::new();
    }
    group(results, anchor, |counts| counts.losses + counts.draws > 0)
}

/// The strongly connected component of an engine in the graph with an edge to each opponent for which `has_edge`
/// accepts the games, from the view of the edge's source.
fn group(
    results: &[Vec<GameCounts>],
    engine: usize,
    has_edge: impl Fn(&GameCounts) -> bool,
) -> Vec<usize> {
    let reached = |has_edge: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; results.len()];
        let mut open = vec![engine];
        while let Some(one) = open.pop() {
            if mem::replace(&mut reached[one], true) {
                continue;
            }
            open.extend(
                (0..results.len()).filter(|&other| !reached[other] && has_edge(one, other)),
            );
        }
        reached
    };
    let there = reached(&|one, other| has_edge(&results[one][other]));
    let back = reached(&|one, other| has_edge(&results[other][one]));
    (0..results.len())
        .filter(|&one| there[one] && back[one])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of results from the games of each pairing.
    fn table(engines: usize, games: &[(usize, usize, [u64; 3])]) -> Vec<Vec<GameCounts>> {
        let mut table = vec![vec![GameCounts::default(); engines]; engines];
        for &(one, other, counts) in games {
            let counts = GameCounts::from(counts);
            table[one][other] = table[one][other].plus(&counts);
            table[other][one] = table[other][one].plus(&counts.reversed());
        }
        table
    }

    fn elo(ratings: &Ratings, engine: usize) -> Estimate {
        ratings.engines[engine].elo.expect("connected")
    }

    fn assert_near(found: f64, wanted: f64, error: f64) {
        assert!((found - wanted).abs() < error, "{found}, want {wanted}");
    }

    #[test]
    fn two_engines_in_closed_form() {
        // ν = D / √(W L), ln π₁/π₂ = ln W/L; the scale is 400 / ln 10 · 2 / (2 + ν).
        let (wins, draws, losses) = (60.0_f64, 80.0, 20.0);
        let ratings = Ratings::of(&table(2, &[(0, 1, [60, 80, 20])]), 1, 100.0).expect("there is");
        let tie = draws / (wins * losses).sqrt();
        let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + tie);
        let wanted = 100.0 + scale * (wins / losses).ln();
        assert_near(elo(&ratings, 0).value, wanted, 1e-6);
        assert_near(ratings.draw_rate, tie / (2.0 + tie), 1e-9);
        assert_eq!(ratings.engines[1].bounds, Bounds::Given);
        assert_eq!(elo(&ratings, 1).value, 100.0);
        assert!(!ratings.with_added_games);
    }

    #[test]
    fn bounds_by_hand() {
        // W = L = 10, D = 20: ν = 2, d = 0. The utilities ±d/2 and ln ν have, for each game, the
        // variances p (win - loss)² / 4 = ½ / 4 in d; d and ln ν are uncorrelated. So the error of d
        // is 1 / √(40 / 8), the scale ½, and it does not depend on ν where d = 0.
        let ratings = Ratings::of(&table(2, &[(0, 1, [10, 20, 10])]), 1, 0.0).expect("there is");
        let found = elo(&ratings, 0);
        assert_near(found.value, 0.0, 1e-9);
        let error = 0.5 * 400.0 / std::f64::consts::LN_10 / 5.0_f64.sqrt();
        assert_near(found.margin(), 1.959_964 * error, 1e-3);
        assert_near(ratings.draw_rate, 0.5, 1e-9);
    }

    #[test]
    fn a_chain_of_opponents_adds_up() {
        // Without draws each encounter determines its own difference: 3 to 1, then 3 to 1 again.
        let results = table(3, &[(0, 1, [30, 0, 10]), (1, 2, [30, 0, 10])]);
        let ratings = Ratings::of(&results, 0, 0.0).expect("there is");
        let step = 400.0 * 3.0_f64.log10();
        assert_near(elo(&ratings, 1).value, -step, 1e-6);
        assert_near(elo(&ratings, 2).value, -2.0 * step, 1e-6);
        // The variances add up as well.
        let [near, far] = [1, 2].map(|engine| elo(&ratings, engine).margin());
        assert_near(far, near * 2.0_f64.sqrt(), 1e-6);
    }

    /// Asserts that the expected points of every engine equal its actual points, per game.
    fn assert_points(results: &[Vec<GameCounts>], ratings: &Ratings, error: f64) {
        // ν and the scale, derived from the published draw rate.
        let tie = 2.0 * ratings.draw_rate / (1.0 - ratings.draw_rate);
        let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + tie);
        for (engine, row) in results.iter().enumerate() {
            let (mut made, mut expected, mut games) = (0.0, 0.0, 0.0);
            for (other, counts) in row.iter().enumerate() {
                let half = (elo(ratings, engine).value - elo(ratings, other).value) / scale / 2.0;
                let sum = half.exp() + tie + (-half).exp();
                made += counts.points();
                expected += counts.games() as f64 * (half.exp() + tie / 2.0) / sum;
                games += counts.games() as f64;
            }
            assert_near(made / games, expected / games, error);
        }
    }

    /// The engine that won everything is infinitely far away; the other two are comparable with each other.
    #[test]
    fn who_wins_everything_has_the_bounds_of_the_added_games() {
        for games in [4, 1_000, 20_000, 1_000_000] {
            let swept = [games, 0, 0];
            let results = table(3, &[(0, 1, swept), (0, 2, swept), (1, 2, [60, 20, 40])]);
            let ratings = Ratings::of(&results, 1, 0.0).expect("there is");
            assert!(ratings.with_added_games);
            let winner = elo(&ratings, 0).value;
            assert!(winner > 100.0 && winner.is_finite(), "{ratings:?}");
            let bounds = |ratings: &Ratings| [0, 1, 2].map(|one| ratings.engines[one].bounds);
            let known = [Bounds::Prior, Bounds::Given, Bounds::Known];
            assert_eq!(bounds(&ratings), known);
            // With the winner as the anchor nothing is known of the others.
            let ratings = Ratings::of(&results, 0, 0.0).expect("there is");
            let unknown = [Bounds::Given, Bounds::Prior, Bounds::Prior];
            assert_eq!(bounds(&ratings), unknown);
        }
    }

    #[test]
    fn engines_that_no_game_connects_cannot_be_compared() {
        let results = table(5, &[(0, 1, [1, 1, 1]), (2, 3, [1, 1, 1])]);
        let ratings = Ratings::of(&results, 0, 0.0).expect("there is");
        assert_eq!(ratings.engines[1].bounds, Bounds::Known);
        for engine in &ratings.engines[2..] {
            assert_eq!((engine.bounds, engine.elo), (Bounds::Unconnected, None));
        }
        assert!(!ratings.with_added_games);
    }

    #[test]
    fn draws_do_not_bound_a_winner_without_losses() {
        // The distance may diverge together with ν: two wins and a draw do not bound it.
        let ratings = Ratings::of(&table(2, &[(0, 1, [2, 1, 0])]), 1, 0.0).expect("there is");
        assert!(ratings.with_added_games);
        assert_eq!(ratings.engines[0].bounds, Bounds::Prior);
        // 2½ to ½ wins: in closed form, as above.
        let tie = 1.0 / (2.5_f64 * 0.5).sqrt();
        let scale = 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + tie);
        assert_near(elo(&ratings, 0).value, scale * 5.0_f64.ln(), 1e-6);
        // Engines that have beaten each other in a cycle are bounded, with or without draws.
        let circle = [(0, 1, [1, 1, 0]), (1, 2, [1, 0, 0]), (2, 0, [1, 0, 0])];
        let ratings = Ratings::of(&table(3, &circle), 0, 0.0).expect("there is");
        assert!(!ratings.with_added_games);
        assert_eq!(ratings.engines[1].bounds, Bounds::Known);
    }

    #[test]
    fn nothing_but_draws_says_that_all_are_equal() {
        let results = table(3, &[(0, 1, [0, 4, 0]), (1, 2, [0, 4, 0])]);
        let ratings = Ratings::of(&results, 0, 50.0).expect("there is");
        assert_near(elo(&ratings, 2).value, 50.0, 1e-6);
        assert_eq!(ratings.engines[2].bounds, Bounds::Prior);
        assert!(ratings.draw_rate > 0.7, "{ratings:?}");
    }

    #[test]
    fn no_games_no_ratings_and_no_panic() {
        for (anchor, games) in [(2, &[][..]), (3, &[]), (0, &[(1, 2, [0, 4, 0])])] {
            assert_eq!(Ratings::of(&table(3, games), anchor, 0.0), None);
        }
        assert_eq!(Ratings::of(&[], 0, 0.0), None);
    }

    #[test]
    fn everybody_gets_the_points_that_it_made_however_lopsided() {
        for games in [2, 20_000, 100_000, 1_000_000_000] {
            for results in [
                table(3, &[(0, 1, [games, 0, 1]), (1, 2, [games, 1, 0])]),
                table(3, &[(0, 1, [games, 0, 1]), (1, 2, [1, 0, games])]),
                table(3, &[(0, 1, [games, 9, 1]), (1, 2, [1, 0, games])]),
            ] {
                let ratings = Ratings::of(&results, 0, 0.0).expect("there is");
                assert_points(&results, &ratings, 1e-10);
                for engine in [1, 2] {
                    assert_eq!(ratings.engines[engine].bounds, Bounds::Known, "{ratings:?}");
                    assert!(elo(&ratings, engine).margin() < 2000.0, "{ratings:?}");
                }
            }
        }
    }
}
