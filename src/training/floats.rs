//! Numbers in memory that vector instructions like.

use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

/// A line of the cache: no vector of its length or a divisor of it straddles two.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// Numbers of which the first is at the beginning of a line of the cache.
#[derive(Clone)]
pub(super) struct Floats {
    lines: Vec<Line>,
    count: usize,
}

impl Floats {
    /// So many zeros.
    pub(super) fn zeros(count: usize) -> Floats {
        Floats {
            lines: vec![Line([0.0; 16]); count.div_ceil(16)],
            count,
        }
    }
}

impl Deref for Floats {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.lines)[..self.count]
    }
}

impl DerefMut for Floats {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.count]
    }
}
