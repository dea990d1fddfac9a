//! `vato data`: files of training data.

mod convert;
mod info;
mod show;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use indicatif::HumanCount;
use vato_engine::plural;
use vato_engine::stop::StopSignal;
use vato_tools::training::data;

use super::failure::{Failure, stdout};
use super::signals;
use crate::cli::arguments::number;

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
    /// Join files of the same rules
    Merge {
        /// The files, in the order in which their records are wanted
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Bring the records of a file into random order
    ///
    /// For other readers of such files; vato train shuffles by itself.
    Shuffle {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        /// Seed of the order
        #[arg(long, value_name = "X", default_value_t = 0, value_parser = number::<u64>(..))]
        seed: u64,
    },
    Convert(convert::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
///
/// Any error of the subcommand.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    type Write<'a> = &'a dyn Fn(&StopSignal) -> Result<u64, Failure>;
    let (out, write): (_, Write<'_>) = match &arguments.command {
        Command::Info(arguments) => return info::run(arguments),
        Command::Show(arguments) => return show::run(arguments),
        Command::Merge { files, out } => (out, &|stop| Ok(data::merge(files, out, stop)?)),
        Command::Shuffle { file, out, seed } => {
            (out, &|stop| Ok(data::shuffle(file, out, *seed, stop)?))
        }
        Command::Convert(arguments) => (&arguments.out, &|stop| convert::run(arguments, stop)),
    };
    let stop = signals::watch("")?;
    let count = write(&stop).map_err(|failure| match stop.is_given() {
        true => Failure::Stopped(Some(format!("stopped; {} is not written", out.display()))),
        false => failure,
    })?;
    let noun = plural(count, "position", "positions");
    let (out, shown) = (out.display(), HumanCount(count));
    writeln!(stdout(), "{out}: {shown} {noun}")?;
    Ok(())
}
