//! AVX-512: 32 lanes.

use std::arch::x86_64::{
    _mm256_loadu_si256 as load_bytes, _mm512_add_epi16 as add, _mm512_cvtepi8_epi16 as extend,
    _mm512_loadu_si512 as load_numbers, _mm512_max_epi16 as max, _mm512_min_epi16 as min,
    _mm512_mullo_epi16 as multiply, _mm512_reduce_add_epi32 as total, _mm512_set1_epi16 as splat,
    _mm512_setzero_si512 as no_sums, _mm512_storeu_si512 as store_numbers, _mm512_sub_epi16 as sub,
    *,
};

simd_functions!("avx512f,avx512bw", 32, 4, __m512i);

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn add_products(sums: __m512i, products: __m512i, values: __m512i) -> __m512i {
    _mm512_add_epi32(sums, _mm512_madd_epi16(products, values))
}
