//! A training example.

use super::Settings;
use super::settings::PositionFilter;
use crate::training::data::Sample;
use vato_engine::board::Bitboard;
use vato_engine::random::split_mix;

/// [`Example::half_points`] of a position without a result.
pub(super) const NO_RESULT: u8 = u8::MAX;

/// A training example from the view of the side to move, in 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Example {
    /// The stones of the side to move.
    pub(super) own: Bitboard,
    /// The stones of the other side.
    pub(super) other: Bitboard,
    /// The target: expected points, 0 to 1.
    pub(super) target: f32,
    /// Plies since the game began, at most 255.
    pub(super) ply: u8,
    /// Plies since the last capture.
    pub(super) halfmove_clock: u8,
    /// The result for the side to move: 0 lost, 1 drawn, 2 won, [`NO_RESULT`] if it has none.
    pub(super) half_points: u8,
    pub(super) can_capture: bool,
}

const _: () = assert!(size_of::<Example>() == 24);

impl Example {
    /// The example of a position of a game: its target is a mixture of what its score stands for, at
    /// `score_scale` centi-stones for each e in the odds, and its result, if it has one.
    pub(super) fn new(sample: &Sample, score_scale: f32, settings: &Settings) -> Example {
        let (score_weight, most_score) = (settings.score_weight, f32::from(settings.most_score));
        let score = f32::from(sample.score).clamp(-most_score, most_score);
        let expected = sigmoid(score / score_scale);
        // Where it is known who wins, what was made of it tells nothing more.
        let points = sample.points().filter(|_| !sample.is_decided());
        Example {
            own: sample.own(),
            other: sample.other(),
            target: match points {
                Some(points) => score_weight * expected + (1.0 - score_weight) * points,
                None => expected,
            },
            ply: u8::try_from(sample.ply).unwrap_or(u8::MAX),
            halfmove_clock: sample.halfmove_clock,
            half_points: points.map_or(NO_RESULT, |points| (2.0 * points) as u8),
            can_capture: sample.can_capture,
        }
    }

    #[inline(always)]
    pub(super) const fn stones(&self) -> u32 {
        self.own.count() + self.other.count()
    }
}

/// The points that an output of the network, or a score in units of its scale, stands for.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Whether the settings select this position.
pub(super) fn is_wanted(settings: &Settings, sample: &Sample) -> bool {
    sample.ply >= settings.skip_plies
        && (settings.positions == PositionFilter::All || !sample.can_capture)
}

/// Whether the game with this number is one of the `share` that is held out. The same in every
/// training, whatever its seed.
pub(super) fn is_held_out(game: u16, share: f32) -> bool {
    let fraction = (split_mix(u64::from(game)) >> 40) as f32 / (1_u64 << 24) as f32;
    fraction < share
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::board::{BoardSize, Side};
    use vato_engine::notation::pgn::RecordResult;

    fn sample() -> Sample {
        let start = BoardSize::STANDARD.start();
        Sample {
            stones: Side::BOTH.map(|side| start.stones(side)),
            side: Side::Black,
            halfmove_clock: 0,
            can_capture: true,
            score: 200,
            ply: 7,
            result: RecordResult::WhiteWins,
            game: 3,
            is_last: false,
        }
    }

    #[test]
    fn targets_mix_scores_and_results_of_the_side_to_move() {
        let sample = sample();
        let settings = Settings {
            score_weight: 0.75,
            most_score: 400,
            ..Settings::default()
        };
        let example = Example::new(&sample, 200.0, &settings);
        assert_eq!(example.own, sample.stones[1]);
        assert_eq!(example.half_points, 0);
        let wanted = 0.75 / (1.0 + (-1.0_f32).exp());
        assert!((example.target - wanted).abs() < 1e-6);
        // What is known counts for itself, and so does what has no result.
        for (score, result) in [(30_000, sample.result), (500, RecordResult::Unfinished)] {
            let sample = Sample {
                score,
                result,
                ..sample
            };
            let example = Example::new(&sample, 200.0, &settings);
            assert_eq!(example.half_points, NO_RESULT);
            assert!((example.target - 1.0 / (1.0 + (-2.0_f32).exp())).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_not_wanted_is_left_out() {
        let mut settings = Settings::default();
        let sample = sample();
        assert!(is_wanted(&settings, &sample));
        settings.skip_plies = 8;
        assert!(!is_wanted(&settings, &sample));
        settings.skip_plies = 7;
        assert!(is_wanted(&settings, &sample));
        settings.positions = PositionFilter::Quiet;
        assert!(!is_wanted(&settings, &sample));
    }

    #[test]
    fn about_the_share_of_the_games_is_held_out() {
        let count = (0..=u16::MAX)
            .filter(|&game| is_held_out(game, 0.02))
            .count();
        assert!((1_200..1_420).contains(&count), "{count}");
        assert!((0..100).all(|game| !is_held_out(game, 0.02) || is_held_out(game, 0.1)));
    }
}
