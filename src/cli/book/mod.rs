//! `vato book`: the engine's own opening book.

mod build;
mod export;
mod info;
mod probe;

use clap::{Args, Subcommand};
use vato_engine::book::BookMove;

use super::failure::Failure;

/// Build and read opening books, which the engine plays from without searching
///
/// A book holds positions near the start of a game, each searched for long, with the scores of its best
/// moves. The engine plays from it through its options OwnBook and Book File. (Openings that games of a
/// match begin with are another thing: vato openings.)
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(Box<build::Arguments>),
    Info(info::Arguments),
    Export(export::Arguments),
    Probe(probe::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
    }
}

/// How often a move is played, in parts of a hundred.
fn share(known: &BookMove, moves: &[BookMove]) -> f64 {
    let sum: u32 = moves.iter().map(|known| known.weight).sum();
    100.0 * f64::from(known.weight) / f64::from(sum.max(1))
}
