//! NEON: 8 lanes.

use std::arch::aarch64::{
    int16x8_t, vaddq_s16, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vsubq_s16,
};

use crate::network::features::FeatureDelta;

update!("neon", 8, vaddq_s16, vsubq_s16, 16 8 4);

#[target_feature(enable = "neon")]
#[inline]
fn load(numbers: &Chunk) -> int16x8_t {
    // SAFETY: the 16 bytes of the array can be read; they need no alignment.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn store(numbers: &mut Chunk, register: int16x8_t) {
    // SAFETY: the 16 bytes of the array can be written; they need no alignment.
    unsafe { vst1q_s16(numbers.as_mut_ptr(), register) }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "neon")]
#[allow(clippy::needless_range_loop)] // See `block`.
pub(super) fn output([first, second]: [&[i16]; 2], weights: &[i16]) -> i32 {
    let (first_weights, second_weights) = weights.split_at(first.len());
    let most = vdupq_n_s16(255);
    let none = vdupq_n_s16(0);
    let mut total = vdupq_n_s32(0);
    for (sums, weights) in [(first, first_weights), (second, second_weights)] {
        let (sums, weights) = (
            sums.as_chunks().0,
            &weights.as_chunks().0[..sums.len() / LANES],
        );
        for index in 0..sums.len() {
            let values = vminq_s16(vmaxq_s16(load(&sums[index]), none), most);
            let products = vmulq_s16(values, load(&weights[index]));
            total = vmlal_s16(total, vget_low_s16(products), vget_low_s16(values));
            total = vmlal_high_s16(total, products, values);
        }
    }
    vaddvq_s32(total)
}
