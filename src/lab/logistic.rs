//! Logistic regression.

use vato_tools::tournament::statistics::inverse;

const MOST_STEPS: usize = 60;
/// A mean loss below which the observations are told apart for sure, and coefficients have no end.
const LEAST_LOSS: f64 = 1e-6;

/// The coefficients for which `1 / (1 + exp(-(coefficients · numbers)))` is the most likely chance of
/// what was observed, by Newton's method.
///
/// `None` if there are no such coefficients: the observations can be told apart without doubt, or the
/// numbers depend on each other.
pub(super) fn fit<const N: usize>(
    observations: impl Iterator<Item = ([f64; N], bool)> + Clone,
) -> Option<[f64; N]> {
    let count = observations.clone().count() as f64;
    let mut coefficients = [0.0; N];
    let mut here = Loss::at(&coefficients, observations.clone());
    for _ in 0..MOST_STEPS {
        let curvature = here.curvature.iter().map(|row| row.to_vec());
        let inverse = inverse(curvature.collect())?;
        let step: [f64; N] = std::array::from_fn(|row| dot(&inverse[row], &here.slope));
        let gain = dot(&step, &here.slope);
        if !gain.is_finite() {
            return None;
        }
        if gain < 1e-10 * count {
            return (here.value > LEAST_LOSS * count).then_some(coefficients);
        }
        // A whole step may go too far; a part of it then does not.
        let mut share = 1.0;
        loop {
            let next = std::array::from_fn(|place| coefficients[place] - share * step[place]);
            let there = Loss::at(&next, observations.clone());
            if there.value < here.value {
                (coefficients, here) = (next, there);
                break;
            }
            share *= 0.5;
            if share < 1e-6 {
                return None;
            }
        }
    }
    None
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The sum of the logarithmic losses, with its derivatives.
struct Loss<const N: usize> {
    value: f64,
    slope: [f64; N],
    curvature: [[f64; N]; N],
}

impl<const N: usize> Loss<N> {
    fn at(
        coefficients: &[f64; N],
        observations: impl Iterator<Item = ([f64; N], bool)>,
    ) -> Loss<N> {
        let mut loss = Loss {
            value: 0.0,
            slope: [0.0; N],
            curvature: [[0.0; N]; N],
        };
        for (numbers, happened) in observations {
            let x = dot(coefficients, &numbers);
            let chance = 1.0 / (1.0 + (-x).exp());
            // ln(1 + exp(∓x)), without overflow.
            let signed = if happened { -x } else { x };
            loss.value += signed.max(0.0) + (-signed.abs()).exp().ln_1p();
            let error = chance - f64::from(u8::from(happened));
            let weight = chance * (1.0 - chance);
            for row in 0..N {
                loss.slope[row] += error * numbers[row];
                for column in 0..N {
                    loss.curvature[row][column] += weight * numbers[row] * numbers[column];
                }
            }
        }
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_coefficients_gives_none() {
        let all = || (-50..50).map(f64::from);
        let certain = all().map(|x| ([x, 1.0], x >= 0.0));
        let same = all().map(|x| ([x, 2.0 * x], x % 3.0 == 0.0));
        let never = all().map(|x| ([x, 1.0], false));
        assert_eq!(
            [fit(certain), fit(same), fit(never), fit(std::iter::empty())],
            [None; 4]
        );
    }
}
