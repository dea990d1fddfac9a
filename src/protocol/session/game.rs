//! The commands that are about the game: set it up, play on, ask how it stands.

use std::io::{self, Write};

use super::Session;
use crate::board::Side;
use crate::protocol::answer::{Answer, GameResult, Response};
use crate::protocol::command::{PositionBase, PositionCommand, Query};

impl<W: Write> Session<W> {
    pub(super) fn set_position(&mut self, command: &PositionCommand) -> io::Result<()> {
        let fen = match &command.base {
            PositionBase::Start => None,
            PositionBase::Fen(fen) => Some(fen.as_str()),
        };
        match self.engine.set_position(fen, &command.moves) {
            Ok(()) => Ok(()),
            Err(error) => self.writer.error(format!("position: {error}")),
        }
    }

    pub(super) fn play_moves(&mut self, moves: &[String]) -> io::Result<()> {
        match self.engine.play_moves(moves) {
            Ok(()) => Ok(()),
            Err(error) => self.writer.error(format!("moves: {error}")),
        }
    }

    pub(super) fn answer_query(&mut self, query: Query) -> io::Result<()> {
        let game = self.engine.game();
        let result = match (self.engine.offender(), game.outcome()) {
            (Some(offender), _) => GameResult::won_by(Some(!offender)),
            (None, Some(outcome)) => GameResult::won_by(outcome.winner),
            (None, None) => GameResult::None,
        };
        let response = match query {
            Query::P1Turn => Response::Flag(game.position().side() == Side::White),
            Query::GameOver => Response::Flag(result != GameResult::None),
            Query::Result => Response::Result(result),
        };
        self.writer.say(&Answer::Response(response))
    }
}
