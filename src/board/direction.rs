//! The eight directions of the lattice.

/// A direction along the lines of the lattice.
///
/// The discriminant is the index that the move generator is specialised for: the opposite direction
/// is `index ^ 4`, the axis is `index & 3`, diagonals are odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Next column.
    East = 0,
    /// Previous column, next row.
    NorthWest = 1,
    /// Next row.
    North = 2,
    /// Next column, next row.
    NorthEast = 3,
    /// Previous column.
    West = 4,
    /// Next column, previous row.
    SouthEast = 5,
    /// Previous row.
    South = 6,
    /// Previous column, previous row.
    SouthWest = 7,
}

/// How far a bit moves for one step along each of the four axes.
const AXIS_SHIFT: [u32; 4] = [1, 9, 10, 11];

impl Direction {
    /// All eight, in the order of their indices.
    pub const ALL: [Direction; 8] = [
        Direction::East,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
        Direction::West,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
    ];

    /// The index, 0 to 7.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction that leads back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 4]
    }

    /// Whether this direction needs a strong point.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as usize & 1 == 1
    }
}

/// Moves every bit of `bits` one step in the direction with index `D`.
///
/// Bits that leave the board land in the gap column or outside the lattice; the caller intersects
/// with a set of points.
#[inline(always)]
pub(crate) const fn shift<const D: usize>(bits: u64) -> u64 {
    if D < 4 {
        bits << AXIS_SHIFT[D]
    } else {
        bits >> AXIS_SHIFT[D - 4]
    }
}

/// [`shift`] for a direction known only at run time.
#[inline]
pub(crate) const fn shift_towards(bits: u64, direction: Direction) -> u64 {
    let index = direction as usize;
    if index < 4 {
        bits << AXIS_SHIFT[index]
    } else {
        bits >> AXIS_SHIFT[index - 4]
    }
}
