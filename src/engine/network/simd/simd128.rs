//! WebAssembly: 8 lanes.

use std::arch::wasm32::{
    i16x8_add as add, i16x8_load_extend_i8x8 as load_bytes, i16x8_max as max, i16x8_min as min,
    i16x8_mul as multiply, i16x8_splat as splat, i16x8_sub as sub, v128_load as load_numbers,
    v128_store as store_numbers, *,
};

// V8 begins all loads of a window before the first sum: with more registers than these, on x86-64 it has too few.
simd_functions!("simd128", 8, 2, v128);

/// Loading has extended them.
#[inline(always)]
fn extend(numbers: v128) -> v128 {
    numbers
}

#[inline(always)]
fn no_sums() -> v128 {
    i32x4_splat(0)
}

#[inline(always)]
fn add_products(sums: v128, products: v128, values: v128) -> v128 {
    i32x4_add(sums, i32x4_dot_i16x8(products, values))
}

#[inline(always)]
fn total(sums: v128) -> i32 {
    let half = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
    i32x4_extract_lane::<0>(half).wrapping_add(i32x4_extract_lane::<1>(half))
}
