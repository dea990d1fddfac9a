//! The two hot loops of the network, for each instruction set.
//!
//! All give bit-identical results: sums wrap, so their order does not matter.

/// Writes [`SimdLevel::update`] and [`SimdLevel::output`] for vectors of `$lanes` numbers, with the intrinsics under the
/// names that the module gives them. `$registers` of each view are worked on at a time.
#[allow(unused_macros)] // On processors without vector instructions that are used here.
macro_rules! simd_functions {
    ($features:tt, $lanes:literal, $registers:literal, $register:ty) => {
        use super::{Change, Inputs, Row};
        use crate::network::HIDDEN;
        use crate::network::architecture::ACTIVATION_ONE;

        const LANES: usize = $lanes;
        const CHUNKS: usize = HIDDEN / LANES;
        type Chunk = [i16; LANES];

        /// The chunks of a row from `start` on.
        #[inline(always)]
        fn part<T>(row: &[T; HIDDEN], start: usize) -> &[[T; LANES]] {
            &row.as_chunks().0[start..start + $registers]
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn load(numbers: &Chunk) -> $register {
            // SAFETY: a register has as many numbers as the array, and needs no alignment.
            unsafe { load_numbers(numbers.as_ptr().cast()) }
        }

        /// Sign-extended.
        #[target_feature(enable = $features)]
        #[inline]
        fn widen(numbers: &[i8; LANES]) -> $register {
            // SAFETY: half a register has as many bytes as the array, and needs no alignment.
            extend(unsafe { load_bytes(numbers.as_ptr().cast()) })
        }

        #[target_feature(enable = $features)]
        #[allow(clippy::needless_range_loop)]
        pub(super) fn update(
            to: &mut [Row; 2],
            from: Option<&[Row; 2]>,
            inputs: &Inputs<'_>,
            change: &Change,
        ) {
            // Indices, not iterators: those are inlined only where they are compiled together with this.
            // Both views at once: the ends of loops are hard to predict.
            for start in (0..CHUNKS).step_by($registers) {
                let from = from.unwrap_or(to);
                let mut sums = [[load(&part(&from[0], start)[0]); $registers]; 2];
                for view in 0..2 {
                    let from = part(&from[view], start);
                    for index in 0..$registers {
                        sums[view][index] = load(&from[index]);
                    }
                }
                let mut windows = change.windows;
                while windows != 0 {
                    let window = windows.trailing_zeros() as usize;
                    for view in 0..2 {
                        let [off, on] = change.window_features(view, window);
                        let off = part(&inputs.windows[off], start);
                        let on = part(&inputs.windows[on], start);
                        for index in 0..$registers {
                            let sum = sub(sums[view][index], widen(&off[index]));
                            sums[view][index] = add(sum, widen(&on[index]));
                        }
                    }
                    windows &= windows - 1;
                }
                for side in 0..2 {
                    let [mut off, mut on] = change.victims[side];
                    while off != 0 {
                        let [own, other] = inputs.victim(off.trailing_zeros());
                        let (own, other) = (part(own, start), part(other, start));
                        for index in 0..$registers {
                            sums[side][index] = sub(sums[side][index], load(&own[index]));
                            sums[1 - side][index] = sub(sums[1 - side][index], load(&other[index]));
                        }
                        off &= off - 1;
                    }
                    while on != 0 {
                        let [own, other] = inputs.victim(on.trailing_zeros());
                        let (own, other) = (part(own, start), part(other, start));
                        for index in 0..$registers {
                            sums[side][index] = add(sums[side][index], load(&own[index]));
                            sums[1 - side][index] = add(sums[1 - side][index], load(&other[index]));
                        }
                        on &= on - 1;
                    }
                }
                for view in 0..2 {
                    let to = &mut to[view].as_chunks_mut().0[start..start + $registers];
                    for index in 0..$registers {
                        let chunk: &mut Chunk = &mut to[index];
                        // SAFETY: a register has as many numbers as the array, and needs no alignment.
                        unsafe { store_numbers(chunk.as_mut_ptr().cast(), sums[view][index]) }
                    }
                }
            }
        }

        #[target_feature(enable = $features)]
        #[allow(clippy::needless_range_loop)] // See `update`.
        pub(super) fn output(views: [&Row; 2], weights: [&Row; 2]) -> i32 {
            let (none, most) = (splat(0), splat(ACTIVATION_ONE));
            let mut sums = no_sums();
            for view in 0..2 {
                let (hidden, weights) = (views[view].as_chunks().0, weights[view].as_chunks().0);
                for index in 0..CHUNKS {
                    let values = min(max(load(&hidden[index]), none), most);
                    let products = multiply(values, load(&weights[index]));
                    sums = add_products(sums, products, values);
                }
            }
            total(sums)
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
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use super::HIDDEN;
use super::features::{COLUMNS, POINTS, ROWS, STATES, Seen, WINDOWS, Windows, point_number};

/// A number for each hidden unit.
pub(super) type Row = [i16; HIDDEN];

/// The rows of the first layer.
pub(super) struct Inputs<'a> {
    /// Those of the states of windows.
    pub(super) windows: &'a [[i8; HIDDEN]],
    /// Those of the other features.
    pub(super) victims: &'a [Row],
}

impl Inputs<'_> {
    /// The rows of a stone that could be captured, as its owner sees it and as the other side does.
    #[inline(always)]
    fn victim(&self, bit: u32) -> [&Row; 2] {
        let point = point_number(bit);
        [&self.victims[point], &self.victims[POINTS + point]]
    }
}

/// What differs between two positions.
pub(super) struct Change {
    /// The windows, as a set of bits.
    windows: u32,
    /// Their states before and after.
    states: [Windows; 2],
    /// For each side its stones that could be captured before only, and after only.
    victims: [[u64; 2]; 2],
}

impl Change {
    #[inline(always)]
    pub(super) fn new([before, after]: [&Seen; 2], states: [Windows; 2]) -> Change {
        let mut windows = 0;
        for row in 0..ROWS {
            // No state exceeds 127: the highest bit of each byte is set if the states differ, then all are
            // brought together in the highest byte.
            let differs = row_of(&states[0][0], row) ^ row_of(&states[1][0], row);
            let differs = (differs + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
            let bits = differs.wrapping_mul(0x0102_0408_1020_4080) >> 56;
            windows |= (bits as u32) << (COLUMNS * row);
        }
        let victims = |side: usize| {
            let (before, after) = (before.victims[side], after.victims[side]);
            [before & !after, after & !before]
        };
        Change {
            windows,
            states,
            victims: [victims(0), victims(1)],
        }
    }

    /// The features of a window in a view, before and after.
    #[inline(always)]
    fn window_features(&self, view: usize, window: usize) -> [usize; 2] {
        let [before, after] = &self.states;
        let first = window * STATES;
        [
            first + usize::from(before[view][window]),
            first + usize::from(after[view][window]),
        ]
    }
}

/// The states of a row of windows.
#[inline(always)]
fn row_of(windows: &[u8; WINDOWS], row: usize) -> u64 {
    u64::from_le_bytes(windows.as_chunks().0[row])
}

/// An instruction set supported by this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimdLevel(Level);

/// Made only by [`SimdLevel::available`], after checking the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// Calls the function of a level.
macro_rules! on_level {
    ($level:expr, $function:ident($($argument:expr),*)) => {
        match $level {
            Level::Scalar => scalar::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has the instructions, or there would be no such level.
            Level::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has the instructions, or there would be no such level.
            Level::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: the processor has the instructions, or there would be no such level.
            Level::Neon => unsafe { neon::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128 => simd128::$function($($argument),*),
        }
    };
}

impl SimdLevel {
    /// Scalar code, vectorised by the compiler at most.
    pub const SCALAR: SimdLevel = SimdLevel(Level::Scalar);

    /// All supported by this processor, the slowest first.
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
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        levels.push(SimdLevel(Level::Simd128));
        levels
    }

    /// The fastest supported by this processor.
    pub fn best() -> SimdLevel {
        SimdLevel::available().pop().unwrap_or(SimdLevel::SCALAR)
    }

    /// Makes `to` the hidden sums of both views: those of `from`, or its own, with the rows of `inputs` taken
    /// off and added that the change says.
    #[inline]
    pub(super) fn update(
        self,
        to: &mut [Row; 2],
        from: Option<&[Row; 2]>,
        inputs: &Inputs<'_>,
        change: &Change,
    ) {
        on_level!(self.0, update(to, from, inputs, change))
    }

    /// The sum of weight × clamp(sum, 0, 153)² over the hidden sums of both views, those of the side to
    /// move first. All weights lie within ±127.
    #[inline]
    pub(super) fn output(self, views: [&Row; 2], weights: [&Row; 2]) -> i32 {
        on_level!(self.0, output(views, weights))
    }
}

#[cfg(test)]
mod tests {
    use std::iter::zip;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::network::architecture::ACTIVATION_ONE;
    use crate::network::features::{self, Active, FEATURES, VICTIMS, active_features};
    use crate::network::samples::random_positions;

    /// Random numbers over the whole range that there can be: sums wrap the same way everywhere.
    #[test]
    fn all_levels_agree_to_the_bit() {
        let mut random = SmallRng::seed_from_u64(1);
        let mut windows = vec![[0_i8; HIDDEN]; VICTIMS[0]];
        windows.iter_mut().for_each(|row| random.fill(row));
        let mut victims: Vec<Row> = vec![[0; HIDDEN]; FEATURES - VICTIMS[0]];
        victims.iter_mut().for_each(|row| random.fill(row));
        let inputs = Inputs {
            windows: &windows,
            victims: &victims,
        };
        let row_of = |feature: usize| match feature.checked_sub(VICTIMS[0]) {
            None => windows[feature].map(i16::from),
            Some(victim) => victims[victim],
        };
        let positions = random_positions(60);
        let ends = [positions[0], positions[59]];
        for pair in positions.windows(2).chain([&ends[..]]) {
            let row: Row = std::array::from_fn(|_| random.random());
            let weights: [Row; 2] =
                [(); 2].map(|()| std::array::from_fn(|_| random.random_range(-127..=127)));
            let [old, new] = [0, 1].map(|index| Seen::new(pair[index].own(), pair[index].enemy()));
            let states = [&old, &new].map(|seen| features::windows(seen.stones));
            let change = Change::new([&old, &new], states);
            let sides = [0, 1].map(|index| [pair[index].own(), pair[index].enemy()]);
            let mut expected = [row; 2];
            for (view, sums) in expected.iter_mut().enumerate() {
                for (stones, sign) in zip(sides, [-1, 1]) {
                    let mut active = Active::new();
                    active_features(stones[view], stones[1 - view], &mut active);
                    for feature in active {
                        for (sum, weight) in zip(sums.iter_mut(), row_of(feature.into())) {
                            *sum = sum.wrapping_add(weight.wrapping_mul(sign));
                        }
                    }
                }
            }
            let pairs = zip(expected.as_flattened(), weights.as_flattened());
            let products = pairs.map(|(&sum, &weight)| {
                i32::from(sum.clamp(0, ACTIVATION_ONE)).pow(2) * i32::from(weight)
            });
            let output = products.fold(0, i32::wrapping_add);
            for level in SimdLevel::available() {
                let mut sums = [[0; HIDDEN]; 2];
                level.update(&mut sums, Some(&[row; 2]), &inputs, &change);
                assert_eq!(sums, expected, "{level:?}");
                let [first, second] = &weights;
                let found = level.output([&sums[0], &sums[1]], [first, second]);
                assert_eq!(found, output, "{level:?}");
            }
        }
    }
}
