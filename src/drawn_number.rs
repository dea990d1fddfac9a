//! Numbers that nobody can foresee.

use std::hash::{BuildHasher, RandomState};

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
