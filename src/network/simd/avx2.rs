//! With AVX2: 16 numbers at a time.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::{part, part_mut};
use crate::network::features::Changes;

/// Numbers of a register.
const LANES: usize = 16;

type Chunk = [i16; LANES];

#[target_feature(enable = "avx2")]
#[inline]
fn load(numbers: &Chunk) -> __m256i {
    // SAFETY: the 32 bytes of the array can be read; they need no alignment.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(numbers: &mut Chunk, register: __m256i) {
    // SAFETY: the 32 bytes of the array can be written; they need no alignment.
    unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), register) }
}

/// See [`SimdLevel::update`](super::SimdLevel::update).
#[target_feature(enable = "avx2")]
pub(super) fn update(to: &mut [i16], from: Option<&[i16]>, weights: &[i16], changes: &Changes) {
    let to = to.as_chunks_mut().0;
    let from = from.map(|from| from.as_chunks().0);
    let weights = weights.as_chunks().0;
    let mut start = 0;
    while start < to.len() {
        // There are a multiple of two.
        start += match to.len() - start {
            8.. => block::<8>(to, from, weights, changes, start),
            4.. => block::<4>(to, from, weights, changes, start),
            _ => block::<2>(to, from, weights, changes, start),
        };
    }
}

/// Brings `R` registers from chunk `start` on up to date; returns `R`.
#[target_feature(enable = "avx2")]
#[inline]
fn block<const R: usize>(
    to: &mut [Chunk],
    from: Option<&[Chunk]>,
    weights: &[Chunk],
    changes: &Changes,
    start: usize,
) -> usize {
    let row = to.len();
    let mut registers = [_mm256_setzero_si256(); R];
    let old = part::<_, R>(from.unwrap_or(to), start);
    for (index, register) in registers.iter_mut().enumerate() {
        *register = load(&old[index]);
    }
    for &feature in changes.off() {
        let weights = part::<_, R>(weights, usize::from(feature) * row + start);
        for (index, register) in registers.iter_mut().enumerate() {
            *register = _mm256_sub_epi16(*register, load(&weights[index]));
        }
    }
    for &feature in changes.on() {
        let weights = part::<_, R>(weights, usize::from(feature) * row + start);
        for (index, register) in registers.iter_mut().enumerate() {
            *register = _mm256_add_epi16(*register, load(&weights[index]));
        }
    }
    let new = part_mut::<_, R>(to, start);
    for (index, numbers) in new.iter_mut().enumerate() {
        store(numbers, registers[index]);
    }
    R
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "avx2")]
pub(super) fn output([first, second]: [&[i16]; 2], weights: &[i16]) -> i32 {
    let (first_weights, second_weights) = weights.split_at(first.len());
    let most = _mm256_set1_epi16(255);
    let none = _mm256_setzero_si256();
    let mut total = none;
    for (sums, weights) in [(first, first_weights), (second, second_weights)] {
        let weights = weights.as_chunks().0;
        for (sums, weights) in sums.as_chunks().0.iter().zip(weights) {
            let values = _mm256_min_epi16(_mm256_max_epi16(load(sums), none), most);
            let products = _mm256_mullo_epi16(values, load(weights));
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
