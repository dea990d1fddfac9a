//! Options common to several commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use vato::board::Position;
use vato::container::ContainerError;
use vato::eval::{Evaluation, EvaluationKind};
use vato::network::Network;
use vato::notation::{parse_fen, parse_turn};
use vato::rules::{Game, Rules, parse_rules};

use super::failure::Failure;

/// Parses the path of a file that cannot be standard output: `-` is refused.
pub fn named_file(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path == Path::new("-") {
        true => Err("expected the name of a file"),
        false => Ok(path),
    }
}

/// The options that name a position and its rules.
#[derive(Args, Debug)]
pub struct PositionArguments {
    /// Start position as a FEN [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,
}

impl PositionArguments {
    /// Reads the rules and the position.
    pub fn read(&self) -> Result<(Rules, Position), Failure> {
        let rules = self.rules;
        let position = match &self.fen {
            Some(fen) => {
                let position = parse_fen(fen, rules.board);
                position.map_err(|error| Failure::Usage(format!("--fen: {error}")))?
            }
            None => rules.start(),
        };
        log::debug!("rules '{rules:#}', position {position:?}");
        Ok((rules, position))
    }
}

/// The option for moves after a position.
#[derive(Args, Debug)]
pub struct MovesArgument {
    /// Moves to play first, separated by spaces
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

impl MovesArgument {
    /// The game from `start` with these moves.
    pub fn game(&self, rules: Rules, start: Position) -> Result<Game, Failure> {
        let mut game = Game::from_position(rules, start);
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let played = parse_turn(text, &rules, game.position())
                .map_err(|error| error.to_string())
                .and_then(|(_, mv)| game.play(mv).map_err(|error| error.to_string()));
            played.map_err(|error| {
                Failure::Usage(format!("--moves, number {}: {error}", index + 1))
            })?;
        }
        Ok(game)
    }
}

/// The options for the evaluation.
#[derive(Args, Debug)]
pub struct EvaluationArguments {
    /// Evaluation: network (if one suits the rules) or classical (hand-written)
    #[arg(long, value_name = "KIND", default_value = EvaluationKind::default().name())]
    evaluation: EvaluationKind,

    /// Network file to use in place of the built-in network
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArguments {
    /// The evaluation selected by the options.
    pub fn evaluation(&self) -> Result<Evaluation, ContainerError> {
        let network = match &self.eval_file {
            Some(path) => Arc::new(Network::read(path)?),
            None => Network::standard(),
        };
        Ok(Evaluation {
            kind: self.evaluation,
            network,
        })
    }
}
