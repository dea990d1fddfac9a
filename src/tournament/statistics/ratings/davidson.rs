//! The most likely strengths, by Newton's method.
//!
//! In `θ = ln π` and `δ = ln ν` the model is a multinomial logit: the three results of a game between
//! engines with the difference `d = θ₁ - θ₂` have the utilities `d/2`, `δ` and `-d/2`. So the logarithm
//! of the likelihood is concave, and its curvature is the same for the observed and the expected
//! information.

use crate::tournament::statistics::elo::ELO_PER_NAT;

/// Wins, and losses, that are added to the games of every two engines that have met, where without them
/// some might be infinitely far away.
const ADDED: f64 = 0.5;

/// Most steps, far more than it takes: fewer than ten for ordinary results.
const MOST_STEPS: usize = 200;

/// The largest change of a strength in one step, in units of `θ`.
const LONGEST_STEP: f64 = 3.0;

/// A step that changes nothing by more than this is the last: each step squares the error, so that
/// what is left is far below what anybody is shown.
const PRECISION: f64 = 1e-8;

/// Below this, steps that no longer shrink are nothing but the rounding of many games' sums.
const ROUNDING: f64 = 1e-3;

/// The games of two engines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    /// The engines.
    pub(super) engines: [usize; 2],
    /// Games that the first has won.
    pub(super) wins: f64,
    /// Games that nobody has won.
    pub(super) draws: f64,
    /// Games that the first has lost.
    pub(super) losses: f64,
}

/// The most likely strengths.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// `θ` of all engines, the anchor's and those that are not connected with it 0.
    strengths: Vec<f64>,
    /// `ν`.
    tie: f64,
    /// Where each engine's strength is among the parameters; `None` for those that are given.
    places: Vec<Option<usize>>,
    /// The parameters' covariances, those of `δ` in the last row if it is one; `None` if they are not
    /// known.
    covariances: Option<Vec<Vec<f64>>>,
    /// Whether `δ` is a parameter.
    has_draws: bool,
}

/// Fits the model to the games between connected engines.
pub(super) fn fit(
    anchor: usize,
    connected: &[bool],
    pairings: &[Pairing],
    with_added_games: bool,
) -> Fit {
    let mut pairings = pairings.to_vec();
    if with_added_games {
        for pairing in &mut pairings {
            pairing.wins += ADDED;
            pairing.losses += ADDED;
        }
    }
    let mut count = 0;
    let places: Vec<Option<usize>> = connected
        .iter()
        .enumerate()
        .map(|(engine, &connected)| {
            (engine != anchor && connected).then(|| {
                count += 1;
                count - 1
            })
        })
        .collect();
    let has_draws = pairings.iter().any(|pairing| pairing.draws > 0.0);
    let mut fit = Fit {
        strengths: vec![0.0; connected.len()],
        tie: if has_draws { 1.0 } else { 0.0 },
        places,
        covariances: None,
        has_draws,
    };
    let parameters = count + usize::from(has_draws);
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (gradient, information) = fit.derivatives(&pairings, parameters);
        let Some(inverse) = inverse(information) else {
            // Flat: results say nothing more.
            fit.covariances = None;
            return fit;
        };
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&gradient)
                    .map(|(one, other)| one * other)
                    .sum()
            })
            .collect();
        fit.covariances = Some(inverse);
        let longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        let scale = (LONGEST_STEP / longest).min(1.0);
        for (strength, place) in fit.strengths.iter_mut().zip(&fit.places) {
            if let Some(place) = place {
                *strength += scale * step[*place];
            }
        }
        if has_draws {
            fit.tie *= (scale * step[count]).exp();
        }
        if longest < PRECISION || (longest < ROUNDING && longest >= before) {
            return fit;
        }
        before = longest;
    }
    // Not reached by results that are what they should be: no error is better than a wrong one.
    fit.covariances = None;
    fit
}

impl Fit {
    /// The gradient of the log-likelihood, and its curvature with the sign changed.
    fn derivatives(&self, pairings: &[Pairing], parameters: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = vec![0.0; parameters];
        let mut information = vec![vec![0.0; parameters]; parameters];
        for pairing in pairings {
            let [one, other] = pairing.engines;
            let half = (self.strengths[one] - self.strengths[other]) / 2.0;
            // The largest weight is 1 or ν, so that none overflows.
            let top = half.abs();
            let weights = [half - top, -top, -half - top].map(f64::exp);
            let weights = [weights[0], self.tie * weights[1], weights[2]];
            let sum: f64 = weights.iter().sum();
            let [win, draw, loss] = weights.map(|weight| weight / sum);
            let games = pairing.wins + pairing.draws + pairing.losses;
            // What a unit of each parameter adds to the utilities of win, draw and loss.
            let mut slopes: Vec<(usize, [f64; 3])> = Vec::with_capacity(3);
            slopes.extend(self.places[one].map(|place| (place, [0.5, 0.0, -0.5])));
            slopes.extend(self.places[other].map(|place| (place, [-0.5, 0.0, 0.5])));
            if self.has_draws {
                slopes.push((parameters - 1, [0.0, 1.0, 0.0]));
            }
            let mean = |slope: &[f64; 3]| win * slope[0] + draw * slope[1] + loss * slope[2];
            for (place, slope) in &slopes {
                let seen =
                    pairing.wins * slope[0] + pairing.draws * slope[1] + pairing.losses * slope[2];
                gradient[*place] += seen - games * mean(slope);
                for (second, other) in &slopes {
                    let product = [0, 1, 2].map(|result: usize| slope[result] * other[result]);
                    information[*place][*second] +=
                        games * (mean(&product) - mean(slope) * mean(other));
                }
            }
        }
        (gradient, information)
    }

    /// Elo for a unit of `θ`.
    fn scale(&self) -> f64 {
        ELO_PER_NAT * 2.0 / (2.0 + self.tie)
    }

    /// The engine's Elo, relative to the anchor.
    pub(super) fn elo(&self, engine: usize) -> f64 {
        self.scale() * self.strengths[engine]
    }

    /// The standard error of the engine's Elo, relative to the anchor.
    pub(super) fn standard_error(&self, engine: usize) -> Option<f64> {
        let covariances = self.covariances.as_ref()?;
        let place = self.places[engine]?;
        let along_strength = self.scale();
        let mut variance = along_strength * along_strength * covariances[place][place];
        if self.has_draws {
            // The scale depends on ν: its derivative by δ.
            let last = covariances.len() - 1;
            let slope = -self.scale() * self.tie / (2.0 + self.tie) * self.strengths[engine];
            variance += 2.0 * along_strength * slope * covariances[place][last]
                + slope * slope * covariances[last][last];
        }
        Some(variance.max(0.0).sqrt())
    }

    /// How likely draws are between equals.
    pub(super) fn draw_rate(&self) -> f64 {
        self.tie / (2.0 + self.tie)
    }
}

/// The inverse of a symmetric, positive definite matrix, by Gauss-Jordan elimination without
/// exchanges; `None` if it is not positive definite, as far as can be told.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse = vec![vec![0.0; size]; size];
    for (place, row) in inverse.iter_mut().enumerate() {
        row[place] = 1.0;
    }
    let scale: Vec<f64> = (0..size).map(|place| matrix[place][place]).collect();
    for pivot in 0..size {
        let value = matrix[pivot][pivot];
        // Written so that it fails for what is not a number, too.
        if !(value > 1e-13 * scale[pivot] && value.is_finite()) {
            return None;
        }
        for column in 0..size {
            matrix[pivot][column] /= value;
            inverse[pivot][column] /= value;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            if factor == 0.0 {
                continue;
            }
            for column in 0..size {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_by_hand() {
        let found = inverse(vec![vec![2.0, 1.0], vec![1.0, 2.0]]).expect("positive definite");
        let third = 1.0 / 3.0;
        for (found, wanted) in
            found
                .iter()
                .flatten()
                .zip([2.0 * third, -third, -third, 2.0 * third])
        {
            assert!((found - wanted).abs() < 1e-12);
        }
        assert_eq!(inverse(vec![vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(inverse(vec![vec![f64::NAN]]), None);
        assert_eq!(inverse(Vec::new()), Some(Vec::new()));
    }
}
