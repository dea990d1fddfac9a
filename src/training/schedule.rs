//! The learning rate from batch to batch.

use std::f64::consts::PI;

use super::Settings;

/// The learning rate for the batch with this number, from 0, of `batches` in the whole training: it
/// rises in a straight line over the warm-up, a tenth of all batches at most, then falls along half
/// a wave of the cosine (Loshchilov and Hutter, 2016, <https://arxiv.org/abs/1608.03983>).
pub(super) fn learning_rate(settings: &Settings, batch: u64, batches: u64) -> f32 {
    let highest = f64::from(settings.learning_rate);
    let warm_up = u64::from(settings.warm_up).min(batches / 10);
    if batch < warm_up {
        return (highest * (batch + 1) as f64 / warm_up as f64) as f32;
    }
    let last = f64::from(settings.final_rate);
    let done = (batch - warm_up) as f64 / (batches - warm_up).max(2).saturating_sub(1) as f64;
    let share = last + (1.0 - last) * 0.5 * (1.0 + (PI * done.min(1.0)).cos());
    (highest * share) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_then_falls_to_its_end() {
        let settings = Settings {
            warm_up: 10,
            ..Settings::default()
        };
        let rates: Vec<f32> = (0..100)
            .map(|batch| learning_rate(&settings, batch, 100))
            .collect();
        assert!(rates[..10].is_sorted() && rates[0] > 0.0);
        assert!(rates[10..].is_sorted_by(|a, b| a > b));
        assert_eq!((rates[9], rates[10]), (0.001, 0.001));
        assert!((rates[99] - 0.000_01).abs() < 1e-9);
    }

    #[test]
    fn the_shortest_trainings_have_a_rate() {
        for batches in 1..5 {
            for batch in 0..batches {
                assert!(learning_rate(&Settings::default(), batch, batches) > 0.0);
            }
        }
    }
}
