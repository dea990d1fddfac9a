//! Fits Davidson's model by Newton's method.
//!
//! In `θ = ln π` and `δ = ln ν` the model is a multinomial logit: win, draw and loss between engines with
//! the difference `d = θ₁ - θ₂` have the utilities `d/2`, `δ` and `-d/2`. So the log-likelihood is concave,
//! and the observed and the expected information are equal.

use crate::tournament::statistics::figures::ELO_PER_NAT;

/// The wins, and losses, added to every pairing with games if ratings might otherwise diverge.
const ADDED: f64 = 0.5;

/// The maximum number of steps; ordinary results need fewer than ten.
const MOST_STEPS: usize = 200;

/// The maximum change of a strength in one step, in units of `θ`.
const LONGEST_STEP: f64 = 3.0;

/// Iteration ends after a step with no change above this: convergence is quadratic.
const PRECISION: f64 = 1e-8;

/// Below this, steps that no longer shrink are due to rounding in the sums over many games.
const ROUNDING: f64 = 1e-3;

/// The games of two engines: their indices, and wins, draws and losses from the view of the first.
pub(super) type Pairing = ([usize; 2], [f64; 3]);

/// The maximum-likelihood fit.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// `θ` of each engine; 0 if given.
    strengths: Vec<f64>,
    /// `ν`.
    tie: f64,
    /// Covariances of all `θ` and, in the last row, of `δ`; `None` if unknown.
    covariances: Option<Vec<Vec<f64>>>,
}

/// Fits the model to the games. The strength of `given` engines is fixed at 0.
pub(super) fn fit(given: &[bool], mut pairings: Vec<Pairing>, with_added_games: bool) -> Fit {
    if with_added_games {
        for (_, [wins, _, losses]) in &mut pairings {
            *wins += ADDED;
            *losses += ADDED;
        }
    }
    let has_draws = pairings.iter().any(|(_, [_, draws, _])| *draws > 0.0);
    let given: Vec<bool> = given.iter().copied().chain([!has_draws]).collect();
    let mut fit = Fit {
        strengths: vec![0.0; given.len() - 1],
        tie: if has_draws { 1.0 } else { 0.0 },
        covariances: None,
    };
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (gradient, information) = fit.derivatives(&given, &pairings);
        // If the information is singular, the results do not determine all parameters.
        fit.covariances = inverse(information);
        let Some(inverse) = &fit.covariances else {
            return fit;
        };
        let product =
            |row: &Vec<f64>| -> f64 { row.iter().zip(&gradient).map(|(a, b)| a * b).sum() };
        let step: Vec<f64> = inverse.iter().map(product).collect();
        let longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        let scale = (LONGEST_STEP / longest).min(1.0);
        for (strength, step) in fit.strengths.iter_mut().zip(&step) {
            *strength += scale * step;
        }
        fit.tie *= (scale * step[fit.strengths.len()]).exp();
        if longest < PRECISION || (longest < ROUNDING && longest >= before) {
            return fit;
        }
        before = longest;
    }
    // No convergence; valid results do not lead here. No error estimate is better than a wrong one.
    fit.covariances = None;
    fit
}

impl Fit {
    /// The gradient and negative Hessian of the log-likelihood. A given parameter has gradient 0 and a row
    /// of the unit matrix.
    fn derivatives(&self, given: &[bool], pairings: &[Pairing]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = given.len();
        let mut gradient = vec![0.0; count];
        let mut information = vec![vec![0.0; count]; count];
        for place in (0..count).filter(|&place| given[place]) {
            information[place][place] = 1.0;
        }
        for ([one, other], seen) in pairings {
            let half = (self.strengths[*one] - self.strengths[*other]) / 2.0;
            // Scaled so that the largest weight is 1 or ν and none overflows.
            let top = half.abs();
            let weights = [half - top, -top, -half - top].map(f64::exp);
            let weights = [weights[0], self.tie * weights[1], weights[2]];
            let sum: f64 = weights.iter().sum();
            let chances = weights.map(|weight| weight / sum);
            let games: f64 = seen.iter().sum();
            // The derivatives of the utilities of win, draw and loss with respect to each parameter.
            let slopes = [
                (*one, [0.5, 0.0, -0.5]),
                (*other, [-0.5, 0.0, 0.5]),
                (count - 1, [0.0, 1.0, 0.0]),
            ];
            let slopes = slopes.iter().filter(|(place, _)| !given[*place]);
            let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (place, slope) in slopes.clone() {
                let mean = dot(&chances, slope);
                gradient[*place] += dot(seen, slope) - games * mean;
                for (second, other) in slopes.clone() {
                    let product = [0, 1, 2].map(|result: usize| slope[result] * other[result]);
                    information[*place][*second] +=
                        games * (dot(&chances, &product) - mean * dot(&chances, other));
                }
            }
        }
        (gradient, information)
    }

    /// Elo per unit of `θ`.
    fn scale(&self) -> f64 {
        ELO_PER_NAT * 2.0 / (2.0 + self.tie)
    }

    /// The engine's Elo relative to the given engines.
    pub(super) fn elo(&self, engine: usize) -> f64 {
        self.scale() * self.strengths[engine]
    }

    /// The standard error of [`Fit::elo`].
    pub(super) fn standard_error(&self, engine: usize) -> Option<f64> {
        let covariances = self.covariances.as_ref()?;
        let last = covariances.len() - 1;
        let scale = self.scale();
        // The scale depends on ν: its derivative with respect to δ.
        let slope = -scale * self.tie / (2.0 + self.tie) * self.strengths[engine];
        let variance = scale * scale * covariances[engine][engine]
            + 2.0 * scale * slope * covariances[engine][last]
            + slope * slope * covariances[last][last];
        Some(variance.max(0.0).sqrt())
    }

    /// The probability of a draw between equal engines.
    pub(super) fn draw_rate(&self) -> f64 {
        self.tie / (2.0 + self.tie)
    }
}

/// The inverse of a symmetric, positive definite matrix by Gauss-Jordan elimination without pivoting;
/// `None` if it is numerically not positive definite.
pub fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse = vec![vec![0.0; size]; size];
    for (place, row) in inverse.iter_mut().enumerate() {
        row[place] = 1.0;
    }
    let scale: Vec<f64> = (0..size).map(|place| matrix[place][place]).collect();
    for pivot in 0..size {
        let value = matrix[pivot][pivot];
        // Negated so that NaN fails too.
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
