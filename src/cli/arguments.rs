//! Options common to several commands.

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
