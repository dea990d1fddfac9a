//! What scores stand for: those of training data, and the calibration of a network's outputs by a scale and the
//! win/draw/loss model.

use std::ops::RangeInclusive;

use super::data::Sample;
use super::data_set::{Example, NO_RESULT};
use super::{Settings, logistic};
use vato_engine::network::WdlModel;

/// The score, in centi-stones, that wins half of the games in the middle of which it is given.
const EVEN_CHANCE: f64 = 100.0;

/// Plies of the middle of the game, first and last, and others if those have too few positions.
const MIDDLE: [(u8, u8); 2] = [(28, 32), (25, 35)];
/// How many positions are enough for the first of them.
const ENOUGH: usize = 2_000;

/// Fewest positions, and won or lost ones among them, for a fit.
const FEWEST: usize = 200;
const FEWEST_DECIDED: usize = 30;

/// Plausible scales, in centi-stones.
const SCALES: RangeInclusive<f64> = 1.0..=20_000.0;

/// The scale, in centi-stones, of scores whose results do not tell it.
pub(super) const DEFAULT_SCORE_SCALE: f32 = 200.0;

/// The scales of scores that are looked among, in centi-stones.
const SCORE_SCALES: RangeInclusive<f64> = 10.0..=10_000.0;

/// Positions that it takes to tell a scale of scores.
const FEWEST_SCORES: usize = 100;

/// A position of a game with a result, and what the network, or a search with it, says of it.
type Judged = (Example, f32);

/// Those of games with a result.
pub(super) fn with_results(judged: impl Iterator<Item = Judged>) -> Vec<Judged> {
    judged
        .filter(|(example, _)| example.half_points != NO_RESULT)
        .collect()
}

/// The calibration of a network's outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Centi-stones for an output of 1: at ply 30, a score of 100 is won in half of the games.
    pub scale: f32,
    /// How many positions the scale was fitted to, and their first and last ply; `None` if they do not suffice and it is
    /// the mean score scale of the training data.
    pub scale_positions: Option<(usize, u8, u8)>,
    /// The win/draw/loss model.
    pub wdl_model: WdlModel,
    /// How many positions the win model was fitted to; `None` if they do not suffice and it is
    /// [`WdlModel::CLASSICAL`].
    pub wdl_model_positions: Option<usize>,
}

impl Calibration {
    /// Fits the scale and then the win model to these positions. What they do not tell, because they
    /// or the games won among them are too few or the network predicts nothing, is a default: the
    /// scale is `score_scale` then.
    pub(super) fn fit(judged: &[Judged], score_scale: f32) -> Calibration {
        let (scale, scale_positions) = fit_scale(judged).unzip();
        let scale = scale.unwrap_or(score_scale);
        let fitted = fit_win_model(judged, scale);
        Calibration {
            scale,
            scale_positions,
            wdl_model: fitted.unwrap_or(WdlModel::CLASSICAL),
            wdl_model_positions: fitted.map(|_| judged.len()),
        }
    }
}

/// The win/draw/loss model of the scores that searches gave, in centi-stones, in positions of games with a result;
/// `None` if these do not suffice. Where a search knew who wins, the model is not asked.
pub fn fit_wdl_model(samples: &[Sample]) -> Option<WdlModel> {
    // What an example is to be trained for does not matter.
    let settings = Settings::default();
    let judged = with_results(samples.iter().map(|sample| {
        let example = Example::new(sample, DEFAULT_SCORE_SCALE, &settings);
        (example, f32::from(sample.score))
    }));
    fit_win_model(&judged, 1.0)
}

/// The scale at which the side to move wins half of the games from positions in the middle with a
/// score of [`EVEN_CHANCE`].
fn fit_scale(judged: &[Judged]) -> Option<(f32, (usize, u8, u8))> {
    let from = |(first, last): (u8, u8)| {
        judged
            .iter()
            .filter(move |(example, _)| (first..=last).contains(&example.ply))
    };
    let [narrow, wide] = MIDDLE;
    let (first, last) = if from(narrow).count() >= ENOUGH {
        narrow
    } else {
        wide
    };
    let positions = || from((first, last));
    if !is_enough(positions()) {
        return None;
    }
    let [slope, offset] = logistic::fit(both_sides(positions(), |_, output| [output, 1.0]))?;
    // The output that wins half of the games.
    let even = -offset / slope;
    let scale = EVEN_CHANCE / even;
    let fitted = (positions().count(), first, last);
    (slope > 0.0 && SCALES.contains(&scale)).then_some((scale as f32, fitted))
}

/// The win model that makes the wins and losses of the positions the most likely.
///
/// A win of the side to move is one observation, a loss of it, with the score mirrored, another; the
/// curve of both is the same.
fn fit_win_model(judged: &[Judged], scale: f32) -> Option<WdlModel> {
    if !is_enough(judged.iter()) {
        return None;
    }
    let in_stones = f64::from(scale) / 100.0;
    let observations = both_sides(judged.iter(), |example, output| {
        let stones = f64::from(example.stones().max(2));
        let quiet_plies = f64::from(example.halfmove_clock) / 100.0;
        [output * in_stones, 1.0, 1.0 / stones, quiet_plies]
    });
    let [slope, offset, by_stones, by_quiet_plies] = logistic::fit(observations)?;
    let spread = 100.0 / slope;
    let model = WdlModel {
        margin: (-offset * spread) as f32,
        margin_per_stone: (-by_stones * spread) as f32,
        margin_per_quiet_ply: (-by_quiet_plies * spread / 100.0) as f32,
        spread: spread as f32,
    };
    (slope > 0.0 && SCALES.contains(&spread) && model.is_possible()).then_some(model)
}

fn is_enough<'a>(positions: impl Iterator<Item = &'a Judged> + Clone) -> bool {
    positions.clone().count() >= FEWEST
        && positions
            .filter(|(example, _)| example.half_points != 1)
            .count()
            >= FEWEST_DECIDED
}

/// Every position twice: as the side to move sees it, which may have won, and as the other sees it.
/// `numbers` makes the numbers of the regression of a position and the output for one of the sides.
fn both_sides<'a, const N: usize>(
    positions: impl Iterator<Item = &'a Judged> + Clone,
    numbers: impl Fn(&Example, f64) -> [f64; N] + Clone,
) -> impl Iterator<Item = ([f64; N], bool)> + Clone {
    positions.flat_map(move |(example, output)| {
        let output = f64::from(*output);
        [
            (numbers(example, output), example.half_points == 2),
            (numbers(example, -output), example.half_points == 0),
        ]
    })
}

/// The scale K, in centi-stones, for which `sigmoid(score / K)` predicts the results of the positions
/// best, by the logarithmic loss (a logistic regression with a single coefficient). `None` if the
/// positions do not tell: there are fewer than 100, or their results follow the scores too closely or
/// not at all.
pub(super) fn fit_score_scale(positions: impl Iterator<Item = Sample>) -> Option<f32> {
    let positions: Vec<(f64, f32)> = positions
        .filter(|sample| !sample.is_decided())
        .filter_map(|sample| Some((f64::from(sample.score), sample.points()?)))
        .collect();
    if positions.len() < FEWEST_SCORES {
        return None;
    }
    // A result is two observations: a draw is half won and half lost.
    let observations = positions
        .iter()
        .flat_map(|&(score, points)| [0.25, 0.75].map(|share| ([score], points > share)));
    let [inverse] = logistic::fit(observations)?;
    let scale = 1.0 / inverse;
    SCORE_SCALES.contains(&scale).then_some(scale as f32)
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use vato_engine::board::{Bitboard, BoardSize, Side};
    use vato_records::pgn::RecordResult;

    const MODEL: WdlModel = WdlModel {
        margin: 60.0,
        margin_per_stone: 800.0,
        margin_per_quiet_ply: 0.5,
        spread: 50.0,
    };
    const SCALE: f64 = 250.0;

    /// Positions of games that go by the model, if outputs are in units of the scale.
    fn judged(count: usize) -> Vec<Judged> {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        (0..count)
            .map(|_| {
                let ply = random.random_range(0..60);
                // In the middle there are 20 stones and no quiet plies: the margin is 100 centi-stones there.
                let (stones, quiet_plies) = if (25..=35).contains(&ply) {
                    (20, 0)
                } else {
                    (random.random_range(4..44), random.random_range(0..100))
                };
                let output: f64 = random.random_range(-2.0..2.0);
                let chance = |score: f64| MODEL.win(score as i32, stones, quiet_plies.into());
                let (win, loss) = (chance(output * SCALE), chance(-output * SCALE));
                let luck: f64 = random.random_range(0.0..1.0);
                let start = BoardSize::STANDARD.start();
                // As many stones as it has, whichever they are.
                let occupied = start.occupied().into_iter();
                let kept: Bitboard = occupied.take(stones as usize).collect();
                let example = Example {
                    own: start.stones(Side::White) & kept,
                    other: start.stones(Side::Black) & kept,
                    target: 0.0,
                    halfmove_clock: quiet_plies,
                    ply,
                    half_points: if luck < win {
                        2
                    } else if luck < win + loss {
                        0
                    } else {
                        1
                    },
                    can_capture: false,
                };
                (example, output as f32)
            })
            .collect()
    }

    fn is_near(found: f32, wanted: f64, share: f64) -> bool {
        (f64::from(found) / wanted - 1.0).abs() < share
    }

    fn assert_is_the_model(found: &WdlModel, share: f64) {
        for (found, wanted) in [
            (found.margin, MODEL.margin),
            (found.margin_per_stone, MODEL.margin_per_stone),
            (found.margin_per_quiet_ply, MODEL.margin_per_quiet_ply),
            (found.spread, MODEL.spread),
        ] {
            assert!(is_near(found, wanted.into(), share), "{found} for {wanted}");
        }
    }

    #[test]
    fn a_known_scale_and_model_are_found() {
        let found = Calibration::fit(&judged(200_000), 1.0);
        assert!(is_near(found.scale, SCALE, 0.03), "{found:?}");
        let middle = found.scale_positions.expect("enough");
        assert!(
            middle.0 > 10_000 && (middle.1, middle.2) == (28, 32),
            "{middle:?}"
        );
        assert_eq!(found.wdl_model_positions, Some(200_000));
        assert_is_the_model(&found.wdl_model, 0.06);
        // Few positions in the middle make it wider.
        let found = Calibration::fit(&judged(10_000), 1.0);
        assert!(matches!(found.scale_positions, Some((_, 25, 35))));
        assert!(is_near(found.scale, SCALE, 0.15), "{found:?}");
    }

    #[test]
    fn scores_of_searches_give_a_model_too() {
        let samples: Vec<Sample> = judged(100_000)
            .into_iter()
            .map(|(position, output)| Sample {
                stones: [position.own, position.other],
                side: Side::White,
                halfmove_clock: position.halfmove_clock,
                can_capture: false,
                score: (f64::from(output) * SCALE) as i16,
                ply: position.ply.into(),
                result: match position.half_points {
                    0 => RecordResult::BlackWins,
                    1 => RecordResult::Draw,
                    _ => RecordResult::WhiteWins,
                },
                game: 0,
                is_last: false,
            })
            .collect();
        assert_is_the_model(&fit_wdl_model(&samples).expect("enough"), 0.08);
        assert_eq!(fit_wdl_model(&samples[..100]), None);
    }

    #[test]
    fn what_does_not_tell_gives_defaults() {
        let drawn = |mut position: Judged| {
            position.0.half_points = 1;
            position
        };
        let upside_down = |mut position: Judged| {
            position.1 = -position.1;
            position
        };
        let all = judged(10_000);
        let sets: [Vec<Judged>; 4] = [
            Vec::new(),
            all[..150].to_vec(),
            all.iter().copied().map(drawn).collect(),
            all.iter().copied().map(upside_down).collect(),
        ];
        for set in sets {
            let found = Calibration::fit(&set, 321.0);
            assert_eq!((found.scale, found.scale_positions), (321.0, None));
            let model = (found.wdl_model, found.wdl_model_positions);
            assert_eq!(model, (WdlModel::CLASSICAL, None));
        }
    }

    fn scored(count: usize, scale: f64) -> impl Iterator<Item = Sample> {
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
            let fitted = f64::from(fit_score_scale(scored(40_000, scale)).expect("it tells"));
            assert!((fitted / scale - 1.0).abs() < 0.05, "{fitted} for {scale}");
        }
    }

    #[test]
    fn what_does_not_tell_gives_none() {
        assert_eq!(fit_score_scale(scored(99, 250.0)), None);
        let drawn = scored(1_000, 250.0).map(|sample| Sample {
            result: RecordResult::Draw,
            ..sample
        });
        assert_eq!(fit_score_scale(drawn), None);
        let certain = scored(1_000, 0.01).filter(|sample| sample.score != 0);
        assert_eq!(fit_score_scale(certain), None);
    }
}
