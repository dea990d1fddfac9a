//! The symmetries of a board (reflections and rotations), and canonical positions.

use super::{Bitboard, BoardSize, Move, Point, Position, Side, point};

/// Bits of a row of the lattice.
const STRIDE: u32 = point::STRIDE as u32;

/// A mapping of a board onto itself that keeps lines, and so the legal moves: rows and columns exchanged (square boards
/// only) or not, then perhaps a mirror image left to right, then perhaps one top to bottom. So a rectangular board has
/// the first four, a square one all eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry(pub(crate) u8);

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// Mirror image left to right.
    pub const MIRROR_FILES: Symmetry = Symmetry(1);
    /// Mirror image top to bottom.
    pub const MIRROR_RANKS: Symmetry = Symmetry(2);
    /// Rotation by 180°.
    pub const HALF_TURN: Symmetry = Symmetry(3);
    /// Reflection in the diagonal through `a1`.
    const TRANSPOSE: Symmetry = Symmetry(4);

    const SQUARE: [Symmetry; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// The symmetries of a board of this size, the identity first: eight if it is square, else four.
    pub fn of(size: BoardSize) -> &'static [Symmetry] {
        if size.columns() == size.rows() {
            &Symmetry::SQUARE
        } else {
            &Symmetry::SQUARE[..4]
        }
    }

    const fn has(self, part: Symmetry) -> bool {
        self.0 & part.0 != 0
    }

    /// The inverse symmetry.
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            // Quarter turns.
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }

    /// The image of a point of a board of this size.
    ///
    /// # Panics
    ///
    /// If the symmetry is not one of the size's ([`Symmetry::of`]) or the point is off the board.
    pub fn point(self, size: BoardSize, point: Point) -> Point {
        let (mut file, mut rank) = size.file_and_rank(point);
        if self.has(Symmetry::TRANSPOSE) {
            (file, rank) = (rank, file);
        }
        if self.has(Symmetry::MIRROR_FILES) {
            file = size.columns() - 1 - file;
        }
        if self.has(Symmetry::MIRROR_RANKS) {
            rank = size.rows() - 1 - rank;
        }
        size.point(file, rank)
            .expect("a symmetry of the board keeps its points on it")
    }

    /// The image of a set of points of a board of this size, which has the symmetry.
    pub fn set(self, size: BoardSize, set: Bitboard) -> Bitboard {
        Bitboard::from_bits(self.bits(&Shape::of(size), set.bits()))
    }

    /// [`Symmetry::set`] on bits.
    #[inline]
    pub(crate) fn bits(self, shape: &Shape, mut set: u64) -> u64 {
        let mirrors = [Symmetry::MIRROR_FILES, Symmetry::MIRROR_RANKS];
        let [mut columns, mut rows] = mirrors.map(|part| self.has(part));
        if !shape.ranks_are_rows {
            (columns, rows) = (rows, columns);
        }
        if self.has(Symmetry::TRANSPOSE) {
            set = transpose(set);
        }
        if columns {
            set = set.reverse_bits() >> shape.spare;
        }
        if columns != rows {
            set = flip_lattice(set) >> shape.missing;
        }
        set
    }

    /// The image of a position: stones move, colours and counters stay. Panics as [`Symmetry::point`] does.
    pub fn position(self, size: BoardSize, position: &Position) -> Position {
        let stones = Side::BOTH.map(|side| self.set(size, position.stones(side)));
        Position::new(
            stones,
            position.side(),
            position.halfmove_clock(),
            position.move_number(),
        )
    }

    /// The image of a move. Panics as [`Symmetry::point`] does.
    pub fn apply_to_move(self, size: BoardSize, mv: Move) -> Move {
        if mv == Move::PASS {
            return mv;
        }
        Move::new(
            self.point(size, mv.from()),
            self.point(size, mv.to()),
            self.set(size, mv.captured()),
        )
    }
}

/// Where a board is on the lattice, which has its longer side in the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Bits above the last point.
    spare: u32,
    /// Bits of the rows that the board lacks to five.
    missing: u32,
    ranks_are_rows: bool,
}

impl Shape {
    pub(crate) fn of(size: BoardSize) -> Shape {
        let rows = u32::from(size.rows().min(size.columns()));
        Shape {
            spare: size.points().bits().leading_zeros(),
            missing: STRIDE * (5 - rows),
            ranks_are_rows: size.columns() >= size.rows(),
        }
    }
}

/// The five rows of the lattice in reverse order.
#[inline]
fn flip_lattice(set: u64) -> u64 {
    const ROW: u64 = (1 << STRIDE) - 1;
    (0..5).fold(0, |flipped, row| {
        flipped | (set >> (row * STRIDE) & ROW) << ((4 - row) * STRIDE)
    })
}

/// The points of a square board, rows and columns exchanged: a point `n` columns right of the diagonal moves by
/// `n * (STRIDE - 1)` bits.
fn transpose(set: u64) -> u64 {
    const DIAGONAL: u64 = 1 | 1 << 11 | 1 << 22 | 1 << 33 | 1 << 44;
    (1..5).fold(set & DIAGONAL, |image, right| {
        let (points, bits) = (DIAGONAL << right, right * (STRIDE - 1));
        image | (set & points) << bits | set >> bits & points
    })
}

/// A position without its counters, in canonical form: equal for all its symmetric images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Canonical {
    /// White's and Black's stones.
    pub stones: [u64; 2],
    /// The side to move.
    pub side: Side,
    /// Whether this is a special first turn, where it is told apart (`Rules::canonical`).
    pub first_turn: bool,
}

impl Canonical {
    /// The canonical image on a board of this size: the one whose stones are the smallest numbers.
    pub fn of(board: BoardSize, position: &Position) -> Canonical {
        Canonical::fold(board, position, false).0
    }

    /// The canonical image, with the first symmetry that maps the position to it.
    pub(crate) fn fold(
        board: BoardSize,
        position: &Position,
        first_turn: bool,
    ) -> (Canonical, Symmetry) {
        let [white, black] = Side::BOTH.map(|side| position.stones(side).bits());
        let mut stones = [white, black];
        let (shape, mut symmetry) = (Shape::of(board), Symmetry::IDENTITY);
        for &other in Symmetry::of(board) {
            let white = other.bits(&shape, white);
            if white > stones[0] {
                continue;
            }
            let image = [white, other.bits(&shape, black)];
            if image < stones {
                (stones, symmetry) = (image, other);
            }
        }
        let canonical = Canonical {
            stones,
            side: position.side(),
            first_turn,
        };
        (canonical, symmetry)
    }

    /// White's and Black's stones of the canonical image.
    pub fn stones(self) -> [Bitboard; 2] {
        self.stones.map(Bitboard::from_bits)
    }

    /// The position, with the no-capture counter at 0.
    pub fn position(&self) -> Position {
        let number = 1 + u32::from(!self.first_turn);
        Position::new(self.stones(), self.side, 0, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;

    #[test]
    fn images_are_the_same_and_others_are_not() {
        for (columns, rows, fen) in [
            (9, 5, "bb2bbbb1/bb2b1b1b/bwb4bw/ww2w1w1w/1w3www1 w"),
            (5, 5, "bb3/b1b2/1w2b/ww3/2w2 b"),
            (3, 5, "bb1/b2/1w1/w2/2w b"),
        ] {
            let board = BoardSize::new(columns, rows).expect("a board");
            let position = parse_fen(fen, board).expect("good");
            let canonical = Canonical::of(board, &position);
            for symmetry in Symmetry::of(board) {
                let image = symmetry.position(board, &position);
                assert_eq!(Canonical::of(board, &image), canonical, "{symmetry:?}");
                let (_, back) = Canonical::fold(board, &image, false);
                let folded = back.position(board, &image);
                let stones = Side::BOTH.map(|side| folded.stones(side));
                assert_eq!(canonical.stones(), stones, "{symmetry:?}");
            }
            let [white, black] = Side::BOTH.map(|side| position.stones(side));
            let swapped = Position::new([black, white], position.side(), 0, 2);
            assert_ne!(Canonical::of(board, &swapped), canonical);
            let other_side = Position::new([white, black], !position.side(), 0, 2);
            assert_ne!(Canonical::of(board, &other_side), canonical);
        }
    }
}
