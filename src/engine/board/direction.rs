//! The eight directions of the lattice.

/// A direction along the lines of the lattice.
///
/// The discriminant is the index that the move generator is specialised for. Directions are sorted by
/// their bit offset, so the opposite of `index` is `7 - index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Previous column, previous row.
    SouthWest = 0,
    /// Previous row.
    South = 1,
    /// Next column, previous row.
    SouthEast = 2,
    /// Previous column.
    West = 3,
    /// Next column.
    East = 4,
    /// Previous column, next row.
    NorthWest = 5,
    /// Next row.
    North = 6,
    /// Next column, next row.
    NorthEast = 7,
}

/// The bit offset of a step in each direction.
pub const OFFSETS: [i32; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

/// The diagonal directions, which need a strong point, one bit each.
pub const DIAGONALS: u8 = 0b1010_0101;

impl Direction {
    /// All eight, by index.
    pub const ALL: [Direction; 8] = [
        Direction::SouthWest,
        Direction::South,
        Direction::SouthEast,
        Direction::West,
        Direction::East,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
    ];

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[7 - self as usize]
    }

    /// Whether this direction needs a strong point (is diagonal).
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        DIAGONALS & 1 << self as u8 != 0
    }
}

/// The index of the direction opposite to that with index `direction`.
#[inline(always)]
pub const fn opposite(direction: usize) -> usize {
    7 - direction
}

/// Moves every bit of `bits` one step in the direction with index `D`.
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
