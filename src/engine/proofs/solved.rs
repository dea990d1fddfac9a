//! What is proven of a game: the results in `docs/solved.md`, and what follows from the strategy in the program.

use std::fmt;

use serde::Serialize;

use super::Strategy;
use crate::board::{Move, Side};
use crate::notation::format_move;
use crate::rules::{Game, parse_rules};

/// What is proven of a position; what is open is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proven {
    /// Whether White can win.
    pub white_wins: Option<bool>,
    /// Whether Black can win.
    pub black_wins: Option<bool>,
    /// The reply that keeps the side to move from losing, if it has played by the strategy.
    #[serde(skip)]
    pub reply: Option<Move>,
    /// The same in notation.
    #[serde(rename = "reply", skip_serializing_if = "Option::is_none")]
    pub reply_text: Option<String>,
}

const fn proven(white_wins: Option<bool>, black_wins: Option<bool>) -> Proven {
    Proven {
        white_wins,
        black_wins,
        reply: None,
        reply_text: None,
    }
}

const WHITE_WINS: Proven = proven(Some(true), Some(false));
const BLACK_WINS: Proven = proven(Some(false), Some(true));
const DRAW: Proven = proven(Some(false), Some(false));
/// Whether the other side can win is open.
const WHITE_CANNOT_WIN: Proven = proven(Some(false), None);
const BLACK_CANNOT_WIN: Proven = proven(None, Some(false));

/// Rules, several if it holds for each of them, the first move or nothing, and what is proven of the position after it.
static SOLVED: [(&str, &str, Proven); 27] = [
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
    ("tsivy|riatra|first-turns", "", DRAW),
    ("tsivy|riatra|first-turns", "d3-e3W", WHITE_CANNOT_WIN),
    ("tsivy|riatra|first-turns", "d3-e3A", DRAW),
    ("tsivy|riatra|first-turns", "d2-e3A", WHITE_CANNOT_WIN),
    ("tsivy|riatra|first-turns", "e2-e3A", WHITE_CANNOT_WIN),
    ("tsivy|riatra|first-turns", "f2-e3A", DRAW),
    ("full-chain", "", BLACK_CANNOT_WIN),
    ("full-chain", "d3-e3W", BLACK_WINS),
    ("full-chain", "d3-e3A", WHITE_CANNOT_WIN),
    ("full-chain", "d2-e3A", WHITE_CANNOT_WIN),
    ("full-chain", "e2-e3A", BLACK_CANNOT_WIN),
    ("full-chain", "f2-e3A", WHITE_CANNOT_WIN),
];

impl Proven {
    /// What is proven of the position of a game: of the start of its rules, of the position after a first move, and of
    /// every position to which play by the [strategy in the program](Strategy::built_in) leads.
    ///
    /// ```
    /// use vato_engine::rules::{Game, Rules};
    /// use vato_engine::proofs::Proven;
    ///
    /// let known = Proven::of(&Game::new(Rules::STANDARD)).expect("solved");
    /// assert_eq!((known.white_wins, known.black_wins), (Some(false), Some(false)));
    /// ```
    pub fn of(game: &Game) -> Option<Proven> {
        let strategy = Strategy::built_in();
        let holds = strategy.map_or([false; 2], |strategy| strategy.holds(game));
        let listed = Proven::listed(game);
        if holds == [false; 2] {
            return listed;
        }
        let mut known = listed.unwrap_or(proven(None, None));
        for (side, wins) in [
            (Side::White, &mut known.black_wins),
            (Side::Black, &mut known.white_wins),
        ] {
            if holds[side as usize] {
                *wins = Some(false);
            }
        }
        known.reply = strategy.and_then(|strategy| strategy.reply(game));
        let text = |mv| format_move(game.rules(), game.position(), mv);
        known.reply_text = known.reply.and_then(text);
        Some(known)
    }

    fn listed(game: &Game) -> Option<Proven> {
        let (rules, start) = (game.rules(), game.start());
        let first = match game.moves() {
            _ if *start != rules.start() => return None,
            [] => String::new(),
            [first] => format_move(rules, start, *first)?,
            _ => return None,
        };
        let is_asked = |(of, mv, _): &&(&str, &str, _)| {
            let is_of = |of: &str| parse_rules(of).is_ok_and(|of| of == *rules);
            *mv == first && of.split('|').any(is_of)
        };
        let found = SOLVED.iter().find(is_asked);
        found.map(|(_, _, proven)| proven.clone())
    }
}

/// `White wins`, `a draw`, `White cannot win`, …
impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.white_wins, self.black_wins) {
            (Some(true), _) => "White wins",
            (_, Some(true)) => "Black wins",
            (Some(false), Some(false)) => "a draw",
            (Some(false), None) => "White cannot win",
            (None, Some(false)) => "Black cannot win",
            (None, None) => "nothing",
        })
    }
}
