//! The sequential probability ratio test (SPRT), which decides when a match ends.

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use super::figures::{NORMALIZED_ELO_PER_DEVIATION, score_of_elo};
use super::likelihood::Frequencies;
use super::tally::{Sample, Tally};
use crate::tournament::settings::SettingsError;

/// The largest absolute difference of a hypothesis, in either kind of Elo.
const MOST_ELO: f64 = 200.0;
/// The least difference of the two: a test of a smaller one would not end.
const LEAST_DIFFERENCE: f64 = 0.01;

/// The Elo scale of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo: (score - ½) in standard deviations of a game, times 800 / ln 10. The expected length
    /// of a test depends on the hypotheses alone, not on the draw ratio.
    #[default]
    Normalized,
    /// (Logistic) Elo.
    Logistic,
}

/// A generalised sequential probability ratio test (GSPRT).
///
/// After each pair it compares two hypotheses about A's difference to B: H0 that it is `elo0` (or less), H1
/// that it is `elo1` (or more). The match ends when the log-likelihood ratio leaves the bounds ln(β / (1 -
/// α)) and ln((1 - β) / α). See Michel Van den Bergh, "Comments on Normalized Elo"
/// (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sprt {
    /// The difference under H0, from -200 to 200 in the model's Elo.
    pub elo0: f64,
    /// The difference under H1, above `elo0`, up to 200.
    pub elo1: f64,
    /// α, the probability of accepting H1 if the difference is `elo0`: above 0, below 0.5.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// β, the probability of accepting H0 if the difference is `elo1`: above 0, below 0.5.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The scale of both differences.
    #[serde(default)]
    pub model: SprtModel,
    /// Leaves out pairs of which a game ended by a crash, a hang or a missing start: so it is in a test over several
    /// machines, of which one may be sick.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_abandoned: bool,
}

fn five_percent() -> f64 {
    0.05
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// Undecided: continue the match.
    Continue,
    /// H0 accepted: the difference is below `elo1`.
    AcceptH0,
    /// H1 accepted: the difference is above `elo0`.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// Log-likelihood ratio: positive values favour H1, negative values H0.
    pub llr: f64,
    /// H0 is accepted when `llr` is at or below this bound.
    pub lower: f64,
    /// H1 is accepted when `llr` is at or above this bound.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
}

impl Sprt {
    /// Checks the ranges of the parameters.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let Sprt { elo0, elo1, .. } = *self;
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            let expected = format_args!("a number from -{MOST_ELO} to {MOST_ELO}");
            SettingsError::unless(-MOST_ELO..=MOST_ELO, name, value, expected)?;
        }
        let expected = format_args!("at least {LEAST_DIFFERENCE} less than elo1 = {elo1}");
        SettingsError::unless(..=elo1 - LEAST_DIFFERENCE, "elo0", elo0, expected)?;
        let small = (Bound::Excluded(0.0), Bound::Excluded(0.5));
        let expected = "a number above 0 and below 0.5";
        SettingsError::unless(small, "alpha", self.alpha, expected)?;
        SettingsError::unless(small, "beta", self.beta, expected)
    }

    /// The lower and upper bound of the log-likelihood ratio (Wald): ln(β / (1 - α)) and ln((1 - β) / α).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The generalised log-likelihood ratio of H1 to H0 (natural logarithm); 0 without games.
    ///
    /// Computed from complete pairs, or from games if no pair is complete. The parameters must be
    /// [valid](Sprt::validate), else the result is meaningless.
    pub fn log_likelihood_ratio(&self, tally: &Tally) -> f64 {
        match tally.sample() {
            sample if sample.size() == 0 => 0.0,
            Sample::Games(counts) => self.ratio(counts, 1.0),
            Sample::Pairs(counts) => self.ratio(counts, 2.0),
        }
    }

    fn ratio<const N: usize>(&self, counts: [u64; N], games_each: f64) -> f64 {
        let frequencies = Frequencies::new(counts);
        let loss = |elo: f64| match self.model {
            SprtModel::Logistic => frequencies.loss_for_mean(score_of_elo(elo)),
            // The score per game of a pair has a standard deviation smaller by √2 than that of a game.
            SprtModel::Normalized => {
                let t = elo / NORMALIZED_ELO_PER_DEVIATION * games_each.sqrt();
                frequencies.loss_for_t_value(t)
            }
        };
        loss(self.elo0) - loss(self.elo1)
    }

    /// The expected total number of games of the test, including those played.
    ///
    /// The log-likelihood ratio is modelled as a Brownian motion, with the mean exit time given by Abraham
    /// Wald, "Sequential Analysis" (1947). Its variance per game is v, the squared distance of the
    /// hypotheses in standard deviations of a game. Its drift is estimated from the ratio so far with a
    /// normal prior of standard deviation v (twice the drift under either hypothesis), which weighs as much
    /// as 1/v games.
    pub fn expected_games(&self, tally: &Tally) -> f64 {
        let (mut lower, mut upper) = self.bounds();
        let mut llr = self.log_likelihood_ratio(tally).clamp(lower, upper);
        let played = tally.games().games() as f64;
        let distance = match self.model {
            SprtModel::Normalized => (self.elo1 - self.elo0) / NORMALIZED_ELO_PER_DEVIATION,
            SprtModel::Logistic => {
                let sample = tally.sample();
                let variance = sample.games_each() * sample.moments(0.0).1;
                // Without results, or with equal ones, a draw ratio of one half is assumed.
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

    /// The state of the test.
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

    /// A sentence, without a full stop, on the state of the test and, after its end, on its probability of
    /// error. `a` and `b` are the engines' names.
    ///
    /// The error probabilities are approximate: Wald's bounds neglect the overshoot of the ratio, and the
    /// distribution of the results is estimated.
    pub fn explain(&self, state: &SprtState, a: &str, b: &str) -> String {
        // Adding zero turns -0 into 0.
        let (elo0, elo1) = (self.elo0 + 0.0, self.elo1 + 0.0);
        let unit = match self.model {
            SprtModel::Normalized => "normalised Elo",
            SprtModel::Logistic => "Elo",
        };
        let SprtState {
            llr, lower, upper, ..
        } = state;
        let is_h1 = match state.decision {
            SprtDecision::AcceptH1 => true,
            SprtDecision::AcceptH0 => false,
            SprtDecision::Continue => {
                return format!(
                    "SPRT: undecided between H0, {elo0} {unit}, and H1, {elo1} {unit} \
                     (LLR {llr:.2} between the bounds {lower:.2} and {upper:.2})"
                );
            }
        };
        // `lead`: the known bound of the difference, from the view of the better engine.
        let (name, [better, worse], lead) = match is_h1 {
            true => ("H1", ["stronger", "weaker"], elo0),
            false => ("H0", ["weaker", "stronger"], -elo1),
        };
        let (side, bound, elo, more, rate) = match is_h1 {
            true => ("upper", upper, elo0, "less", self.alpha),
            false => ("lower", lower, elo1, "more", self.beta),
        };
        let size = lead.abs();
        let finding = if lead > 0.0 {
            format!("{better} than {b} by more than {size} {unit}")
        } else if lead < 0.0 {
            format!("not {worse} than {b} by {size} {unit} or more")
        } else {
            format!("{better} than {b}")
        };
        // Rounds off the digits added by binary fractions.
        let percent = (rate * 1e8).round() / 1e6;
        // Games that ended after the decision may have taken it back.
        let before = match llr.abs() < bound.abs() || llr.signum() != bound.signum() {
            true => ", but with fewer games it",
            false => "",
        };
        format!(
            "SPRT: {name} accepted: {a} is {finding} (LLR {llr:.2}{before} reached the {side} bound {bound:.2}; if the \
             difference were {elo} {unit} or {more}, at most about {percent} % of such matches would end this way)"
        )
    }
}

#[cfg(test)]
mod tests;
