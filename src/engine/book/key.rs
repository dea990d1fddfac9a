//! The key of a book position.

use crate::board::{Bitboard, BoardSize, Canonical, Position, Side, Symmetry};
use crate::rules::Rules;

/// Everything that decides the legal moves from here on: stones and side to move, the same for all
/// symmetric images, and whether this is a first turn with special rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BookKey {
    canonical: Canonical,
    first_turn: bool,
}

/// The bits of the second word that are not stones.
const BLACK_TO_MOVE: u64 = 1 << 63;
const FIRST_TURN: u64 = 1 << 62;

impl BookKey {
    /// The key of a position, and the symmetry that maps the position to it.
    pub(super) fn of(rules: &Rules, position: &Position) -> (BookKey, Symmetry) {
        let (canonical, symmetry) = Canonical::fold(rules.board, position);
        let key = BookKey {
            canonical,
            // Even where it makes no difference to this turn: the next one may be a first turn too.
            first_turn: rules.is_special_first_turn(position),
        };
        (key, symmetry)
    }

    /// The position itself, with the counters of a new game.
    pub(super) fn position(self) -> Position {
        let number = if self.first_turn { 1 } else { 2 };
        Position::new(self.canonical.stones(), self.canonical.side(), 0, number)
    }

    /// The position in two words: White's stones; Black's stones, bit 63 if Black is to move, bit 62
    /// on a special first turn.
    pub(super) fn words(self) -> [u64; 2] {
        let [white, black] = self.canonical.stones().map(Bitboard::bits);
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let side = flag(self.canonical.side() == Side::Black, BLACK_TO_MOVE);
        [white, black | side | flag(self.first_turn, FIRST_TURN)]
    }

    /// The inverse of [`BookKey::words`]; `None` unless the words are a canonical position of this board with
    /// stones of both sides.
    pub(super) fn from_words(board: BoardSize, words: [u64; 2]) -> Option<BookKey> {
        let [white, black] = words.map(|word| word & !(BLACK_TO_MOVE | FIRST_TURN));
        let stones = [white, black].map(Bitboard::from_bits);
        let side = match words[1] & BLACK_TO_MOVE {
            0 => Side::White,
            _ => Side::Black,
        };
        let sound = stones[0].bits() == words[0]
            && stones[1].bits() == black
            && !stones[0].intersects(stones[1])
            && stones
                .iter()
                .all(|set| !set.is_empty() && set.is_subset_of(board.points()));
        if !sound {
            return None;
        }
        let key = BookKey {
            canonical: Canonical::of(board, &Position::new(stones, side, 0, 2)),
            first_turn: words[1] & FIRST_TURN != 0,
        };
        (key.words() == words).then_some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::Preset;

    #[test]
    fn words_round_trip_and_others_are_refused() {
        let rules = Preset::FirstTurns.rules().expect("rules");
        for position in [
            rules.start(),
            parse_fen("9/1b2w4/9/4b4/w8 b 7 20", rules.board).expect("good"),
        ] {
            let (key, _) = BookKey::of(&rules, &position);
            let words = key.words();
            assert_eq!(BookKey::from_words(rules.board, words), Some(key));
            let again = BookKey::of(&rules, &key.position());
            assert_eq!(again, (key, Symmetry::Identity));
            // Off the board, on both sides, empty.
            let wrong = [
                [words[0] | 1 << 9, words[1]],
                [words[0] | 1 << 50, words[1]],
                [words[0] | words[1] & 1 << 44, words[1] | words[0] & 1],
                [0, words[1]],
                [words[0], BLACK_TO_MOVE],
            ];
            for words in wrong {
                let read = BookKey::from_words(rules.board, words);
                assert!(read.is_none_or(|read| read == key), "{words:?}");
            }
        }
    }

    #[test]
    fn first_turns_are_told_apart_where_the_rules_do() {
        for (preset, differ) in [
            (Preset::Tsivy, false),
            (Preset::Riatra, true),
            (Preset::Vela, true),
        ] {
            let rules = preset.rules().expect("rules");
            let start = rules.start();
            let stones = Side::BOTH.map(|side| start.stones(side));
            let later = Position::new(stones, start.side(), 30, 20);
            let [first, later] = [start, later].map(|position| BookKey::of(&rules, &position).0);
            assert_eq!(first != later, differ, "{preset}");
        }
    }
}
