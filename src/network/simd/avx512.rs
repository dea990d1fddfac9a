//! With AVX-512: 32 numbers at a time.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_loadu_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_sub_epi16,
};

use super::{part, part_mut};
use crate::network::features::Changes;

/// Numbers of a register.
const LANES: usize = 32;

type Chunk = [i16; LANES];

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

/// See [`SimdLevel::update`](super::SimdLevel::update).
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn update(to: &mut [i16], from: Option<&[i16]>, weights: &[i16], changes: &Changes) {
    let to = to.as_chunks_mut().0;
    let from = from.map(|from| from.as_chunks().0);
    let weights = weights.as_chunks().0;
    let mut start = 0;
    while start < to.len() {
        start += match to.len() - start {
            8.. => block::<8>(to, from, weights, changes, start),
            4.. => block::<4>(to, from, weights, changes, start),
            2.. => block::<2>(to, from, weights, changes, start),
            _ => block::<1>(to, from, weights, changes, start),
        };
    }
}

/// Brings `R` registers from chunk `start` on up to date; returns `R`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn block<const R: usize>(
    to: &mut [Chunk],
    from: Option<&[Chunk]>,
    weights: &[Chunk],
    changes: &Changes,
    start: usize,
) -> usize {
    let row = to.len();
    let mut registers = [_mm512_setzero_si512(); R];
    let old = part::<_, R>(from.unwrap_or(to), start);
    for (index, register) in registers.iter_mut().enumerate() {
        *register = load(&old[index]);
    }
    for &feature in changes.off() {
        let weights = part::<_, R>(weights, usize::from(feature) * row + start);
        for (index, register) in registers.iter_mut().enumerate() {
            *register = _mm512_sub_epi16(*register, load(&weights[index]));
        }
    }
    for &feature in changes.on() {
        let weights = part::<_, R>(weights, usize::from(feature) * row + start);
        for (index, register) in registers.iter_mut().enumerate() {
            *register = _mm512_add_epi16(*register, load(&weights[index]));
        }
    }
    let new = part_mut::<_, R>(to, start);
    for (index, numbers) in new.iter_mut().enumerate() {
        store(numbers, registers[index]);
    }
    R
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn output([first, second]: [&[i16]; 2], weights: &[i16]) -> i32 {
    let (first_weights, second_weights) = weights.split_at(first.len());
    let most = _mm512_set1_epi16(255);
    let none = _mm512_setzero_si512();
    let mut total = none;
    for (sums, weights) in [(first, first_weights), (second, second_weights)] {
        let weights = weights.as_chunks().0;
        for (sums, weights) in sums.as_chunks().0.iter().zip(weights) {
            let values = _mm512_min_epi16(_mm512_max_epi16(load(sums), none), most);
            let products = _mm512_mullo_epi16(values, load(weights));
            total = _mm512_add_epi32(total, _mm512_madd_epi16(products, values));
        }
    }
    _mm512_reduce_add_epi32(total)
}
