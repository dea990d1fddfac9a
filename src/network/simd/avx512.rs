//! AVX-512: 32 lanes.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_loadu_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_sub_epi16,
};

use crate::network::features::FeatureDelta;

update!("avx512f,avx512bw", 32, _mm512_add_epi16, _mm512_sub_epi16, 8 4 2 1);

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(numbers: &Chunk) -> __m512i {
    // SAFETY: the 64 bytes of the array can be read; they need no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store(numbers: &mut Chunk, register: __m512i) {
    // SAFETY: the 64 bytes of the array can be written; they need no alignment.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), register) }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(clippy::needless_range_loop)] // See `block`.
pub(super) fn output([first, second]: [&[i16]; 2], weights: &[i16]) -> i32 {
    let (first_weights, second_weights) = weights.split_at(first.len());
    let most = _mm512_set1_epi16(255);
    let none = _mm512_setzero_si512();
    let mut total = none;
    for (sums, weights) in [(first, first_weights), (second, second_weights)] {
        let (sums, weights) = (
            sums.as_chunks().0,
            &weights.as_chunks().0[..sums.len() / LANES],
        );
        for index in 0..sums.len() {
            let values = _mm512_min_epi16(_mm512_max_epi16(load(&sums[index]), none), most);
            let products = _mm512_mullo_epi16(values, load(&weights[index]));
            total = _mm512_add_epi32(total, _mm512_madd_epi16(products, values));
        }
    }
    _mm512_reduce_add_epi32(total)
}
