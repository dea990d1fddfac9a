//! A point of the lattice.

use super::Bitboard;

/// Columns of the lattice: nine for points and one gap that keeps shifts from wrapping round.
pub(super) const STRIDE: u8 = 10;
/// Columns that hold points.
pub(super) const COLUMNS: u8 = 9;
/// Rows of the lattice.
pub(super) const ROWS: u8 = 5;

/// A point of the lattice, stored as its index `10 * row + column` (0 to 48, gaps left out).
///
/// On boards that are wider than tall, or square, the column is the file and the row is the rank;
/// on taller boards it is the other way round. [`BoardSize`](super::BoardSize) translates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point(u8);

impl Point {
    /// The point at `column` (0 to 8) and `row` (0 to 4) of the lattice, `None` outside it.
    pub const fn at(column: u8, row: u8) -> Option<Point> {
        if column < COLUMNS && row < ROWS {
            Some(Point(row * STRIDE + column))
        } else {
            None
        }
    }

    /// The point with this lattice index; `None` if there is none.
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < 64 && Bitboard::LATTICE.bits() & (1 << index) != 0 {
            Some(Point(index as u8))
        } else {
            None
        }
    }

    /// A point from the index of a bit known to be a point (of a set of points or a move).
    #[inline]
    pub(super) const fn from_bit_index(index: u32) -> Point {
        debug_assert!(index < 49);
        Point(index as u8)
    }

    /// The lattice index, 0 to 48.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The lattice column, 0 to 8.
    pub const fn column(self) -> u8 {
        self.0 % STRIDE
    }

    /// The lattice row, 0 to 4.
    pub const fn row(self) -> u8 {
        self.0 / STRIDE
    }

    /// Whether this is a strong point: lines in eight directions (four from a weak one).
    pub const fn is_strong(self) -> bool {
        Bitboard::STRONG.bits() & (1 << self.0) != 0
    }
}
