//! The subcommands that are not part of the engine.

use clap::Subcommand;

use super::failure::Failure;
use super::{
    book, data, openings, pgn, play, self_play, stats, tablebase, tournament, train, tune,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    Match(Box<tournament::Arguments>),
    Play(Box<play::Arguments>),
    Openings(openings::Arguments),
    Book(book::Arguments),
    Pgn(pgn::Arguments),
    Stats(stats::Arguments),
    #[command(name = "selfplay")]
    SelfPlay(self_play::Arguments),
    Data(data::Arguments),
    Tablebase(tablebase::Arguments),
    Train(Box<train::Arguments>),
    Tune(Box<tune::Arguments>),
}

impl Command {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Match(arguments) => tournament::run(arguments),
            Command::Play(arguments) => play::run(arguments),
            Command::Openings(arguments) => openings::run(arguments),
            Command::Book(arguments) => book::run(arguments),
            Command::Pgn(arguments) => pgn::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
            Command::SelfPlay(arguments) => self_play::run(arguments),
            Command::Data(arguments) => data::run(arguments),
            Command::Tablebase(arguments) => tablebase::run(arguments),
            Command::Train(arguments) => train::run(arguments),
            Command::Tune(arguments) => tune::run(arguments),
        }
    }
}
