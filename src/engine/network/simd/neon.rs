//! NEON: 8 lanes.

use std::arch::aarch64::{
    vaddq_s16 as add, vaddvq_s32 as total, vdupq_n_s16 as splat, vld1_s8 as load_bytes,
    vld1q_s16 as load_numbers, vmaxq_s16 as max, vminq_s16 as min, vmovl_s8 as extend,
    vmulq_s16 as multiply, vst1q_s16 as store_numbers, vsubq_s16 as sub, *,
};

simd_functions!("neon", 8, 8, int16x8_t);

#[target_feature(enable = "neon")]
#[inline]
fn no_sums() -> int32x4_t {
    vdupq_n_s32(0)
}

#[target_feature(enable = "neon")]
#[inline]
fn add_products(sums: int32x4_t, products: int16x8_t, values: int16x8_t) -> int32x4_t {
    let sums = vmlal_s16(sums, vget_low_s16(products), vget_low_s16(values));
    vmlal_high_s16(sums, products, values)
}
