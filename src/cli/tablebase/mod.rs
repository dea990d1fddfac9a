//! `vato tablebase`: perfect play with few stones.

mod build;
mod info;
mod probe;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use vato_engine::rules::Rules;
use vato_engine::tablebase::{Manifest, TableFolders, TablebaseError, Tablebases};

use super::failure::Failure;

/// Build, check and read endgame tablebases
///
/// A tablebase holds the outcome of every position with few stones (win, draw or loss for the side to
/// move) and the plies to the next conversion: a capture or the end of the game. The engine reads
/// them through its option TablebasePath.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Arguments),
    Verify(verify::Arguments),
    Info(info::Arguments),
    Probe(probe::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
    }
}

/// The folder named, or the one in the user's data folder.
fn folder(named: Option<&Path>, rules: &Rules) -> Result<PathBuf, Failure> {
    let folder = named.map(Path::to_owned);
    folder
        .or_else(|| TableFolders::of_the_user(rules))
        .ok_or_else(|| {
            Failure::Usage("the user has no data folder: name the folder of tables".to_owned())
        })
}

/// The tables of a folder, whatever their rules are, and its manifest.
fn open(folder: &Path) -> Result<(Tablebases, Option<Manifest>), Failure> {
    let manifest = Manifest::read(folder)?;
    let rules = match &manifest {
        Some(manifest) => manifest.rules.parse()?,
        None => Rules::STANDARD,
    };
    let open = |rules| Tablebases::open(&[folder], rules, Tablebases::DEFAULT_CACHE_BYTES);
    let tables = match open(&rules) {
        // Every file has its rules as well.
        Err(TablebaseError::OtherRules { found, .. }) if manifest.is_none() => {
            open(&found.parse()?)?
        }
        tables => tables?,
    };
    Ok((tables, manifest))
}
