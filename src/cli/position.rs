//! The position and the rules that a command works on.

use clap::Args;
use vato::board::Position;
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
    #[arg(long, value_name = "RULES", default_value = "tsivy")]
    rules: String,
}

impl PositionArguments {
    /// The rules and the position.
    ///
    /// # Errors
    ///
    /// If either does not read.
    pub fn read(&self) -> Result<(Rules, Position), Failure> {
        let rules = parse_rules(&self.rules)?;
        let position = match &self.fen {
            Some(fen) => parse_fen(fen, rules.board)?,
            None => rules.start(),
        };
        log::debug!("rules '{rules:#}', position {position:?}");
        Ok((rules, position))
    }
}
