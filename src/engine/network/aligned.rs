//! Cache-line-aligned buffer, so that no vector load straddles two lines.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Cache-line-aligned buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aligned<T> {
    lines: Vec<Line>,
    count: usize,
    numbers: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// So many zeros.
    pub fn zeros(count: usize) -> Aligned<T> {
        Aligned {
            lines: vec![Line([0; 64]); (count * size_of::<T>()).div_ceil(64)],
            count,
            numbers: PhantomData,
        }
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.count]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.count]
    }
}
