//! What a single stone can capture next, found at once for all eight directions.

use crate::board::{DIAGONALS, OFFSETS};

/// Where the stone itself lies once its surroundings have been turned into place.
const CENTRE: u32 = 22;

/// The neighbouring points of [`CENTRE`]: bits `CENTRE + OFFSETS[d]`, in the order of directions.
const INNER: u64 = ring(1);
/// The points two steps away from [`CENTRE`].
const OUTER: u64 = ring(2);

const fn ring(steps: i32) -> u64 {
    let mut bits = 0;
    let mut direction = 0;
    while direction < 8 {
        bits |= 1 << (CENTRE as i32 + steps * OFFSETS[direction]);
        direction += 1;
    }
    bits
}

/// Bytes with the order of their bits reversed: every direction becomes its opposite.
static REVERSED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).reverse_bits();
        byte += 1;
    }
    table
};

/// The directions, one bit each, in which a stone can capture by approach and by withdrawal.
#[derive(Clone, Copy)]
pub(super) struct Options {
    pub(super) approach: u8,
    pub(super) withdrawal: u8,
}

/// The capturing steps of a stone on the point with index `at`, were there lines in all directions.
///
/// `free` are the points that it may land on, `enemy` the stones that it may take.
///
/// Board and stones are rotated so that the stone comes to lie on [`CENTRE`]; its surroundings are
/// then at fixed places. No mask of the board is needed: where a neighbour is off the board, the bit
/// read for it is a gap of the lattice or one of the bits above it, and never free; where the point
/// beyond is off the board, or its bit stands for a point at the other end of the lattice, the same
/// holds of the neighbour or of the point itself.
#[inline(always)]
pub(super) fn capturing_options(at: u32, free: u64, enemy: u64) -> Options {
    let free = free.rotate_left(CENTRE).rotate_right(at);
    let enemy = enemy.rotate_left(CENTRE).rotate_right(at);
    let landing = gather::<INNER, 1>(free);
    let next_to = gather::<INNER, 1>(enemy);
    let beyond = gather::<OUTER, 2>(enemy);
    Options {
        approach: landing & beyond,
        withdrawal: landing & REVERSED[usize::from(next_to)],
    }
}

/// The bits of `window` that lie `STEPS` steps from the centre, one for each direction in order.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn gather<const RING: u64, const STEPS: i32>(window: u64) -> u8 {
    // SAFETY: the instruction is there, by the condition above. Measured: perft is 1.2 times as fast
    // as with the loop below.
    unsafe { core::arch::x86_64::_pext_u64(window, RING) as u8 }
}

/// The bits of `window` that lie `STEPS` steps from the centre, one for each direction in order.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline(always)]
fn gather<const RING: u64, const STEPS: i32>(window: u64) -> u8 {
    let mut bits = 0;
    let mut direction = 0;
    while direction < 8 {
        let place = CENTRE as i32 + STEPS * OFFSETS[direction];
        bits |= ((window >> place) as u8 & 1) << direction;
        direction += 1;
    }
    bits
}

/// The directions that a stone may take from a strong or weak point.
#[inline(always)]
pub(super) const fn lines(strong: bool) -> u8 {
    if strong { u8::MAX } else { !DIAGONALS }
}

/// Moves a single bit one step in a direction known only at run time.
#[inline(always)]
pub(super) const fn step(bit: u64, direction: usize) -> u64 {
    bit.rotate_left(OFFSETS[direction] as u32 & 63)
}

/// The unbroken line of `enemy` stones that starts at the single bit `first` (one of them) and runs
/// in a direction known only at run time.
#[inline(always)]
pub(super) fn line_towards(enemy: u64, first: u64, direction: usize) -> u64 {
    let second = step(first, direction) & enemy;
    let third = step(second, direction) & enemy;
    let mut line = first | second | third;
    // Only rows are long enough for more.
    let mut next = step(third, direction) & enemy;
    while next != 0 {
        line |= next;
        next = step(next, direction) & enemy;
    }
    line
}
