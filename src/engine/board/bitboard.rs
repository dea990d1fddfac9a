//! Sets of points.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub};

use super::point::{COLUMNS, ROWS, STRIDE};
use super::{OFFSETS, Point};

/// A set of lattice points, one bit each. Bits outside the lattice are never set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub(super) u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 45 points of the lattice.
    pub const LATTICE: Bitboard = Bitboard::window(COLUMNS, ROWS);
    /// The strong points: the sum of column and row is even.
    pub const STRONG: Bitboard = {
        let mut bits = 0;
        let mut index = 0;
        while index < STRIDE * ROWS {
            if (index / STRIDE + index % STRIDE).is_multiple_of(2) {
                bits |= 1 << index;
            }
            index += 1;
        }
        Bitboard::from_bits(bits)
    };

    /// The points of a board with `columns` (at most 9) by `rows` (at most 5).
    pub(super) const fn window(columns: u8, rows: u8) -> Bitboard {
        let mut bits = 0;
        let mut row = 0;
        while row < rows {
            bits |= ((1 << columns) - 1) << (row * STRIDE);
            row += 1;
        }
        Bitboard(bits)
    }

    /// A set from its bits; those outside the lattice are dropped.
    #[inline]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits & Bitboard::LATTICE.0)
    }

    /// The bits: bit `10 * row + column` is the point in that column and row.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of points.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` is in the set.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.0 & (1 << point.index()) != 0
    }

    /// Whether the two sets intersect.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether this set is a subset of `other`.
    #[inline]
    pub const fn is_subset_of(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with every point moved one step; points that leave the lattice drop out.
    #[inline]
    pub const fn shifted(self, direction: usize) -> Bitboard {
        let offset = OFFSETS[direction];
        Bitboard::from_bits(match offset < 0 {
            true => self.0 >> -offset,
            false => self.0 << offset,
        })
    }

    /// The point with the lowest index, `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Point> {
        if self.0 == 0 {
            None
        } else {
            Some(Point::from_bit_index(self.0.trailing_zeros()))
        }
    }
}

impl From<Point> for Bitboard {
    #[inline]
    fn from(point: Point) -> Bitboard {
        Bitboard(1 << point.index())
    }
}

impl FromIterator<Point> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Bitboard {
        points
            .into_iter()
            .fold(Bitboard::EMPTY, |set, point| set | point.into())
    }
}

macro_rules! operator {
    ($operator:tt, $trait:ident, $method:ident, $assigning:ident, $assign:ident) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $operator other.0)
            }
        }

        impl $assigning for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                *self = *self $operator other;
            }
        }
    };
}

operator!(&, BitAnd, bitand, BitAndAssign, bitand_assign);
operator!(|, BitOr, bitor, BitOrAssign, bitor_assign);
operator!(^, BitXor, bitxor, BitXorAssign, bitxor_assign);

/// Set difference: the points of the left set that are not in the right one.
impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Point;
    type IntoIter = Points;
    #[inline]
    fn into_iter(self) -> Points {
        Points(self.0)
    }
}

/// The points of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Points(u64);

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let point = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(point)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let set = self.0 & (1 << (row * STRIDE + column)) != 0;
                f.write_str(if set { "x" } else { "." })?;
            }
            if row > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}
