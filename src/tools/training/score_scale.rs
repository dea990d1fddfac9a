//! What the scores of a file of training data stand for.

use std::ops::RangeInclusive;

use super::logistic;
use crate::training::data::Sample;

/// The scale, in centi-stones, of scores whose results do not tell it.
pub const DEFAULT_SCORE_SCALE: f32 = 200.0;

/// The scales that are looked among, in centi-stones.
const SCALES: RangeInclusive<f64> = 10.0..=10_000.0;

/// Positions that it takes to tell a scale.
const FEWEST: usize = 100;

/// The scale K, in centi-stones, for which `sigmoid(score / K)` predicts the results of the positions
/// best, by the logarithmic loss (a logistic regression with a single coefficient). `None` if the
/// positions do not tell: there are fewer than 100, or their results follow the scores too closely or
/// not at all.
pub(super) fn fit_score_scale(positions: impl Iterator<Item = Sample>) -> Option<f32> {
    let positions: Vec<(f64, f32)> = positions
        .filter(|sample| !sample.is_decided())
        .filter_map(|sample| Some((f64::from(sample.score), sample.points()?)))
        .collect();
    if positions.len() < FEWEST {
        return None;
    }
    // A result is two observations: a draw is half won and half lost.
    let observations = positions
        .iter()
        .flat_map(|&(score, points)| [0.25, 0.75].map(|share| ([score], points > share)));
    let [inverse] = logistic::fit(observations)?;
    let scale = 1.0 / inverse;
    SCALES.contains(&scale).then_some(scale as f32)
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use vato_engine::board::{BoardSize, Side};
    use vato_engine::notation::pgn::RecordResult;

    fn positions(count: usize, scale: f64) -> impl Iterator<Item = Sample> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let start = BoardSize::STANDARD.start();
        (0..count).map(move |_| {
            let score = random.random_range(-600..=600_i16);
            let wins = random.random_bool(1.0 / (1.0 + (-f64::from(score) / scale).exp()));
            Sample {
                stones: Side::BOTH.map(|side| start.stones(side)),
                side: Side::White,
                halfmove_clock: 0,
                can_capture: true,
                score,
                ply: 0,
                result: match wins {
                    true => RecordResult::WhiteWins,
                    false => RecordResult::BlackWins,
                },
                game: 0,
                is_last: false,
            }
        })
    }

    #[test]
    fn a_known_scale_is_found() {
        for scale in [80.0, 250.0, 700.0] {
            let fitted = f64::from(fit_score_scale(positions(40_000, scale)).expect("it tells"));
            assert!((fitted / scale - 1.0).abs() < 0.05, "{fitted} for {scale}");
        }
    }

    #[test]
    fn what_does_not_tell_gives_none() {
        assert_eq!(fit_score_scale(positions(99, 250.0)), None);
        let drawn = positions(1_000, 250.0).map(|sample| Sample {
            result: RecordResult::Draw,
            ..sample
        });
        assert_eq!(fit_score_scale(drawn), None);
        let certain = positions(1_000, 0.01).filter(|sample| sample.score != 0);
        assert_eq!(fit_score_scale(certain), None);
    }
}
