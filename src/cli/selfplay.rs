//! `vato selfplay`: generating training data.

use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;
use indicatif::HumanCount;
use vato_engine::plural;
use vato_engine::tablebase::Tablebases;
use vato_lab::selfplay::{self, SelfPlaySettings};

use super::support::arguments::{EvaluationArguments, mebibytes};
use super::support::failure::{Failure, stdout};
use super::support::present::progress_bar;
use super::support::signals;

/// Generate training data for networks from games of the engine against itself
///
/// Every game begins with random plies, at a position unique to it and not decided by a short search. Every
/// position from there on is searched with the same number of nodes and recorded with its score and the
/// game's result; so are positions a few random plies off the game, without a result. Games end by the
/// rules, when the search proves a winner, or when tablebases know the position.
///
/// Each finished game is written at once; the same command continues an incomplete file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato selfplay --games 1000 --out games.data
  vato selfplay --positions 5000000 --out games.data --nodes 5000 --threads 8
  vato selfplay --games 1000 --out free.data --rules free-capture --seed 7

Inspect a file: vato data info games.data")]
pub struct Arguments {
    /// Output file of the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    settings: SelfPlaySettings,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// Cache in MiB for these tablebases; 1500 suits seven stones
    #[arg(
        long,
        value_name = "MB",
        default_value_t = Tablebases::DEFAULT_CACHE_BYTES >> 20,
        value_parser = mebibytes(1),
    )]
    tablebase_cache: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = SelfPlaySettings {
        tablebase_cache: arguments.tablebase_cache << 20,
        evaluation: arguments.evaluation.evaluation()?,
        ..arguments.settings.clone()
    };
    let stop = signals::watch("games")?;
    let (wanted, _) = settings.target.of(Default::default());
    let unit = settings.target.positions.map_or("games", |_| "positions");
    let bar = progress_bar(wanted, unit);
    let before = OnceLock::new();
    let done = selfplay::play(&settings, &arguments.out, &stop, &|progress| {
        bar.set_position(settings.target.of(progress).1);
        if before.set(progress).is_ok() {
            // Games already in the file do not count for the rate.
            bar.reset_eta();
        }
    })?;
    bar.finish_and_clear();
    let before = before.get().copied().unwrap_or_default();
    writeln!(
        stdout(),
        "{}: {} {} with {} {}, {} of them new",
        arguments.out.display(),
        HumanCount(done.games),
        plural(done.games, "game", "games"),
        HumanCount(done.positions),
        plural(done.positions, "position", "positions"),
        HumanCount(done.positions - before.positions)
    )?;
    match settings.target.is_reached(done) {
        true => Ok(()),
        false => Err(Failure::to_go_on(false)),
    }
}
