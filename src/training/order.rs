//! The order in which examples are seen.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

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
}
