//! The two hot loops of the network, for each instruction set.
//!
//! All give bit-identical results: sums wrap, so their order does not matter.

/// Writes [`SimdLevel::update`] for vectors of `$lanes` numbers, with the functions `load` and `store` of the
/// module and these intrinsics. A row is worked on in blocks of so many registers, the largest first.
#[allow(unused_macros)] // On processors without vector instructions that are used here.
macro_rules! update {
    ($features:tt, $lanes:literal, $add:ident, $sub:ident, $($block:literal)+) => {
        const LANES: usize = $lanes;
        type Chunk = [i16; LANES];

        #[target_feature(enable = $features)]
        pub(super) fn update(
            to: &mut [i16],
            from: Option<&[i16]>,
            weights: &[i16],
            delta: &FeatureDelta,
        ) {
            let to = to.as_chunks_mut().0;
            let from = from.map(|from| from.as_chunks().0);
            let weights = weights.as_chunks().0;
            let mut start = 0;
            while start < to.len() {
                start += match to.len() - start {
                    $($block.. => block::<$block>(to, from, weights, delta, start),)+
                    // A row is a multiple of the smallest block.
                    left => left,
                };
            }
        }

        /// Brings `R` registers from chunk `start` on up to date; returns `R`.
        #[target_feature(enable = $features)]
        #[inline]
        #[allow(clippy::needless_range_loop)]
        fn block<const R: usize>(
            to: &mut [Chunk],
            from: Option<&[Chunk]>,
            weights: &[Chunk],
            delta: &FeatureDelta,
            start: usize,
        ) -> usize {
            let row = to.len();
            // Indices, not iterators: those are inlined only where they are compiled together with this.
            let old = &from.unwrap_or(to)[start..][..R];
            let mut registers = [load(&old[0]); R];
            for index in 1..R {
                registers[index] = load(&old[index]);
            }
            for &feature in delta.off() {
                let weights = &weights[usize::from(feature) * row + start..][..R];
                for index in 0..R {
                    registers[index] = $sub(registers[index], load(&weights[index]));
                }
            }
            for &feature in delta.on() {
                let weights = &weights[usize::from(feature) * row + start..][..R];
                for index in 0..R {
                    registers[index] = $add(registers[index], load(&weights[index]));
                }
            }
            let new = &mut to[start..][..R];
            for index in 0..R {
                store(&mut new[index], registers[index]);
            }
            R
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use std::fmt;

use super::features::FeatureDelta;

/// An instruction set supported by this processor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SimdLevel(Level);

/// Made only by [`SimdLevel::available`], after checking the processor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl SimdLevel {
    /// Scalar code, vectorised by the compiler at most.
    pub const SCALAR: SimdLevel = SimdLevel(Level::Scalar);

    /// All supported by this processor, the slowest first.
    #[must_use]
    pub fn available() -> Vec<SimdLevel> {
        #[allow(unused_mut)]
        let mut levels = vec![SimdLevel::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                levels.push(SimdLevel(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                levels.push(SimdLevel(Level::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            levels.push(SimdLevel(Level::Neon));
        }
        levels
    }

    /// The fastest supported by this processor.
    #[must_use]
    pub fn best() -> SimdLevel {
        SimdLevel::available().pop().unwrap_or(SimdLevel::SCALAR)
    }

    /// Makes `to` the sums of `from`, or its own if there is none, with the rows of `weights` taken
    /// off and added that `delta` says. A row is as long as `to`: a multiple of 32.
    #[inline]
    pub(super) fn update(
        self,
        to: &mut [i16],
        from: Option<&[i16]>,
        weights: &[i16],
        delta: &FeatureDelta,
    ) {
        match self.0 {
            Level::Scalar => scalar::update(to, from, weights, delta),
            // SAFETY: the processor has AVX2, or there would be no such level.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::update(to, from, weights, delta) },
            // SAFETY: the processor has AVX-512 F and BW, or there would be no such level.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::update(to, from, weights, delta) },
            // SAFETY: the processor has NEON, or there would be no such level.
            #[cfg(target_arch = "aarch64")]
            Level::Neon => unsafe { neon::update(to, from, weights, delta) },
        }
    }

    /// The sum of weight × clamp(sum, 0, 255)² over the hidden sums of both views, of which the second
    /// may be empty. The weights of the first view come first; all lie within ±127.
    #[inline]
    pub(super) fn output(self, views: [&[i16]; 2], weights: &[i16]) -> i32 {
        match self.0 {
            Level::Scalar => scalar::output(views, weights),
            // SAFETY: the processor has AVX2, or there would be no such level.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::output(views, weights) },
            // SAFETY: the processor has AVX-512 F and BW, or there would be no such level.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::output(views, weights) },
            // SAFETY: the processor has NEON, or there would be no such level.
            #[cfg(target_arch = "aarch64")]
            Level::Neon => unsafe { neon::output(views, weights) },
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon => "NEON",
        })
    }
}

impl fmt::Debug for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Random numbers over the whole range that there can be: sums wrap the same way everywhere.
    #[test]
    fn all_levels_agree_to_the_bit() {
        const ROWS: u16 = 100;
        let mut random = SmallRng::seed_from_u64(1);
        for hidden in (32..=512).step_by(32) {
            let rows = usize::from(ROWS) * hidden;
            let weights: Vec<i16> = (0..rows).map(|_| random.random()).collect();
            let head: Vec<i16> = (0..2 * hidden)
                .map(|_| random.random_range(-127..=127))
                .collect();
            let old: Vec<i16> = (0..hidden).map(|_| random.random()).collect();
            for (off, on) in [(0, 0), (0, 1), (3, 0), (2, 5), (40, 90)] {
                let mut delta = FeatureDelta::EMPTY;
                for number in 0..off + on {
                    delta.push(random.random_range(0..ROWS), number >= off);
                }
                let expected: Vec<i16> = (0..hidden)
                    .map(|unit| {
                        let row = |&feature: &u16| weights[usize::from(feature) * hidden + unit];
                        let off = delta.off().iter().map(row).fold(0, i16::wrapping_add);
                        let on = delta.on().iter().map(row).fold(0, i16::wrapping_add);
                        old[unit].wrapping_add(on).wrapping_sub(off)
                    })
                    .collect();
                let square = |sum: i16| i32::from(sum.clamp(0, 255)).pow(2);
                let sum = |sums: &[i16], head: &[i16]| -> i32 {
                    std::iter::zip(sums, head)
                        .map(|(&sum, &weight)| square(sum) * i32::from(weight))
                        .fold(0, i32::wrapping_add)
                };
                let single = sum(&expected, &head[..hidden]);
                let double = single.wrapping_add(sum(&old, &head[hidden..]));
                for level in SimdLevel::available() {
                    let mut new = vec![0; hidden];
                    level.update(&mut new, Some(&old), &weights, &delta);
                    assert_eq!(new, expected, "{level}, {hidden} hidden");
                    let mut new = old.clone();
                    level.update(&mut new, None, &weights, &delta);
                    assert_eq!(new, expected, "{level}, {hidden} hidden, in place");
                    let output = level.output([&new, &[]], &head[..hidden]);
                    assert_eq!(output, single, "{level}, {hidden} hidden, one view");
                    let output = level.output([&new, &old], &head);
                    assert_eq!(output, double, "{level}, {hidden} hidden, two views");
                }
            }
        }
    }

    #[test]
    fn the_best_level_comes_last() {
        let levels = SimdLevel::available();
        assert_eq!(levels[0], SimdLevel::SCALAR);
        assert_eq!(levels.last(), Some(&SimdLevel::best()));
    }
}
