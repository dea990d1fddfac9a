//! Options that several commands have.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use vato::board::Position;
use vato::container::ContainerError;
use vato::eval::{Evaluation, EvaluationKind};
use vato::network::Network;
use vato::notation::parse_fen;
use vato::rules::{Rules, parse_rules};

use super::failure::Failure;

/// The options that name a position and its rules.
#[derive(Args, Debug)]
pub struct PositionArguments {
    /// Position to begin with, as a FEN; without it, the start of the game
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,
}

impl PositionArguments {
    /// The rules and the position.
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

/// What positions are evaluated with.
#[derive(Args, Debug)]
pub struct EvaluationArguments {
    /// Evaluate with a network (where one suits the rules) or by hand: network or classical
    #[arg(long, value_name = "KIND", default_value = EvaluationKind::default().name())]
    evaluation: EvaluationKind,

    /// A network other than the one in the program
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArguments {
    /// The evaluation that is asked for.
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
