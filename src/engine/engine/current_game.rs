//! The current game of an engine, set as a position and moves in text.

use std::sync::Arc;

use crate::board::Side;
use crate::notation::{parse_fen, parse_turn};
use crate::rules::{Game, Rules};
use crate::text::excerpt;

/// The game with the text it was set from, so that a list of moves that extends the last one costs only
/// the new moves.
#[derive(Debug)]
pub struct CurrentGame {
    /// The FEN that the moves start from; `None` for the start of the rules.
    fen: Option<String>,
    /// The moves played, as written, separated by white space. No list of words: a line may have millions.
    text: String,
    /// Shared with a running search.
    game: Arc<Game>,
    /// The side that played an illegal move, which loses the game.
    pub(crate) offender: Option<Side>,
    /// Whether the last position to be set was rejected, so that the game differs from the manager's.
    pub(crate) is_stale: bool,
}

impl CurrentGame {
    pub(super) fn new(rules: Rules) -> CurrentGame {
        CurrentGame {
            fen: None,
            text: String::new(),
            game: Arc::new(Game::new(rules)),
            offender: None,
            is_stale: false,
        }
    }

    /// Sets the position: the start of the rules in force or `fen`, and the moves played from there. If
    /// the moves extend those already played, only the new ones are parsed.
    ///
    /// # Errors
    ///
    /// If the FEN is invalid; the old position is kept. If a move is illegal; the position is the one
    /// before it, and if the game had not ended before, its mover loses.
    pub fn set(&mut self, fen: Option<&str>, moves: &str) -> Result<(), String> {
        let is_whole = |new: &&str| new.is_empty() || new.starts_with(char::is_whitespace);
        let grown = match &*self.text {
            "" => Some(moves),
            played => moves.strip_prefix(played).filter(is_whole),
        };
        if let Some(new) = grown.filter(|_| self.fen.as_deref() == fen) {
            self.offender = None;
            self.is_stale = false;
            return self.play(new);
        }
        let rules = *self.game.rules();
        // Stays set if the position cannot be read.
        self.is_stale = true;
        let game = match fen {
            None => Game::new(rules),
            Some(fen) => {
                let position = parse_fen(fen, rules.board)?;
                Game::from_position(rules, position)
            }
        };
        *self = CurrentGame {
            fen: fen.map(str::to_owned),
            text: String::new(),
            game: Arc::new(game),
            offender: None,
            is_stale: false,
        };
        self.play(moves)
    }

    /// Plays moves, up to the first one that is illegal.
    ///
    /// # Errors
    ///
    /// As [`CurrentGame::set`].
    pub fn play(&mut self, moves: &str) -> Result<(), String> {
        for word in moves.split_whitespace() {
            if self.offender.is_some() {
                let word = excerpt(word);
                return Err(format!(
                    "'{word}' comes after an illegal move, which has ended the game"
                ));
            }
            let side = self.game.position().side();
            let Err(error) = self.play_one(word) else {
                let space = if self.text.is_empty() { "" } else { " " };
                self.text.extend([space, word]);
                continue;
            };
            let number = self.game.moves().len() + 1;
            return Err(match self.game.outcome() {
                Some(outcome) => {
                    format!("{error} (ply {number} of a game that has ended before: {outcome})")
                }
                None => {
                    self.offender = Some(side);
                    format!("{error} (ply {number}, by {side}, who loses by it)")
                }
            });
        }
        Ok(())
    }

    fn play_one(&mut self, word: &str) -> Result<(), String> {
        let (_, mv) = parse_turn(word, self.game.rules(), self.game.position())
            .map_err(|error| error.to_string())?;
        let played = Arc::make_mut(&mut self.game).play(mv);
        played.map_err(|error| error.to_string())
    }

    /// The game up to the last legal move.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grown_list_is_played_on() {
        let fen = Some("8b/9/9/9/w8 w 0 20");
        let mut game = CurrentGame::new(Rules::STANDARD);
        let cycle = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"].repeat(2).join(" ");
        for length in (0..=cycle.len()).step_by(6).chain([17, 5, 29]) {
            let moves = cycle.get(..length).unwrap_or(&cycle);
            let mut fresh = CurrentGame::new(Rules::STANDARD);
            for game in [&mut game, &mut fresh] {
                assert_eq!(game.set(fen, moves), Ok(()));
            }
            assert_eq!(game.game().position(), fresh.game().position(), "{moves}");
            assert_eq!(game.game().moves(), fresh.game().moves());
            assert_eq!(game.game().outcome(), fresh.game().outcome());
        }
        assert_eq!(game.play("i5-h5"), Ok(()));
    }
}
