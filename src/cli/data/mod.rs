//! `vato data`: files of training data.

mod convert;
mod info;
mod merge;
mod show;
mod shuffle;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Look into files of training data, join, shuffle and convert them
///
/// Such files come from vato selfplay and are what vato train reads: positions with the score of a
/// search, the result of their game, and how far it had come.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Show(show::Arguments),
    Merge(merge::Arguments),
    Shuffle(shuffle::Arguments),
    Convert(convert::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
///
/// Whatever goes wrong in it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Info(arguments) => info::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Shuffle(arguments) => shuffle::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
    }
}
