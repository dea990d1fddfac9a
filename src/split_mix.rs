//! A hash of numbers.

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
