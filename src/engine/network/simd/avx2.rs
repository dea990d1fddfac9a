//! AVX2: 16 lanes.

use std::arch::x86_64::{
    _mm_loadu_si128 as load_bytes, _mm256_add_epi16 as add, _mm256_cvtepi8_epi16 as extend,
    _mm256_loadu_si256 as load_numbers, _mm256_max_epi16 as max, _mm256_min_epi16 as min,
    _mm256_mullo_epi16 as multiply, _mm256_set1_epi16 as splat, _mm256_setzero_si256 as no_sums,
    _mm256_storeu_si256 as store_numbers, _mm256_sub_epi16 as sub, *,
};

simd_functions!("avx2", 16, 4, __m256i);

#[target_feature(enable = "avx2")]
#[inline]
fn add_products(sums: __m256i, products: __m256i, values: __m256i) -> __m256i {
    _mm256_add_epi32(sums, _mm256_madd_epi16(products, values))
}

#[target_feature(enable = "avx2")]
#[inline]
fn total(sums: __m256i) -> i32 {
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
    let sum = _mm_add_epi32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
    _mm_cvtsi128_si32(sum)
}
