//! The options for what positions are evaluated with.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use vato::eval::{Evaluation, EvaluationKind};
use vato::network::{Network, NetworkError};

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
    ///
    /// # Errors
    ///
    /// If the network cannot be read.
    pub fn evaluation(&self) -> Result<Evaluation, NetworkError> {
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
