//! The network header, and the win/draw/loss model.

use serde::{Deserialize, Serialize};

use super::architecture::Architecture;

const MAX_SCALE: f32 = 1_000_000.0;

/// The network header: everything but the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub(super) architecture: Architecture,
    /// Units of the search for each unit of the output, which is the logit of the points that the side
    /// to move expects. The search's margins are meant for units that stay the same from network to
    /// network. More than 0, at most 1,000,000.
    pub search_scale: f32,
    /// Centi-stones for each unit of the output, as they are shown: such that at ply 30 of a game of the
    /// engine against itself 100 of them are won as often as not. More than 0, at most 1,000,000.
    pub scale: f32,
    /// How likely the side to move is to win at a score.
    #[serde(rename = "win_model")]
    pub wdl_model: WdlModel,
    /// Training description, free text.
    pub trained: String,
}

impl Header {
    /// A header with these values: see the fields.
    pub fn new(search_scale: f32, scale: f32, wdl_model: WdlModel, trained: String) -> Header {
        Header {
            architecture: Architecture::STANDARD,
            search_scale,
            scale,
            wdl_model,
            trained,
        }
    }

    pub(super) fn is_standard(&self) -> bool {
        self.architecture == Architecture::STANDARD
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if !self.is_standard() {
            return Err(format!(
                "of the architecture '{}': expected '{}'",
                self.architecture,
                Architecture::STANDARD
            ));
        }
        for scale in [self.search_scale, self.scale] {
            // NaN fails this test too.
            if !(scale > 0.0 && scale <= MAX_SCALE) {
                return Err(format!(
                    "a scale of {scale}: expected more than 0 and at most {MAX_SCALE}"
                ));
            }
        }
        if !self.wdl_model.is_possible() {
            let WdlModel {
                margin,
                margin_per_stone,
                margin_per_quiet_ply,
                spread,
            } = self.wdl_model;
            return Err(format!(
                "a WDL model of margin {margin}, margin per stone {margin_per_stone}, margin per quiet \
                 ply {margin_per_quiet_ply} and spread {spread}: expected numbers, and a spread of more \
                 than 0"
            ));
        }
        Ok(())
    }
}

/// How likely the side to move is to win an undecided position, as a logistic curve over the score: 1
/// / (1 + exp((a − score) / spread)), where a = margin + margin_per_stone / stones +
/// margin_per_quiet_ply × plies since the last capture. Losing is its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WdlModel {
    /// The score, in centi-stones, at which the chance of winning is ½, in the limit of many stones.
    pub margin: f32,
    /// Added to the margin after division by the stones on the board: wins are rarer with few stones. Centi-stones times stones.
    pub margin_per_stone: f32,
    /// Added to the margin for each ply since the last capture: an advantage that has led to nothing is worth less.
    /// Centi-stones a ply.
    #[serde(default)]
    pub margin_per_quiet_ply: f32,
    /// Centi-stones over which the odds of winning grow by e; more than 0.
    pub spread: f32,
}

impl WdlModel {
    /// That of the hand-made evaluation, fitted to some 100,000 positions of games at 20,000 nodes a move;
    /// the fallback for networks whose games do not suffice for a fit.
    pub const CLASSICAL: WdlModel = WdlModel {
        margin: 112.0,
        margin_per_stone: 1_240.0,
        margin_per_quiet_ply: 0.0,
        spread: 80.0,
    };

    /// Whether all numbers are finite and the spread is more than 0.
    pub fn is_possible(&self) -> bool {
        let margins = [
            self.margin,
            self.margin_per_stone,
            self.margin_per_quiet_ply,
        ];
        margins.iter().all(|margin| margin.is_finite())
            && self.spread.is_finite()
            && self.spread > 0.0
    }

    /// The chance of winning, from 0 to 1, of the side that has this score in centi-stones, with so
    /// many stones on the board and plies since the last capture; fewer than two stones count as two.
    pub fn win(&self, score: i32, stones: u32, quiet_plies: u16) -> f64 {
        let margin = f64::from(self.margin)
            + f64::from(self.margin_per_stone) / f64::from(stones.max(2))
            + f64::from(self.margin_per_quiet_ply) * f64::from(quiet_plies);
        1.0 / (1.0 + ((margin - f64::from(score)) / f64::from(self.spread)).exp())
    }

    /// Win, draw and loss chances of this score, in thousandths, in games of the engine against itself; they add up to
    /// 1000. A logistic curve for wins and its mirror image for losses, as in Stockfish's model.
    pub fn win_draw_loss(&self, score: i32, stones: u32, quiet_plies: u16) -> [u32; 3] {
        let chance = |score| (1000.0 * self.win(score, stones, quiet_plies)).round() as u32;
        let win = chance(score);
        let loss = chance(-score).min(1000 - win);
        [win, 1000 - win - loss, loss]
    }

    /// The score that this side can expect, from 0 (loss) over ½ (draw) to 1 (win): the chance of
    /// winning plus half the chance of a draw.
    pub fn expected_score(&self, score: i32, stones: u32, quiet_plies: u16) -> f64 {
        let win = |score| self.win(score, stones, quiet_plies);
        (1.0 + (win(score) - win(-score))) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: WdlModel = WdlModel {
        margin: 100.0,
        margin_per_stone: 1_000.0,
        margin_per_quiet_ply: 0.5,
        spread: 80.0,
    };

    #[test]
    fn the_curve_goes_through_the_margin() {
        // The last is no division by zero.
        for (score, stones, plies) in [(200, 10, 0), (230, 10, 60), (600, 2, 0), (600, 0, 0)] {
            assert_eq!(MODEL.win(score, stones, plies), 0.5);
        }
        let odds = MODEL.win(280, 10, 0) / (1.0 - MODEL.win(280, 10, 0));
        assert!((odds - std::f64::consts::E).abs() < 1e-9);
        assert!(MODEL.win(20_000, 44, 0) > 0.999_999);
        assert!(MODEL.win(-20_000, 44, 0) < 0.000_001);
        let chances: Vec<f64> = (-50..50)
            .map(|score| MODEL.win(10 * score, 20, 0))
            .collect();
        assert!(chances.is_sorted());
    }

    #[test]
    fn expected_scores_of_both_sides_add_up() {
        for stones in [2, 5, 20, 44] {
            assert_eq!(MODEL.expected_score(0, stones, 9), 0.5);
            let expected = |score| MODEL.expected_score(score, stones, 9);
            let all: Vec<f64> = (-99..99).map(|score| expected(20 * score)).collect();
            assert!(all.is_sorted() && all.iter().all(|one| (0.0..=1.0).contains(one)));
            for score in (-2_000..=2_000).step_by(50) {
                assert!((expected(score) + expected(-score) - 1.0).abs() < 1e-12);
                let rate = |score| WdlModel::CLASSICAL.win_draw_loss(score, stones, 0);
                let [win, draw, loss] = rate(score);
                assert_eq!(win + draw + loss, 1000);
                assert!(win.abs_diff(rate(-score)[2]) <= 1);
            }
        }
        // A fifth is won, the rest drawn or nearly so.
        let win = MODEL.win(100, 10, 0);
        assert!((MODEL.expected_score(100, 10, 0) - (0.5 + win / 2.0)).abs() < 0.02);
    }

    #[test]
    fn impossible_numbers_are_told() {
        assert!(MODEL.is_possible());
        for spread in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(!WdlModel { spread, ..MODEL }.is_possible());
        }
        for number in [f32::NAN, f32::NEG_INFINITY] {
            let mut wrong = [MODEL; 3];
            wrong[0].margin = number;
            wrong[1].margin_per_stone = number;
            wrong[2].margin_per_quiet_ply = number;
            assert!(!wrong.iter().any(WdlModel::is_possible), "{number}");
        }
    }
}
