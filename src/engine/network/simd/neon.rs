//! NEON: 8 lanes.

use std::arch::aarch64::*;

use super::{Change, Inputs, Row};
use crate::network::HIDDEN;
use crate::network::weights::ACTIVATION_ONE;

update!("neon", 8, 8, vaddq_s16, vsubq_s16);

#[target_feature(enable = "neon")]
#[inline]
fn load(numbers: &Chunk) -> int16x8_t {
    // SAFETY: the 16 bytes of the array can be read; they need no alignment.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

/// Sign-extended.
#[target_feature(enable = "neon")]
#[inline]
fn widen(numbers: &[i8; LANES]) -> int16x8_t {
    // SAFETY: the 8 bytes of the array can be read; they need no alignment.
    vmovl_s8(unsafe { vld1_s8(numbers.as_ptr()) })
}

#[target_feature(enable = "neon")]
#[inline]
fn store(numbers: &mut Chunk, register: int16x8_t) {
    // SAFETY: the 16 bytes of the array can be written; they need no alignment.
    unsafe { vst1q_s16(numbers.as_mut_ptr(), register) }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "neon")]
#[allow(clippy::needless_range_loop)] // See `update`.
pub(super) fn output(views: [&Row; 2], weights: [&Row; 2]) -> i32 {
    let most = vdupq_n_s16(ACTIVATION_ONE);
    let none = vdupq_n_s16(0);
    let mut total = vdupq_n_s32(0);
    for view in 0..2 {
        let (sums, weights) = (views[view].as_chunks().0, weights[view].as_chunks().0);
        for index in 0..CHUNKS {
            let values = vminq_s16(vmaxq_s16(load(&sums[index]), none), most);
            let products = vmulq_s16(values, load(&weights[index]));
            total = vmlal_s16(total, vget_low_s16(products), vget_low_s16(values));
            total = vmlal_high_s16(total, products, values);
        }
    }
    vaddvq_s32(total)
}
