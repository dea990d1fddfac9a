//! The eight directions along the lines of the lattice, as indices, which the move generator is specialised for:
//! south-west, south, south-east, west, east, north-west, north, north-east. They are sorted by their bit offset, so the
//! opposite of `index` is `7 - index`.

/// The bit offset of a step in each direction.
pub const OFFSETS: [i32; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

/// The direction to the previous column.
pub const WEST: usize = 3;

/// The direction to the next column.
pub const EAST: usize = 4;

/// The diagonal directions, which need a strong point, one bit each.
pub const DIAGONALS: u8 = 0b1010_0101;

/// The opposite of a direction.
#[inline(always)]
pub const fn opposite(direction: usize) -> usize {
    7 - direction
}

/// Moves every bit of `bits` one step in the direction `D`.
///
/// Bits that leave the board land in the gap column or outside the lattice; the caller masks them
/// with a set of points.
#[inline(always)]
pub const fn shift<const D: usize>(bits: u64) -> u64 {
    if D < 4 {
        bits >> -OFFSETS[D]
    } else {
        bits << OFFSETS[D]
    }
}
