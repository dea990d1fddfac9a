//! Random numbers: hashing and seeds.

#[cfg(not(target_arch = "wasm32"))]
use std::hash::{BuildHasher, RandomState};

/// The increment of SplitMix64's state.
pub const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): every input bit affects about half of
/// the output bits.
#[inline(always)]
pub const fn split_mix(number: u64) -> u64 {
    let number = number.wrapping_add(SPLIT_MIX_STEP);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// An unpredictable number, different at each call. Not for cryptography.
pub fn drawn_number() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return random();
    // The standard library seeds its hash maps from the system's random numbers.
    #[cfg(not(target_arch = "wasm32"))]
    RandomState::new().hash_one(())
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "env")]
// SAFETY: whoever instantiates the module provides this function, of this type.
unsafe extern "C" {
    /// A random number of the host.
    safe fn random() -> u64;
}
