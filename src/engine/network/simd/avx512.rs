//! AVX-512: 32 lanes.

use std::arch::x86_64::*;

use super::{Change, Inputs, Row};
use crate::network::HIDDEN;
use crate::network::weights::ACTIVATION_ONE;

update!(
    "avx512f,avx512bw",
    32,
    4,
    _mm512_add_epi16,
    _mm512_sub_epi16
);

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(numbers: &Chunk) -> __m512i {
    // SAFETY: the 64 bytes of the array can be read; they need no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// Sign-extended.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn widen(numbers: &[i8; LANES]) -> __m512i {
    // SAFETY: the 32 bytes of the array can be read; they need no alignment.
    _mm512_cvtepi8_epi16(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store(numbers: &mut Chunk, register: __m512i) {
    // SAFETY: the 64 bytes of the array can be written; they need no alignment.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), register) }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(clippy::needless_range_loop)] // See `update`.
pub(super) fn output(views: [&Row; 2], weights: [&Row; 2]) -> i32 {
    let most = _mm512_set1_epi16(ACTIVATION_ONE);
    let none = _mm512_setzero_si512();
    let mut total = none;
    for view in 0..2 {
        let (sums, weights) = (views[view].as_chunks().0, weights[view].as_chunks().0);
        for index in 0..CHUNKS {
            let values = _mm512_min_epi16(_mm512_max_epi16(load(&sums[index]), none), most);
            let products = _mm512_mullo_epi16(values, load(&weights[index]));
            total = _mm512_add_epi32(total, _mm512_madd_epi16(products, values));
        }
    }
    _mm512_reduce_add_epi32(total)
}
