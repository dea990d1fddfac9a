//! Numbers without pattern: hashed, and drawn.

use std::hash::{BuildHasher, RandomState};

/// What SplitMix64 adds to its state for each number.
pub(crate) const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the argument changes
/// half of the result's.
#[inline(always)]
pub(crate) const fn split_mix(number: u64) -> u64 {
    let number = number.wrapping_add(SPLIT_MIX_STEP);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A number that nobody can foresee, another one each time. Good enough for games, not for secrets.
pub(crate) fn drawn_number() -> u64 {
    // The standard library takes the keys of its hashes from the system's random numbers.
    RandomState::new().hash_one(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_the_same() {
        let numbers: Vec<u64> = (0..8).map(|_| drawn_number()).collect();
        assert!(numbers.iter().any(|&number| number != numbers[0]));
    }
}
