//! Generalised likelihoods of hypotheses about the mean of the results.
//!
//! The hypothesis fixes only one number of the distribution of the results, so its likelihood is the
//! maximum over all distributions that satisfy it. After Michel Van den Bergh, "The generalized maximum
//! likelihood ratio for the expectation value of a distribution"
//! (<https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>) and "Comments on Normalized Elo"
//! (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>), section 4.1.
//!
//! With observed frequencies `f` of points `a`, the maximum-likelihood distribution with `Σ p φ(a) = 0` is
//! `p = f / (1 + θ φ(a))`, where `θ` solves `Σ f φ / (1 + θ φ) = 0`. Its log-likelihood per result is below
//! that of the observed frequencies by `Σ f ln(1 + θ φ)`: the *loss* of the hypothesis.

/// Replaces a count of zero: a result not observed may be possible. The value is that of Fishtest and fastchess.
const UNSEEN: f64 = 1e-3;

/// The maximum number of iterations below; ordinary results need 3 to 8.
const MOST_STEPS: usize = 200;

/// The observed frequencies of `N` kinds of results, with points in equal steps from 0 to 1.
pub(super) struct Frequencies<const N: usize> {
    frequencies: [f64; N],
    size: f64,
}

impl<const N: usize> Frequencies<N> {
    pub(super) fn new(counts: [u64; N]) -> Frequencies<N> {
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let size = counts.iter().sum();
        Frequencies {
            frequencies: counts.map(|count| count / size),
            size,
        }
    }

    /// The total loss of log-likelihood if the mean is `mean` (above 0, below 1).
    pub(super) fn loss_for_mean(&self, mean: f64) -> f64 {
        let deviations = points().map(|points: f64| points - mean);
        let theta = multiplier(&self.frequencies, &deviations, 0.0);
        self.size * loss(&self.frequencies, &deviations, theta)
    }

    /// The total loss of log-likelihood if the mean is `t` standard deviations above ½.
    ///
    /// This condition is not linear. It is replaced by its tangent at a guess of mean and deviation; the
    /// distribution found gives the next guess, until convergence to a maximum of the likelihood. (If
    /// nearly all results are even there may be other local maxima, nearly as high.)
    ///
    /// The first guess is the distribution on 0 and 1 that satisfies the hypothesis. From there on every
    /// tangent has values of both signs, so a next distribution always exists.
    pub(super) fn loss_for_t_value(&self, t: f64) -> f64 {
        let mut frequencies = self.frequencies;
        if t < 0.0 {
            // The same problem from the opponent's view.
            frequencies.reverse();
        }
        let t = t.abs();
        let points = points();
        let mut mean = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
        let mut deviation = (mean * (1.0 - mean)).sqrt();
        let (mut theta, mut found) = (0.0, 0.0);
        for _ in 0..MOST_STEPS {
            let tangent = points.map(|points: f64| {
                let distance = (points - mean) / deviation;
                points - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
            });
            theta = multiplier(&frequencies, &tangent, theta);
            found = self.size * loss(&frequencies, &tangent, theta);
            let (mut new_mean, mut square) = (0.0, 0.0);
            for index in 0..N {
                let weighted = points[index] * frequencies[index] / (1.0 + theta * tangent[index]);
                new_mean += weighted;
                square += points[index] * weighted;
            }
            let new_deviation = (square - new_mean * new_mean).sqrt();
            let change = (new_mean - mean).abs() + (new_deviation - deviation).abs();
            (mean, deviation) = (new_mean, new_deviation);
            // The likelihood is flat here: its error is of the order of this change squared.
            if change < 1e-7 {
                break;
            }
        }
        found
    }
}

/// The points of `N` kinds of results, from 0 to 1.
fn points<const N: usize>() -> [f64; N] {
    std::array::from_fn(|index| index as f64 / (N - 1) as f64)
}

/// The loss of log-likelihood per result.
fn loss<const N: usize>(frequencies: &[f64; N], values: &[f64; N], theta: f64) -> f64 {
    frequencies
        .iter()
        .zip(values)
        .map(|(frequency, value)| frequency * (theta * value).ln_1p())
        .sum()
}

/// The root `θ` of `Σ f φ / (1 + θ φ)`, for positive frequencies and values `φ` of both signs.
///
/// The sum decreases in `θ` between its innermost poles. The root lies where every `f / (1 + θ φ)` is at
/// most 1, as these are probabilities there; it is found by Newton's method, started at `guess` if
/// possible, with bisection for steps that would leave the bracket.
fn multiplier<const N: usize>(frequencies: &[f64; N], values: &[f64; N], guess: f64) -> f64 {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for (frequency, value) in frequencies.iter().zip(values) {
        let bound = (frequency - 1.0) / value;
        if *value > 0.0 {
            lower = lower.max(bound);
        } else if *value < 0.0 {
            upper = upper.min(bound);
        }
    }
    let inside = lower < guess && guess < upper;
    let mut theta = if inside { guess } else { 0.0 };
    for _ in 0..MOST_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (frequency, value) in frequencies.iter().zip(values) {
            let quotient = value / (1.0 + theta * value);
            sum += frequency * quotient;
            slope -= frequency * quotient * quotient;
        }
        // Half of this is the error of the loss: far below its rounding errors.
        if sum * sum <= 1e-20 * -slope {
            break;
        }
        if sum > 0.0 {
            lower = theta;
        } else {
            upper = theta;
        }
        let newton = theta - sum / slope;
        theta = if lower < newton && newton < upper {
            newton
        } else {
            0.5 * (lower + upper)
        };
    }
    theta
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The root by bisection alone, between the poles.
    fn bisected<const N: usize>(frequencies: &[f64; N], values: &[f64; N]) -> f64 {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut lower, mut upper) = (-1.0 / most, -1.0 / least);
        for _ in 0..200 {
            let middle = 0.5 * (lower + upper);
            let terms = frequencies.iter().zip(values);
            let terms = terms.map(|(frequency, value)| frequency * value / (1.0 + middle * value));
            let sum: f64 = terms.sum();
            if sum > 0.0 {
                lower = middle;
            } else {
                upper = middle;
            }
        }
        0.5 * (lower + upper)
    }

    #[test]
    fn newton_finds_what_bisection_finds() {
        for counts in [
            [3, 20, 40, 30, 7],
            [0, 0, 0, 0, 5000],
            [900, 0, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [1, 0, 0, 0, 100_000],
        ] {
            let frequencies = Frequencies::new(counts).frequencies;
            for mean in [0.01, 0.3, 0.5, 0.51, 0.9, 0.999] {
                let deviations = points().map(|points: f64| points - mean);
                let theta = multiplier(&frequencies, &deviations, 0.2);
                let wanted = bisected(&frequencies, &deviations);
                assert!(
                    (theta - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
                    "{counts:?} {mean}: {theta}, want {wanted}"
                );
            }
        }
    }

    #[test]
    fn two_kinds_of_results_are_solved_by_hand() {
        // With mean m the distribution is (1 - m, m), whatever was observed.
        let seen = Frequencies::new([30, 70]);
        let wanted = 30.0 * (0.3_f64 / 0.5).ln() + 70.0 * (0.7_f64 / 0.5).ln();
        assert!((seen.loss_for_mean(0.5) - wanted).abs() < 1e-9);
        // And (m - ½)² / (m (1 - m)) = t² at m = ½ ± ½ t / √(1 + t²): 0.8 and 0.2 for t = ±¾.
        for (t, mean) in [(0.75, 0.8), (-0.75, 0.2), (0.0, 0.5)] {
            assert!((seen.loss_for_t_value(t) - seen.loss_for_mean(mean)).abs() < 1e-9);
        }
    }
}
