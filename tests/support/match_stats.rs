//! Figures of a match played in pairs: every opening twice, colours swapped.
//!
//! The two games of a pair share an opening, so their scores depend on each
//! other; only the pairs are independent. All figures are therefore computed
//! from the scores of pairs (the *pentanomial* counts).

use std::fmt;

/// The counts of a match, from the view of engine A.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairStats {
    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// Single games.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl PairStats {
    /// Adds a pair by A's half points (0 to 2) in each of its games.
    pub fn add(&mut self, half_points: [u32; 2]) {
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        let total = half_points.iter().sum::<u32>() as usize;
        self.pairs[total.min(4)] += 1;
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The mean score of A per game, from 0 to 1, and its standard error.
    pub fn mean_and_error(&self) -> (f64, f64) {
        // A little of every outcome keeps the variance from being exactly zero
        // when all pairs end alike.
        let weights = self.pairs.map(|count| count as f64 + 1e-3);
        let total: f64 = weights.iter().sum();
        let value = |index: usize| index as f64 / 4.0;
        let over_pairs = |measure: &dyn Fn(f64) -> f64| -> f64 {
            let sum: f64 = (0..5).map(|i| weights[i] * measure(value(i))).sum();
            sum / total
        };
        let mean = over_pairs(&|score| score);
        let variance = over_pairs(&|score| (score - mean).powi(2));
        (mean, (variance / total).sqrt())
    }

    /// The Elo difference with the lower and upper end of its 95 % interval.
    pub fn elo(&self) -> (f64, f64, f64) {
        let (mean, error) = self.mean_and_error();
        (
            elo_of_score(mean),
            elo_of_score(mean - 1.96 * error),
            elo_of_score(mean + 1.96 * error),
        )
    }

    /// The likelihood that A is the stronger engine.
    pub fn superiority(&self) -> f64 {
        let (mean, error) = self.mean_and_error();
        normal_cdf((mean - 0.5) / error)
    }
}

impl fmt::Display for PairStats {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games();
        if games == 0 {
            return write!(out, "no games");
        }
        let (elo, low, high) = self.elo();
        let score = (self.wins as f64 + self.draws as f64 / 2.0) / games as f64;
        write!(
            out,
            "{games} games  W-D-L {}-{}-{}  score {:.1} %  pairs {:?}  Elo {elo:+.1} [{low:+.1}, {high:+.1}]  LOS {:.1} %",
            self.wins,
            self.draws,
            self.losses,
            100.0 * score,
            self.pairs,
            100.0 * self.superiority(),
        )
    }
}

/// The Elo difference that a mean score stands for.
fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (score / (1.0 - score)).log10()
}

/// The normal distribution, by the approximation 7.1.26 of Abramowitz and
/// Stegun (error below 1.5e-7).
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let factors = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let polynomial = factors.iter().fold(0.0, |sum, factor| sum * t + factor) * t;
    let tail = polynomial * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}
