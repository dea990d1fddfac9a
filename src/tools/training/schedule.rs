//! What a training takes from its seed and settings: first weights, order of the examples, learning rate.

use std::f64::consts::PI;

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::Settings;
use super::pass::Layers;
use vato_engine::network::{Aligned, OUTPUT_WEIGHTS, PARAMETERS};

/// About how many features are on in a position in the middle of a game.
const TYPICAL_ACTIVE: f32 = 40.0;

/// Hidden units begin in the middle of where they react.
const HIDDEN_BIAS: f32 = 0.5;

/// Small random weights: hidden units vary by about a half, outputs by about a third of a unit. The
/// biases of the buckets are 0.
pub(super) fn initial_parameters(seed: u64) -> Aligned<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut parameters = Aligned::zeros(PARAMETERS);
    let layers = Layers::of_mut(&mut parameters);
    let most = 1.0 / TYPICAL_ACTIVE.sqrt();
    let inputs = layers.inputs.as_flattened_mut();
    inputs.fill_with(|| random.random_range(-most..most));
    layers.biases.fill(HIDDEN_BIAS);
    let most = 1.0 / (OUTPUT_WEIGHTS as f32).sqrt();
    let buckets = layers.buckets.as_flattened_mut();
    buckets.fill_with(|| random.random_range(-most..most));
    parameters
}

/// Makes `order` a permutation of its indices that depends on the seed and the epoch alone.
pub(super) fn shuffle(order: &mut [u32], seed: u64, epoch: u32) {
    for (place, index) in order.iter_mut().zip(0..) {
        *place = index;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // The first stream is that of the first weights.
    random.set_stream(u64::from(epoch) + 1);
    order.shuffle(&mut random);
}

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
    fn orders_have_every_index_once_and_change_with_the_epoch() {
        let order = |seed, epoch| {
            let mut order = [7; 1_000];
            shuffle(&mut order, seed, epoch);
            order
        };
        let mut sorted = order(1, 0);
        assert!(!sorted.is_sorted());
        sorted.sort_unstable();
        assert!(sorted.iter().zip(0..).all(|(&index, place)| index == place));
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
    }

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
