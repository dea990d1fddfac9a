//! The commands that are about the game: set it up, play on, ask how it stands.

use std::io::{self, Write};

use super::Session;
use super::evaluation_text::evaluation_text;
use crate::notation::{Charset, diagram, format_fen, format_path};
use crate::protocol::answer::{Answer, GameResult, Response};
use crate::protocol::command::{PositionCommand, Query};
use crate::protocol::current_game::CurrentGame;
use crate::protocol::jobs::Job;
use crate::rules::legal_paths;

impl<W: Write> Session<W> {
    pub(super) fn set_position(&mut self, command: &PositionCommand) -> io::Result<()> {
        match self.current.set(command) {
            Ok(()) => Ok(()),
            Err(error) => self.writer.error(format!("position: {error}")),
        }
    }

    pub(super) fn play_moves(&mut self, moves: &[String]) -> io::Result<()> {
        match self.current.play(moves) {
            Ok(()) => Ok(()),
            Err(error) => self.writer.error(format!("moves: {error}")),
        }
    }

    pub(super) fn start_new_game(&mut self) -> io::Result<()> {
        self.current = CurrentGame::new(self.settings.rules());
        self.settings.skill.begin_game();
        self.start_chore(super::Chore::Silent, Job::Clear);
        Ok(())
    }

    pub(super) fn answer_query(&mut self, query: Query) -> io::Result<()> {
        let result = self.current.result();
        self.writer.say(&Answer::Response(match query {
            Query::P1Turn => Response::Flag(self.current.is_p1_turn()),
            Query::GameOver => Response::Flag(result != GameResult::None),
            Query::Result => Response::Result(result),
        }))
    }

    pub(super) fn show_position(&mut self) -> io::Result<()> {
        let game = self.current.game();
        let (rules, position) = (game.rules(), game.position());
        let outcome = match (self.current.offender(), game.outcome()) {
            (Some(offender), _) => format!("{} wins: illegal move by {offender}", !offender),
            (None, Some(outcome)) => outcome.to_string(),
            (None, None) => "none".to_owned(),
        };
        self.writer.text(format!(
            "{}\n\
             FEN: {}\n\
             Key: {:016x}\n\
             Variant: {}\n\
             Rules: {rules:#}\n\
             Side to move: {}\n\
             Moves played: {}\n\
             Outcome: {outcome}",
            diagram(position, rules.board, Charset::Unicode),
            format_fen(position, rules.board),
            rules.key(position),
            self.settings.variant,
            position.side(),
            game.moves().len(),
        ))
    }

    pub(super) fn explain_evaluation(&mut self) -> io::Result<()> {
        let game = self.current.game();
        let evaluation = &self.settings.evaluation;
        let text = match evaluation.explain(game.rules(), game.position()) {
            Some(explanation) => evaluation_text(&explanation, game),
            None => "no evaluation: a side has no stones\n".to_owned(),
        };
        self.writer.text(text)
    }

    pub(super) fn list_turns(&mut self) -> io::Result<()> {
        let game = self.current.game();
        let rules = game.rules();
        let paths = legal_paths(rules, game.position());
        let mut text = String::new();
        for (path, _) in &paths {
            text.push_str(&format_path(path, rules.board));
            text.push('\n');
        }
        if !paths.is_empty() {
            self.writer.text(text)?;
        }
        self.writer.note(format!("{} legal turns", paths.len()))
    }
}
