//! The sequential probability ratio test: when a match has lasted long enough.

use serde::{Deserialize, Serialize};

use super::figures::{NORMALIZED_ELO_PER_DEVIATION, score_of_elo};
use super::likelihood::Frequencies;
use super::tally::{Sample, Tally};
use crate::tournament::settings::SettingsError;

/// The largest difference that a hypothesis may name, in Elo of either kind.
const MOST_ELO: f64 = 200.0;

/// The scale of the hypotheses' differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo: the lead over an even score in standard deviations of a game, times
    /// 800 / ln 10. How long a test takes depends on the hypotheses alone, not on the draws.
    #[default]
    Normalized,
    /// (Logistic) Elo: the score.
    Logistic,
}

/// A generalised sequential probability ratio test (GSPRT).
///
/// After each pair it compares how well the results agree with each of two hypotheses about A's
/// difference to B: H0 that it is `elo0` (or less), H1 that it is `elo1` (or more). The match ends
/// when the log-likelihood ratio leaves the bounds ln(β / (1 - α)) and ln((1 - β) / α). See Michel
/// Van den Bergh, "Comments on Normalized Elo"
/// (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under H0, from -200 to 200 in the model's Elo.
    pub elo0: f64,
    /// The difference under H1, above `elo0`, up to 200.
    pub elo1: f64,
    /// How often H1 may be accepted if the difference is `elo0`: above 0, below 0.5.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often H0 may be accepted if the difference is `elo1`: above 0, below 0.5.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The scale of both differences.
    #[serde(default)]
    pub model: SprtModel,
}

fn five_percent() -> f64 {
    0.05
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// Undecided: play on.
    Continue,
    /// The difference is below `elo1`.
    AcceptH0,
    /// The difference is above `elo0`.
    AcceptH1,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// Log-likelihood ratio: above zero H1 explains the results better, below zero H0.
    pub llr: f64,
    /// H0 is accepted when `llr` is here or below.
    pub lower: f64,
    /// H1 is accepted when `llr` is here or above.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

impl Sprt {
    /// Checks the numbers.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let Sprt { elo0, elo1, .. } = *self;
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MOST_ELO..=MOST_ELO).contains(&value) {
                let expected = format_args!("a number from -{MOST_ELO} to {MOST_ELO}");
                return Err(SettingsError::value(name, value, expected));
            }
        }
        if elo0 >= elo1 {
            return Err(SettingsError::value(
                "elo0",
                elo0,
                format!("less than elo1 = {elo1}"),
            ));
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SettingsError::value(
                    name,
                    value,
                    "a number above 0 and below 0.5",
                ));
            }
        }
        Ok(())
    }

    /// The lower and the upper bound of the log-likelihood ratio: ln(β / (1 - α)) and
    /// ln((1 - β) / α), after Abraham Wald.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The generalised log-likelihood ratio of H1 to H0, natural logarithm; 0 without games.
    ///
    /// From complete pairs, or from games as long as no pair is complete. The numbers have to be
    /// [valid](Sprt::validate); else the result means nothing.
    pub fn log_likelihood_ratio(&self, tally: &Tally) -> f64 {
        let sample = tally.sample();
        if sample.size() == 0 {
            return 0.0;
        }
        match sample {
            Sample::Games(counts) => self.ratio(counts, 1.0),
            Sample::Pairs(counts) => self.ratio(counts, 2.0),
        }
    }

    fn ratio<const N: usize>(&self, counts: [u64; N], games_each: f64) -> f64 {
        let frequencies = Frequencies::new(counts);
        let loss = |elo: f64| match self.model {
            SprtModel::Logistic => frequencies.loss_for_mean(score_of_elo(elo)),
            // The points a game of a pair vary less than those of a game, by √2.
            SprtModel::Normalized => {
                let t = elo / NORMALIZED_ELO_PER_DEVIATION * games_each.sqrt();
                frequencies.loss_for_t_value(t)
            }
        };
        loss(self.elo0) - loss(self.elo1)
    }

    /// How many games the test is expected to take in all, those played included.
    ///
    /// The ratio is taken for a Brownian motion, of which Abraham Wald, "Sequential Analysis" (1947),
    /// gives the mean time to leave the bounds. Its variance a game is the squared distance of the
    /// hypotheses in standard deviations of a game, v. Its drift is that of the walk so far, where a
    /// normal prior of deviation v (twice the drift under either hypothesis) counts as 1/v games.
    pub fn expected_games(&self, tally: &Tally) -> f64 {
        let (mut lower, mut upper) = self.bounds();
        let mut llr = self.log_likelihood_ratio(tally).clamp(lower, upper);
        let played = tally.games().games() as f64;
        let distance = match self.model {
            SprtModel::Normalized => (self.elo1 - self.elo0) / NORMALIZED_ELO_PER_DEVIATION,
            SprtModel::Logistic => {
                let sample = tally.sample();
                let games_each = match sample {
                    Sample::Games(_) => 1.0,
                    Sample::Pairs(_) => 2.0,
                };
                let variance = games_each * sample.moments().1;
                // Without results, or with equal ones, as if half of the games were drawn.
                let variance = if variance > 0.0 { variance } else { 0.125 };
                (score_of_elo(self.elo1) - score_of_elo(self.elo0)) / variance.sqrt()
            }
        };
        let variance = distance * distance;
        let drift = llr / (played + 1.0 / variance);
        let steepness = 2.0 * drift.abs() / variance;
        if drift < 0.0 {
            (lower, llr, upper) = (-upper, -llr, -lower);
        }
        let rest = if steepness * (upper - lower) < 1e-6 {
            (upper - llr) * (llr - lower) / variance
        } else {
            let reaches_upper =
                (-steepness * (llr - lower)).exp_m1() / (-steepness * (upper - lower)).exp_m1();
            (lower + reaches_upper * (upper - lower) - llr) / drift.abs()
        };
        played + rest
    }

    /// How the test stands.
    pub fn state(&self, tally: &Tally) -> SprtState {
        let (lower, upper) = self.bounds();
        let llr = self.log_likelihood_ratio(tally);
        let decision = if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        };
        SprtState {
            llr,
            lower,
            upper,
            decision,
        }
    }

    /// A sentence, without a full stop, about how the test stands and, if it has ended, how far that can
    /// be trusted. `a` and `b` are the engines' names.
    ///
    /// The rates of error are about right, not exact: Wald's bounds pass over by how far the ratio
    /// goes beyond them, and the distribution of the results is estimated.
    pub fn explain(&self, state: &SprtState, a: &str, b: &str) -> String {
        // Adding zero turns a negative zero into zero.
        let (elo0, elo1) = (self.elo0 + 0.0, self.elo1 + 0.0);
        let unit = match self.model {
            SprtModel::Normalized => "normalised Elo",
            SprtModel::Logistic => "Elo",
        };
        let SprtState {
            llr, lower, upper, ..
        } = state;
        // `lead`: what is known of the difference from the view of the one that is better.
        let (name, better, worse, lead, bound, were, rate) = match state.decision {
            SprtDecision::AcceptH1 => {
                let (bound, were) = (
                    format!("upper bound {upper:.2}"),
                    format!("{elo0} {unit} or less"),
                );
                ("H1", "stronger", "weaker", elo0, bound, were, self.alpha)
            }
            SprtDecision::AcceptH0 => {
                let (bound, were) = (
                    format!("lower bound {lower:.2}"),
                    format!("{elo1} {unit} or more"),
                );
                ("H0", "weaker", "stronger", -elo1, bound, were, self.beta)
            }
            SprtDecision::Continue => {
                return format!(
                    "SPRT: undecided between H0, {elo0} {unit}, and H1, {elo1} {unit} \
                     (LLR {llr:.2} between the bounds {lower:.2} and {upper:.2})"
                );
            }
        };
        let size = lead.abs();
        let finding = if lead > 0.0 {
            format!("{better} than {b} by more than {size} {unit}")
        } else if lead < 0.0 {
            format!("not {worse} than {b} by {size} {unit} or more")
        } else {
            format!("{better} than {b}")
        };
        // Without the digits that binary fractions add.
        let percent = (rate * 1e8).round() / 1e6;
        format!(
            "SPRT: {name} accepted: {a} is {finding} (LLR {llr:.2} reached the {bound}; were the \
             difference {were}, at most about {percent} % of such matches would end this way)"
        )
    }
}

#[cfg(test)]
mod tests;
