//! The supported board sizes, and how files and ranks map to the lattice.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Point, Position, Side};
use crate::text::excerpt;

/// A board size: odd numbers of columns and rows from 3, the longer at most 9, the shorter at most 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    columns: u8,
    rows: u8,
}

impl BoardSize {
    /// The standard board, fanoron-tsivy: 9 columns, 5 rows.
    pub const STANDARD: BoardSize = BoardSize::of(9, 5);

    /// Every size, the standard one first.
    pub const ALL: [BoardSize; 12] = [
        BoardSize::STANDARD,
        BoardSize::of(3, 3),
        BoardSize::of(3, 5),
        BoardSize::of(5, 3),
        BoardSize::of(5, 5),
        BoardSize::of(3, 7),
        BoardSize::of(7, 3),
        BoardSize::of(3, 9),
        BoardSize::of(9, 3),
        BoardSize::of(5, 7),
        BoardSize::of(7, 5),
        BoardSize::of(5, 9),
    ];

    pub(crate) const fn of(columns: u8, rows: u8) -> BoardSize {
        BoardSize { columns, rows }
    }

    /// The size with this many columns and rows; `None` if it is not supported.
    pub fn new(columns: u8, rows: u8) -> Option<BoardSize> {
        let size = BoardSize::of(columns, rows);
        BoardSize::ALL.contains(&size).then_some(size)
    }

    /// Number of files.
    #[inline]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Number of ranks.
    #[inline]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Whether ranks run along the lattice's columns.
    const fn is_transposed(self) -> bool {
        self.rows > self.columns
    }

    /// The points of this board.
    #[inline]
    pub const fn points(self) -> Bitboard {
        if self.is_transposed() {
            Bitboard::window(self.rows, self.columns)
        } else {
            Bitboard::window(self.columns, self.rows)
        }
    }

    /// The point on `file` and `rank`, both from 0; `None` if off the board.
    pub const fn point(self, file: u8, rank: u8) -> Option<Point> {
        if file >= self.columns || rank >= self.rows {
            None
        } else if self.is_transposed() {
            Point::at(rank, file)
        } else {
            Point::at(file, rank)
        }
    }

    /// The file and rank of a point, both from 0.
    pub const fn file_and_rank(self, point: Point) -> (u8, u8) {
        if self.is_transposed() {
            (point.row(), point.column())
        } else {
            (point.column(), point.row())
        }
    }

    /// The name of a point: its file as a letter from `a`, its rank as a digit from `1`.
    pub fn name(self, point: Point) -> String {
        let (file, rank) = self.file_and_rank(point);
        format!("{}{}", char::from(b'a' + file), rank + 1)
    }

    /// The start position: White on the ranks below the middle, Black on those above, the middle rank
    /// alternating from Black on the first file and skipping the centre. White to move.
    pub fn start(self) -> Position {
        let mut stones = [Bitboard::EMPTY; 2];
        let (middle_file, middle_rank) = (self.columns / 2, self.rows / 2);
        for point in self.points() {
            let (file, rank) = self.file_and_rank(point);
            let side = if rank < middle_rank {
                Side::White
            } else if rank > middle_rank {
                Side::Black
            } else if file == middle_file {
                continue;
            } else {
                let place = if file < middle_file { file } else { file - 1 };
                if place.is_multiple_of(2) {
                    Side::Black
                } else {
                    Side::White
                }
            };
            stones[side.index()] |= point.into();
        }
        Position::new(stones, Side::White, 0, 1)
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for BoardSize {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardSize, String> {
        // Compared as text, so that "09x5" and "+9x5" are rejected.
        BoardSize::ALL
            .into_iter()
            .find(|size| size.to_string() == text)
            .ok_or_else(|| {
                let text = excerpt(text);
                format!(
                    "no board of size '{text}': expected COLUMNSxROWS, both odd, at least 3, the longer side at \
                     most 9 and the shorter at most 5, such as 9x5"
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_are_listed_once() {
        for columns in 0..12 {
            for rows in 0..12 {
                let (long, short) = (columns.max(rows), columns.min(rows));
                let is_odd = columns % 2 == 1 && rows % 2 == 1;
                let size = BoardSize::of(columns, rows);
                let times = BoardSize::ALL
                    .iter()
                    .filter(|known| **known == size)
                    .count();
                let is_one = is_odd && (3..=5).contains(&short) && long <= 9;
                assert_eq!(times, usize::from(is_one), "{size}");
                if is_one {
                    assert_eq!(size.to_string().parse(), Ok(size));
                    assert_eq!(size.points().count(), u32::from(columns * rows));
                }
            }
        }
    }
}
