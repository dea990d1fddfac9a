//! What is proven of starts and first moves: the results in `docs/solved.md`.

use crate::notation::format_move;
use crate::rules::{Game, parse_rules};

/// What is proven of a position; what is open is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Whether White can win.
    pub white_wins: Option<bool>,
    /// Whether Black can win.
    pub black_wins: Option<bool>,
}

const fn proven(white_wins: Option<bool>, black_wins: Option<bool>) -> Proven {
    Proven {
        white_wins,
        black_wins,
    }
}

const WHITE_WINS: Proven = proven(Some(true), Some(false));
const DRAW: Proven = proven(Some(false), Some(false));
/// It is open whether Black can win.
const WHITE_CANNOT_WIN: Proven = proven(Some(false), None);

/// Rules, the first move or nothing, and what is proven of the position after it.
const SOLVED: [(&str, &str, Proven); 29] = [
    ("board=3x3", "", WHITE_WINS),
    ("board=5x3", "", WHITE_WINS),
    ("board=3x5", "", WHITE_WINS),
    ("board=7x3", "", WHITE_WINS),
    ("board=3x7", "", WHITE_WINS),
    ("board=9x3", "", WHITE_WINS),
    ("board=3x9", "", WHITE_WINS),
    ("board=5x5", "", DRAW),
    ("board=7x5", "", DRAW),
    ("board=5x7", "", WHITE_WINS),
    ("board=5x5 opening=both", "", DRAW),
    ("board=5x5 chain=full blocked=draw", "", DRAW),
    ("board=5x5 chain=single", "", WHITE_WINS),
    ("board=5x5 capture=free", "", DRAW),
    ("board=5x5 capture=opening", "", DRAW),
    ("tsivy", "", DRAW),
    ("tsivy", "d3-e3W", WHITE_CANNOT_WIN),
    ("tsivy", "d3-e3A", DRAW),
    ("tsivy", "d2-e3A", WHITE_CANNOT_WIN),
    ("tsivy", "e2-e3A", WHITE_CANNOT_WIN),
    ("tsivy", "f2-e3A", DRAW),
    ("riatra", "", DRAW),
    ("riatra", "d3-e3W", WHITE_CANNOT_WIN),
    ("riatra", "d3-e3A", DRAW),
    ("riatra", "d2-e3A", WHITE_CANNOT_WIN),
    ("riatra", "e2-e3A", WHITE_CANNOT_WIN),
    ("riatra", "f2-e3A", DRAW),
    ("full-chain", "d3-e3W", WHITE_CANNOT_WIN),
    ("full-chain", "f2-e3A", WHITE_CANNOT_WIN),
];

impl Proven {
    /// What is proven of the position of a game, if it is the start of its rules, or the position after a first move.
    ///
    /// ```
    /// use vato_engine::rules::{Game, Rules};
    /// use vato_engine::solver::Proven;
    ///
    /// let known = Proven::of(&Game::new(Rules::STANDARD)).expect("solved");
    /// assert_eq!((known.white_wins, known.black_wins), (Some(false), Some(false)));
    /// ```
    pub fn of(game: &Game) -> Option<Proven> {
        let (rules, start) = (game.rules(), game.start());
        let first = match game.moves() {
            _ if *start != rules.start() => return None,
            [] => String::new(),
            [first] => format_move(rules, start, *first)?,
            _ => return None,
        };
        let is_asked = |(of, mv, _): &&(&str, &str, _)| {
            *mv == first && parse_rules(of).is_ok_and(|of| of == *rules)
        };
        SOLVED.iter().find(is_asked).map(|(_, _, proven)| *proven)
    }
}
