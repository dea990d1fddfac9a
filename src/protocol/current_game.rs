//! The game that a session is about, as `position` and `moves` tell it.

use thiserror::Error;

use super::answer::GameResult;
use super::command::{PositionBase, PositionCommand};
use crate::board::Side;
use crate::excerpt::excerpt;
use crate::notation::{FenError, parse_fen, parse_turn};
use crate::rules::{Game, Outcome, Rules};

/// The game with the text it came from, so that the same list of moves, grown by a few, costs only
/// those few.
#[derive(Debug)]
pub(super) struct CurrentGame {
    base: PositionBase,
    /// The moves played, as they were written.
    words: Vec<String>,
    game: Game,
    /// The side that played an illegal move, which ends the game.
    offender: Option<Side>,
}

/// What is wrong with a `position` or `moves`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PositionError {
    /// The position cannot be read; the old one stays.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be played; it loses the game for its mover.
    #[error("{error} (ply {number}, by {side}, who loses by it)")]
    Offence {
        number: usize,
        side: Side,
        error: String,
    },
    /// A move cannot be played in a game that has ended before; nothing changes.
    #[error("{error} (ply {number} of a game that has ended before: {outcome})")]
    AfterEnd {
        number: usize,
        outcome: Outcome,
        error: String,
    },
    /// A move after an illegal one.
    #[error("'{word}' comes after an illegal move, which has ended the game")]
    AfterOffence { word: String },
}

impl CurrentGame {
    /// The start of `rules`.
    pub(super) fn new(rules: Rules) -> CurrentGame {
        CurrentGame {
            base: PositionBase::Start,
            words: Vec::new(),
            game: Game::new(rules),
            offender: None,
        }
    }

    /// Obeys `position`. After an error of a move the game is the one up to there.
    pub(super) fn set(&mut self, command: &PositionCommand) -> Result<(), PositionError> {
        let grown = if self.base == command.base {
            command.moves.strip_prefix(self.words.as_slice())
        } else {
            None
        };
        if let Some(new) = grown {
            self.offender = None;
            return self.play(new);
        }
        let rules = *self.game.rules();
        let game = match &command.base {
            PositionBase::Start => Game::new(rules),
            PositionBase::Fen(fen) => Game::from_position(rules, parse_fen(fen, rules.board)?),
        };
        *self = CurrentGame {
            base: command.base.clone(),
            words: Vec::with_capacity(command.moves.len()),
            game,
            offender: None,
        };
        self.play(&command.moves)
    }

    /// Plays on, up to the first move that cannot be played.
    pub(super) fn play(&mut self, moves: &[String]) -> Result<(), PositionError> {
        for word in moves {
            if self.offender.is_some() {
                return Err(PositionError::AfterOffence {
                    word: excerpt(word),
                });
            }
            let side = self.game.position().side();
            let Err(error) = self.play_one(word) else {
                self.words.push(word.clone());
                continue;
            };
            let number = self.words.len() + 1;
            return Err(match self.game.outcome() {
                Some(outcome) => PositionError::AfterEnd {
                    number,
                    outcome,
                    error,
                },
                None => {
                    self.offender = Some(side);
                    PositionError::Offence {
                        number,
                        side,
                        error,
                    }
                }
            });
        }
        Ok(())
    }

    fn play_one(&mut self, word: &str) -> Result<(), String> {
        let (_, mv) = parse_turn(word, self.game.rules(), self.game.position())
            .map_err(|error| error.to_string())?;
        self.game.play(mv).map_err(|error| error.to_string())
    }

    /// The game up to the last legal move.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The side that has lost by an illegal move.
    pub(super) fn offender(&self) -> Option<Side> {
        self.offender
    }

    /// Whether player 1 is to move.
    pub(super) fn is_p1_turn(&self) -> bool {
        self.game.position().side() == Side::White
    }

    /// How the game stands.
    pub(super) fn result(&self) -> GameResult {
        let winner = match (self.offender, self.game.outcome()) {
            (Some(offender), _) => Some(!offender),
            (None, Some(outcome)) => outcome.winner,
            (None, None) => return GameResult::None,
        };
        match winner {
            Some(Side::White) => GameResult::P1Win,
            Some(Side::Black) => GameResult::P2Win,
            None => GameResult::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONE_STONES: &str = "8b/9/9/9/w8 w 0 20";

    fn position(fen: Option<&str>, moves: &str) -> PositionCommand {
        PositionCommand {
            base: fen.map_or(PositionBase::Start, |fen| PositionBase::Fen(fen.to_owned())),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn a_grown_list_is_played_on() {
        let mut game = CurrentGame::new(Rules::STANDARD);
        let mut fresh = CurrentGame::new(Rules::STANDARD);
        let cycle = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"].repeat(2).join(" ");
        for length in (0..=cycle.len()).step_by(6).chain([17, 5, 29]) {
            let moves = cycle.get(..length).unwrap_or(&cycle);
            let command = position(Some(LONE_STONES), moves);
            assert_eq!(game.set(&command), Ok(()));
            fresh.set(&position(None, "")).expect("legal");
            assert_eq!(fresh.set(&command), Ok(()));
            assert_eq!(game.game().position(), fresh.game().position(), "{moves}");
            assert_eq!(game.game().moves(), fresh.game().moves());
            assert_eq!(game.result(), fresh.result());
        }
        assert_eq!(game.play(&["i5-h5".to_owned()]), Ok(()));
    }

    #[test]
    fn an_illegal_move_loses_until_the_next_position() {
        let mut game = CurrentGame::new(Rules::STANDARD);
        let wrong = position(None, "d3-e3A e2e4 f4-f3A");
        for _ in 0..2 {
            let error = game.set(&wrong).expect_err("illegal").to_string();
            assert!(
                error.contains("'e2e4'") && error.contains("ply 2, by Black"),
                "{error}"
            );
            assert_eq!(
                (game.result(), game.offender()),
                (GameResult::P1Win, Some(Side::Black))
            );
            assert_eq!(game.game().moves().len(), 1);
        }
        let later = game.play(&["f4-f3A".to_owned()]).expect_err("over");
        assert!(matches!(later, PositionError::AfterOffence { .. }));
        let error = game
            .set(&position(Some("9/9 w"), ""))
            .expect_err("no position");
        assert!(matches!(error, PositionError::Fen(_)));
        assert_eq!(
            game.result(),
            GameResult::P1Win,
            "a bad position changes nothing"
        );
        assert_eq!(game.set(&position(None, "d3-e3A f4-f3A")), Ok(()));
        assert_eq!(game.result(), GameResult::None);
    }

    #[test]
    fn an_illegal_move_after_the_end_changes_nothing() {
        let mut game = CurrentGame::new(Rules::STANDARD);
        let fen = "8b/9/9/9/w8 w 98 60";
        let over = position(Some(fen), "a1-a2 i5-i4 a2-a1 zz");
        let error = game.set(&over).expect_err("illegal").to_string();
        assert!(
            error.contains("ply 4 of a game that has ended before"),
            "{error}"
        );
        assert_eq!((game.result(), game.offender()), (GameResult::Draw, None));
        assert_eq!(game.game().moves().len(), 3);
    }
}
