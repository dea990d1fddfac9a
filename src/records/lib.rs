//! What is recorded of games beside the notation of the engine: turns as anybody writes them, names of openings, PGN
//! ([`pgn`]).

pub mod pgn;
mod turn_under_way;
mod typed_turn;

pub use turn_under_way::TurnUnderWay;
pub use typed_turn::{read_begun_turn, read_exact_turn, read_first_turn, read_turn};

use vato_engine::notation::format_move;
use vato_engine::rules::Game;

/// The traditional names of White's five first moves on 9x5, and the moves, in the order of a riatra set.
pub const OPENING_NAMES: [(&str, &str); 5] = [
    ("vakiloha", "e2-e3A"),
    ("havanana", "f2-e3A"),
    ("havia", "d2-e3A"),
    ("fohy", "d3-e3A"),
    ("kobaka", "d3-e3W"),
];

/// The traditional name of the first move of a game from the start, if it has one.
pub fn opening_name(game: &Game) -> Option<&'static str> {
    let (rules, start) = (game.rules(), game.start());
    let first = *game.moves().first()?;
    let text = format_move(rules, start, first).filter(|_| *start == rules.start())?;
    let named = OPENING_NAMES.iter().find(|(_, mv)| *mv == text);
    named.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::notation::format_path;
    use vato_engine::rules::{Rules, legal_paths};

    #[test]
    fn the_five_openings_are_all_first_moves() {
        let rules = Rules::STANDARD;
        let mut legal: Vec<String> = legal_paths(&rules, &rules.start())
            .iter()
            .map(|(path, _)| format_path(path, rules.board))
            .collect();
        let mut named = OPENING_NAMES.map(|(_, first)| first);
        legal.sort();
        named.sort();
        assert_eq!(legal, named);
    }
}
