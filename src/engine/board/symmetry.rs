//! The symmetries of a board (reflections and rotations), and canonical positions.

use super::{Bitboard, BoardSize, Move, Point, Position, Side, point};

/// Bits of a row of the lattice.
const STRIDE: u32 = point::STRIDE as u32;

/// A mapping of a board onto itself that keeps lines, and so the legal moves.
///
/// A rectangular board has the first four; a square one all eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// The identity.
    #[default]
    Identity,
    /// Mirror image left to right.
    MirrorFiles,
    /// Mirror image top to bottom.
    MirrorRanks,
    /// Rotation by 180°.
    HalfTurn,
    /// Reflection in the diagonal through `a1` (square boards).
    Transpose,
    /// Rotation by 90° anticlockwise (square boards).
    QuarterTurn,
    /// Rotation by 90° clockwise (square boards).
    ThreeQuarterTurn,
    /// Reflection in the other diagonal (square boards).
    AntiTranspose,
}

impl Symmetry {
    /// By number: as they are declared.
    pub(crate) const SQUARE: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::MirrorFiles,
        Symmetry::MirrorRanks,
        Symmetry::HalfTurn,
        Symmetry::Transpose,
        Symmetry::QuarterTurn,
        Symmetry::ThreeQuarterTurn,
        Symmetry::AntiTranspose,
    ];

    /// The symmetries of a board of this size: eight if it is square, else four. The identity comes
    /// first.
    pub fn of(size: BoardSize) -> &'static [Symmetry] {
        if size.columns() == size.rows() {
            &Symmetry::SQUARE
        } else {
            &Symmetry::SQUARE[..4]
        }
    }

    /// The inverse symmetry.
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::QuarterTurn => Symmetry::ThreeQuarterTurn,
            Symmetry::ThreeQuarterTurn => Symmetry::QuarterTurn,
            mirror_or_half_turn => mirror_or_half_turn,
        }
    }

    /// The image of a point of a board of this size.
    ///
    /// # Panics
    ///
    /// If the symmetry is not one of the size's ([`Symmetry::of`]) or the point is off the board.
    pub fn point(self, size: BoardSize, point: Point) -> Point {
        let (file, rank) = size.file_and_rank(point);
        let (last_file, last_rank) = (size.columns() - 1, size.rows() - 1);
        let (file, rank) = match self {
            Symmetry::Identity => (file, rank),
            Symmetry::MirrorFiles => (last_file - file, rank),
            Symmetry::MirrorRanks => (file, last_rank - rank),
            Symmetry::HalfTurn => (last_file - file, last_rank - rank),
            Symmetry::Transpose => (rank, file),
            Symmetry::QuarterTurn => (last_rank - rank, file),
            Symmetry::ThreeQuarterTurn => (rank, last_file - file),
            Symmetry::AntiTranspose => (last_rank - rank, last_file - file),
        };
        size.point(file, rank)
            .expect("a symmetry of the board keeps its points on it")
    }

    /// The image of a set of points of a board of this size, which has the symmetry.
    pub fn set(self, size: BoardSize, set: Bitboard) -> Bitboard {
        Bitboard::from_bits(self.bits(&Shape::of(size), set.bits()))
    }

    /// [`Symmetry::set`] on bits.
    #[inline]
    pub(crate) fn bits(self, shape: &Shape, set: u64) -> u64 {
        let reverse = |set: u64| set.reverse_bits() >> shape.spare;
        let flip_rows = |set: u64| flip_lattice(set) >> shape.missing;
        match (self, shape.ranks_are_rows) {
            (Symmetry::Identity, _) => set,
            (Symmetry::HalfTurn, _) => reverse(set),
            (Symmetry::MirrorRanks, true) | (Symmetry::MirrorFiles, false) => flip_rows(set),
            (Symmetry::MirrorFiles, true) | (Symmetry::MirrorRanks, false) => {
                flip_rows(reverse(set))
            }
            (Symmetry::Transpose, _) => transpose(set),
            (Symmetry::QuarterTurn, _) => flip_rows(reverse(transpose(set))),
            (Symmetry::ThreeQuarterTurn, _) => flip_rows(transpose(set)),
            (Symmetry::AntiTranspose, _) => reverse(transpose(set)),
        }
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
    pub(crate) stones: [u64; 2],
    pub(crate) side: Side,
    /// Whether this is a special first turn, where it is told apart (`Rules::canonical`).
    pub(crate) first_turn: bool,
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
        let (shape, mut symmetry) = (Shape::of(board), Symmetry::Identity);
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

    /// The side to move.
    pub const fn side(self) -> Side {
        self.side
    }

    /// The position, with the no-capture counter at 0.
    pub(crate) fn position(&self) -> Position {
        let number = 1 + u32::from(!self.first_turn);
        Position::new(self.stones(), self.side, 0, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;

    #[test]
    fn inverses_take_everything_back() {
        for (columns, rows) in [(9, 5), (5, 5), (3, 7)] {
            let size = BoardSize::new(columns, rows).expect("a board");
            for symmetry in Symmetry::of(size) {
                for point in size.points() {
                    let image = symmetry.point(size, point);
                    assert_eq!(symmetry.inverse().point(size, image), point, "{symmetry:?}");
                }
            }
        }
    }

    #[test]
    fn sets_move_as_their_points_do() {
        for size in BoardSize::ALL {
            let set = Bitboard::from_bits(0x1_5a3c_96f0_7b2d) & size.points();
            for symmetry in Symmetry::of(size) {
                let pointwise = set.into_iter().map(|point| symmetry.point(size, point));
                let image: Bitboard = pointwise.collect();
                assert_eq!(symmetry.set(size, set), image, "{size} {symmetry:?}");
            }
        }
    }

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
