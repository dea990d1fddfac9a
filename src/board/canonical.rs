//! Telling positions apart up to symmetry.

use super::{Bitboard, BoardSize, Position, Side, Symmetry};

/// Stones and side to move, the same for all mirror images and turns of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Canonical {
    stones: [u64; 2],
    side: Side,
}

impl Canonical {
    /// That of a position of a board of this size: of all images the one whose stones are the
    /// smallest numbers.
    pub(crate) fn of(board: BoardSize, position: &Position) -> Canonical {
        Canonical::fold(board, position).0
    }

    /// [`Canonical::of`], with a symmetry that takes the position there: the first, where several do.
    pub(crate) fn fold(board: BoardSize, position: &Position) -> (Canonical, Symmetry) {
        let image =
            |symmetry: Symmetry| Side::BOTH.map(|side| symmetry.set(board, position.stones(side)));
        let (stones, symmetry) = Symmetry::of(board)
            .iter()
            .map(|&symmetry| (image(symmetry).map(Bitboard::bits), symmetry))
            .min_by_key(|&(stones, _)| stones)
            .unwrap_or_default();
        let side = position.side();
        (Canonical { stones, side }, symmetry)
    }

    /// White's and Black's stones as they are told apart from others.
    pub(crate) fn stones(self) -> [Bitboard; 2] {
        self.stones.map(Bitboard::from_bits)
    }

    /// The side to move.
    pub(crate) const fn side(self) -> Side {
        self.side
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
                let (_, back) = Canonical::fold(board, &image);
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
