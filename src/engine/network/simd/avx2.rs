//! AVX2: 16 lanes.

use std::arch::x86_64::*;

use super::{Change, Inputs, Row};
use crate::network::HIDDEN;
use crate::network::weights::ACTIVATION_ONE;

update!("avx2", 16, 4, _mm256_add_epi16, _mm256_sub_epi16);

#[target_feature(enable = "avx2")]
#[inline]
fn load(numbers: &Chunk) -> __m256i {
    // SAFETY: the 32 bytes of the array can be read; they need no alignment.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

/// Sign-extended.
#[target_feature(enable = "avx2")]
#[inline]
fn widen(numbers: &[i8; LANES]) -> __m256i {
    // SAFETY: the 16 bytes of the array can be read; they need no alignment.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(numbers: &mut Chunk, register: __m256i) {
    // SAFETY: the 32 bytes of the array can be written; they need no alignment.
    unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), register) }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "avx2")]
#[allow(clippy::needless_range_loop)] // See `update`.
pub(super) fn output(views: [&Row; 2], weights: [&Row; 2]) -> i32 {
    let most = _mm256_set1_epi16(ACTIVATION_ONE);
    let none = _mm256_setzero_si256();
    let mut total = none;
    for view in 0..2 {
        let (sums, weights) = (views[view].as_chunks().0, weights[view].as_chunks().0);
        for index in 0..CHUNKS {
            let values = _mm256_min_epi16(_mm256_max_epi16(load(&sums[index]), none), most);
            let products = _mm256_mullo_epi16(values, load(&weights[index]));
            total = _mm256_add_epi32(total, _mm256_madd_epi16(products, values));
        }
    }
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(total),
        _mm256_extracti128_si256::<1>(total),
    );
    let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
    let sum = _mm_add_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
    _mm_cvtsi128_si32(sum)
}
