//! Numbers in whole cache lines.

use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

/// Numbers of a cache line.
const LINE: usize = 32;

/// A cache line of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([i16; LINE]);

/// Numbers, the first of which begins a cache line. There is always a multiple of 32 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AlignedNumbers(Vec<Line>);

impl AlignedNumbers {
    /// So many zeros, which must be a multiple of 32.
    pub(super) fn zeros(count: usize) -> AlignedNumbers {
        debug_assert!(count.is_multiple_of(LINE));
        AlignedNumbers(vec![Line([0; LINE]); count.div_ceil(LINE)])
    }
}

impl Deref for AlignedNumbers {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for AlignedNumbers {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// As many numbers as `N` cache lines hold, in place.
pub(super) struct Scratch<const N: usize>([Line; N]);

impl<const N: usize> Scratch<N> {
    /// All zero.
    pub(super) const fn zeros() -> Scratch<N> {
        Scratch([Line([0; LINE]); N])
    }

    /// The numbers.
    pub(super) fn numbers(&mut self) -> &mut [i16] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
