//! The quantised network.

use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

use super::architecture::ACTIVATION_ONE;
use super::features::{NO_STONES, STATES, Seen, windows};
use super::file::encode;
use super::simd::{Change, Row, SimdLevel};
use super::weights::{MOST_OUTPUT_WEIGHT, Weights};
use super::{HIDDEN, Header, PARAMETERS, output_bucket};
use crate::board::Bitboard;

/// Quantisation scale of output weights.
pub(super) const OUTPUT_WEIGHT_ONE: i16 = 64;
/// Quantisation scale of the output.
pub(super) const OUTPUT_ONE: i32 =
    ACTIVATION_ONE as i32 * ACTIVATION_ONE as i32 * OUTPUT_WEIGHT_ONE as i32;
const MOST_SCORE: i64 = 20_000;
/// Bits after the point of [`Network::multiplier`].
const FRACTION_BITS: u32 = 32;
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// A quantised network, ready to evaluate: immutable, with the same scores on every processor.
///
/// Hidden sums are 16-bit integers, 153 for 1; output weights 8-bit ones, 64 for 1; outputs 32-bit ones.
/// No position can overflow a sum: a network in which one could is rejected.
#[derive(Clone, Debug)]
pub struct Network {
    header: Header,
    pub(super) weights: Weights,
    /// The hidden sums of a board without stones.
    pub(super) sums_of_nothing: Row,
    /// The SHA-256 of the file.
    digest: [u8; 32],
    /// Of its weights: copies have the same one, and give the same scores.
    pub(super) id: u64,
    /// Units of the search for each unit of the integer output, 2^32 for 1.
    multiplier: i64,
    simd: SimdLevel,
}

impl Network {
    /// The network with these parameters, in the order of [`PARAMETERS`], rounded to
    /// integers.
    ///
    /// # Errors
    ///
    /// There are too few or too many parameters, one is not finite or too large for its integer, sums
    /// could overflow, or the header is invalid.
    pub fn quantise(header: Header, parameters: &[f32]) -> Result<Network, String> {
        if parameters.len() != PARAMETERS {
            return Err(format!(
                "{} parameters: expected {PARAMETERS}",
                parameters.len()
            ));
        }
        let mut weights = Weights::zeros();
        let mut index = 0;
        let mut next = |one: i32, most: i32| {
            let value = parameters[index];
            let rounded = (f64::from(value) * f64::from(one)).round();
            if rounded.is_nan() || rounded.abs() > f64::from(most) {
                let most = (f64::from(most) / f64::from(one)) as f32;
                return Err(format!(
                    "parameter {index} is {value}: expected -{most} to {most}"
                ));
            }
            index += 1;
            Ok(rounded as i32)
        };
        for weight in weights.windows.iter_mut() {
            *weight = next(i32::from(ACTIVATION_ONE), i32::from(i8::MAX))? as i8;
        }
        let victims = weights.victims.iter_mut();
        for weight in victims.chain(weights.hidden_biases.iter_mut()) {
            *weight = next(i32::from(ACTIVATION_ONE), i32::from(i16::MAX))? as i16;
        }
        for weight in weights.outputs.iter_mut() {
            *weight = next(i32::from(OUTPUT_WEIGHT_ONE), i32::from(MOST_OUTPUT_WEIGHT))? as i16;
        }
        for bias in &mut weights.output_biases {
            *bias = next(OUTPUT_ONE, i32::MAX)?;
        }
        Network::new(header, weights)
    }

    /// The network with these weights, as many as the header says, if they can be.
    pub(super) fn new(header: Header, weights: Weights) -> Result<Network, String> {
        header.check()?;
        weights.check()?;
        // Rounding it changes no output, of 31 bits at most, by more than a quarter of a unit.
        let one = (1_u64 << FRACTION_BITS) as f64;
        let multiplier =
            (f64::from(header.search_scale) * one / f64::from(OUTPUT_ONE)).round() as i64;
        let mut sums_of_nothing = [0; HIDDEN];
        sums_of_nothing.copy_from_slice(&weights.hidden_biases);
        for window in weights.inputs().windows.iter().step_by(STATES) {
            for (sum, &weight) in sums_of_nothing.iter_mut().zip(window) {
                *sum = sum.wrapping_add(weight.into());
            }
        }
        Ok(Network {
            sums_of_nothing,
            digest: Sha256::digest(encode(&header, &weights)?).into(),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            header,
            weights,
            multiplier,
            simd: SimdLevel::best(),
        })
    }

    /// The same weights with another header.
    ///
    /// # Errors
    ///
    /// The header is invalid.
    pub fn with_header(&self, header: Header) -> Result<Network, String> {
        Ok(Network {
            simd: self.simd,
            ..Network::new(header, self.weights.clone())?
        })
    }

    /// The same network, evaluated with these vector instructions instead of the fastest available. Gives
    /// the same scores.
    pub fn with_simd(self, simd: SimdLevel) -> Network {
        Network { simd, ..self }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The name: the first 12 hexadecimal digits of the SHA-256 of its file.
    pub fn name(&self) -> String {
        let digits = |byte: &u8| format!("{byte:02x}");
        self.digest[..6].iter().map(digits).collect()
    }

    /// The parameters that the integers stand for, in the order of [`PARAMETERS`].
    pub fn parameters(&self) -> Vec<f32> {
        let real = |number: i32, one: i32| (f64::from(number) / f64::from(one)) as f32;
        let short = |one: i16| move |&number: &i16| real(number.into(), one.into());
        let weights = &self.weights;
        let windows = weights.windows.iter();
        let windows = windows.map(|&weight| real(weight.into(), ACTIVATION_ONE.into()));
        let rest = weights.victims.iter().chain(weights.hidden_biases.iter());
        let outputs = weights.outputs.iter().map(short(OUTPUT_WEIGHT_ONE));
        let biases = weights.output_biases.iter();
        windows
            .chain(rest.map(short(ACTIVATION_ONE)))
            .chain(outputs)
            .chain(biases.map(|&bias| real(bias, OUTPUT_ONE)))
            .collect()
    }

    /// The worth of these stones for the owner of `own`, who is to move, in units of the search, within
    /// ±20,000, computed from scratch. A point in both sets counts as `own`.
    pub fn evaluate(&self, own: Bitboard, other: Bitboard) -> i32 {
        let other = other - own;
        let seen = Seen::new(own, other);
        let windows = windows(seen.stones);
        let change = Change::new([&Seen::NOTHING, &seen], [NO_STONES, windows]);
        let mut sums = [self.sums_of_nothing; 2];
        self.update_sums(&mut sums, None, &change);
        self.score([&sums[0], &sums[1]], (own | other).count())
    }

    /// Computes the hidden sums of both views from those of another position: `from`, or what is in `to`.
    #[inline]
    pub(super) fn update_sums(&self, to: &mut [Row; 2], from: Option<&[Row; 2]>, change: &Change) {
        self.simd.update(to, from, &self.weights.inputs(), change);
    }

    /// The score of hidden sums, first those of the side to move, with so many stones on the board.
    #[inline(always)]
    pub(super) fn score(&self, views: [&Row; 2], stones: u32) -> i32 {
        let bucket = output_bucket(stones);
        let bias = self.weights.output_biases[bucket];
        self.score_by(views, self.weights.output(bucket), bias)
    }

    /// [`Network::score`] with these weights and this bias.
    #[inline(always)]
    pub(super) fn score_by(&self, views: [&Row; 2], weights: [&Row; 2], bias: i32) -> i32 {
        let output = self.simd.output(views, weights).wrapping_add(bias);
        // In units of the search: to the nearest one, halves up.
        let half = 1 << (FRACTION_BITS - 1);
        let score = (i64::from(output) * self.multiplier + half) >> FRACTION_BITS;
        score.clamp(-MOST_SCORE, MOST_SCORE) as i32
    }
}

#[cfg(test)]
mod tests;
