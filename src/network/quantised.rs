//! The network in integers.

use sha2::{Digest, Sha256};

use super::aligned::{AlignedNumbers, Scratch};
use super::features::Changes;
use super::simd::SimdLevel;
use super::{Header, MAX_HIDDEN, NetworkError, Perspectives, bounds, file};
use crate::board::Bitboard;

/// What an input weight or hidden bias of 1, and so a hidden unit that is fully on, is as an integer.
pub(super) const ACTIVATION_ONE: i16 = 255;
/// What a head weight of 1 is as an integer.
const HEAD_WEIGHT_ONE: i16 = 64;
/// What an output of 1 is as an integer.
const OUTPUT_ONE: i32 = ACTIVATION_ONE as i32 * ACTIVATION_ONE as i32 * HEAD_WEIGHT_ONE as i32;
/// The largest head weight, either way.
pub(super) const MOST_HEAD_WEIGHT: i16 = 127;
/// The largest score, either way, in units of the search.
const MOST_SCORE: i64 = 20_000;
/// Bits after the point of [`Network::multiplier`].
const FRACTION_BITS: u32 = 32;
/// Cache lines that two views take up at most.
const MOST_LINES: usize = 2 * MAX_HIDDEN / 32;

/// The numbers of a network, in the order of [`Architecture`](super::Architecture)'s parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// One row of hidden units for each feature; 255 is 1.
    pub input_weights: AlignedNumbers,
    /// One for each hidden unit; 255 is 1.
    pub hidden_biases: AlignedNumbers,
    /// For each head the weights of the side to move, then those of the other side; 64 is 1.
    pub head_weights: AlignedNumbers,
    /// One for each head; 255 × 255 × 64 is 1.
    pub head_biases: Vec<i32>,
}

/// A network in integers, ready to evaluate: immutable, and the same on every processor.
///
/// Hidden sums are 16-bit integers, 255 for 1; head weights 8-bit ones, 64 for 1; outputs 32-bit ones.
/// No position can make a sum leave its integer: a network that could is refused.
#[derive(Clone, Debug)]
pub struct Network {
    header: Header,
    numbers: Numbers,
    /// The SHA-256 of the file.
    digest: [u8; 32],
    /// Units of the search for each unit of the integer output, 2^32 for 1.
    multiplier: i64,
    simd: SimdLevel,
}

impl Network {
    /// The network with these parameters, in the order of [`Architecture::parameters`], rounded to
    /// integers.
    ///
    /// # Errors
    ///
    /// There are too few or too many parameters, one is not finite or too large for its integer, sums
    /// could overflow, or the header cannot be.
    ///
    /// [`Architecture::parameters`]: super::Architecture::parameters
    pub fn quantise(header: Header, parameters: &[f32]) -> Result<Network, NetworkError> {
        header.check()?;
        let architecture = header.architecture;
        if parameters.len() != architecture.parameters() {
            return Err(NetworkError::Parameters {
                wanted: architecture.parameters(),
                found: parameters.len(),
            });
        }
        let mut numbers = Numbers::zeros(&header);
        let mut index = 0;
        let mut next = |one: i32, least: i32, most: i32| {
            let value = parameters[index];
            let rounded = (f64::from(value) * f64::from(one)).round();
            // Not a number is no number in this range.
            if !(f64::from(least)..=f64::from(most)).contains(&rounded) {
                return Err(NetworkError::Parameter {
                    index,
                    value,
                    least: (f64::from(least) / f64::from(one)) as f32,
                    most: (f64::from(most) / f64::from(one)) as f32,
                });
            }
            index += 1;
            Ok(rounded as i32)
        };
        let (short, head) = (i32::from(i16::MAX), i32::from(MOST_HEAD_WEIGHT));
        for number in numbers.input_weights.iter_mut() {
            *number = next(i32::from(ACTIVATION_ONE), -short, short)? as i16;
        }
        for number in numbers.hidden_biases.iter_mut() {
            *number = next(i32::from(ACTIVATION_ONE), -short, short)? as i16;
        }
        for number in numbers.head_weights.iter_mut() {
            *number = next(i32::from(HEAD_WEIGHT_ONE), -head, head)? as i16;
        }
        for number in &mut numbers.head_biases {
            *number = next(OUTPUT_ONE, -i32::MAX, i32::MAX)?;
        }
        Network::new(header, numbers)
    }

    /// The network with these numbers, as many as the header says, if they can be.
    pub(super) fn new(header: Header, numbers: Numbers) -> Result<Network, NetworkError> {
        header.check()?;
        bounds::check(&header.architecture, &numbers)?;
        // Rounding it changes no output, of 31 bits at most, by more than a quarter of a unit.
        let one = (1_u64 << FRACTION_BITS) as f64;
        let multiplier =
            (f64::from(header.search_scale) * one / f64::from(OUTPUT_ONE)).round() as i64;
        let mut network = Network {
            header,
            numbers,
            digest: [0; 32],
            multiplier,
            simd: SimdLevel::best(),
        };
        network.digest = Sha256::digest(file::encode(&network.header, &network.numbers)?).into();
        Ok(network)
    }

    /// The same numbers with another header for the same architecture.
    ///
    /// # Errors
    ///
    /// The header cannot be, or is for another architecture.
    pub fn with_header(&self, header: Header) -> Result<Network, NetworkError> {
        if header.architecture != self.header.architecture {
            return Err(NetworkError::OtherArchitecture);
        }
        Ok(Network {
            simd: self.simd,
            ..Network::new(header, self.numbers.clone())?
        })
    }

    /// The same network, evaluated with these vector instructions and not the fastest there are. Gives
    /// the same scores.
    #[must_use]
    pub fn with_simd(self, simd: SimdLevel) -> Network {
        Network { simd, ..self }
    }

    /// What the network says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The name: the first 12 hexadecimal digits of the SHA-256 of its file.
    #[must_use]
    pub fn name(&self) -> String {
        let digits = |byte: &u8| format!("{byte:02x}");
        self.digest[..6].iter().map(digits).collect()
    }

    /// The vector instructions that evaluate it.
    #[must_use]
    pub fn simd(&self) -> SimdLevel {
        self.simd
    }

    /// The parameters that the integers stand for, in the order of [`Architecture::parameters`].
    ///
    /// [`Architecture::parameters`]: super::Architecture::parameters
    #[must_use]
    pub fn parameters(&self) -> Vec<f32> {
        let real = |number: i32, one: i32| (f64::from(number) / f64::from(one)) as f32;
        let short = |numbers: &[i16], one: i16| -> Vec<f32> {
            let real = |&number: &i16| real(i32::from(number), i32::from(one));
            numbers.iter().map(real).collect()
        };
        let numbers = &self.numbers;
        let mut parameters = short(&numbers.input_weights, ACTIVATION_ONE);
        parameters.extend(short(&numbers.hidden_biases, ACTIVATION_ONE));
        parameters.extend(short(&numbers.head_weights, HEAD_WEIGHT_ONE));
        let biases = numbers.head_biases.iter();
        parameters.extend(biases.map(|&bias| real(bias, OUTPUT_ONE)));
        parameters
    }

    /// The worth of these stones for the owner of `own`, who is to move, in units of the search, within
    /// ±20,000, computed from nothing. A point that both have counts as `own`.
    #[must_use]
    pub fn evaluate(&self, own: Bitboard, other: Bitboard) -> i32 {
        let other = other - own;
        let hidden = self.header.architecture.hidden;
        let mut scratch = Scratch::<MOST_LINES>::zeros();
        let (first, second) = scratch.numbers().split_at_mut(hidden);
        self.refresh(own, other, first);
        let second = match self.header.architecture.perspectives {
            Perspectives::Single => &[],
            Perspectives::Double => {
                let second = &mut second[..hidden];
                self.refresh(other, own, second);
                &*second
            }
        };
        self.score([first, second], (own | other).count())
    }

    /// Computes the hidden sums of the view of the owner of `own`.
    fn refresh(&self, own: Bitboard, other: Bitboard, sums: &mut [i16]) {
        let mut active = super::Active::new();
        let features = self.header.architecture.features;
        features.active(own, other, &mut active);
        let mut changes = Changes::default();
        for feature in active {
            changes.push(feature, true);
        }
        self.refresh_sums(sums, &changes);
    }

    /// Computes hidden sums from the features that are on.
    #[inline]
    pub(super) fn refresh_sums(&self, sums: &mut [i16], changes: &Changes) {
        self.update_sums(sums, Some(&self.numbers.hidden_biases), changes);
    }

    /// Computes hidden sums from those of another position, or their own if there are none.
    #[inline]
    pub(super) fn update_sums(&self, to: &mut [i16], from: Option<&[i16]>, changes: &Changes) {
        self.simd
            .update(to, from, &self.numbers.input_weights, changes);
    }

    /// The score that hidden sums lead to, first those of the side to move, with so many stones on the
    /// board.
    #[inline]
    pub(super) fn score(&self, views: [&[i16]; 2], stones: u32) -> i32 {
        let architecture = &self.header.architecture;
        let head = architecture.heads.head(stones);
        let length = architecture.head_weights();
        let weights = &self.numbers.head_weights[head * length..][..length];
        let output = self
            .simd
            .output(views, weights)
            .wrapping_add(self.numbers.head_biases[head]);
        self.search_units(output)
    }

    /// Units of the search for an integer output: to the nearest one, halves up.
    #[inline]
    fn search_units(&self, output: i32) -> i32 {
        let half = 1 << (FRACTION_BITS - 1);
        let score = (i64::from(output) * self.multiplier + half) >> FRACTION_BITS;
        score.clamp(-MOST_SCORE, MOST_SCORE) as i32
    }

    /// The integers.
    pub(super) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The SHA-256 of the file: two networks with the same one are the same.
    #[inline]
    pub(super) fn digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

impl Numbers {
    /// As many zeros as the architecture of `header` has numbers.
    pub(super) fn zeros(header: &Header) -> Numbers {
        let architecture = &header.architecture;
        let heads = architecture.heads.count();
        Numbers {
            input_weights: AlignedNumbers::zeros(architecture.input_weights()),
            hidden_biases: AlignedNumbers::zeros(architecture.hidden),
            head_weights: AlignedNumbers::zeros(heads * architecture.head_weights()),
            head_biases: vec![0; heads],
        }
    }

    /// Bytes in a file.
    pub(super) fn file_bytes(&self) -> usize {
        let short = [&self.input_weights, &self.hidden_biases, &self.head_weights];
        let short: usize = short.iter().map(|numbers| numbers.len()).sum();
        2 * short + 4 * self.head_biases.len()
    }
}

#[cfg(test)]
mod tests;
