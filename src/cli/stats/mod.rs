//! `vato stats`: statistics of games and searches.

mod tables;

use clap::Args;
use vato_engine::book::SearchLimit;
use vato_engine::search::{Control, SearchSettings};
use vato_tools::openings::{OpeningSettings, OpeningSource};
use vato_tools::stats::{self, StatsSettings};

use super::support::arguments::{Effort, EvaluationArguments, mebibytes, number};
use super::support::failure::{Failure, print};
use super::support::present::Format;
use super::support::progress::progress_bar;

/// Play games and show statistics of them and of the searches
///
/// The program plays itself and counts, phase by phase: legal turns and their length, compulsory
/// captures, how score and best move change from depth to depth, how fast the tree grows. Built with
/// the feature `stats` (cargo build --release --features stats) it also counts search events:
/// nodes by kind, cutoffs by the first move and by the table's move, hits and replacements of the
/// transposition table. Without the feature the counters are not compiled in.
///
/// The same options give the same figures, whatever the number of threads.
#[derive(Args, Debug)]
#[command(mut_arg("nodes", |nodes| nodes.help("Nodes to search for each move [default: 20000]")))]
#[command(after_help = "Examples:
  vato stats
  vato stats --games 20 --nodes 5000 --threads 2
  vato stats --openings sharp --depth 12 --json
  vato stats --rules full-chain

Progress goes to standard error. The tables are Markdown; percentages are of what their heading names.")]
pub struct Arguments {
    #[command(flatten)]
    settings: StatsSettings,

    #[command(flatten)]
    effort: Effort,

    /// start, riatra, balanced, sharp, random, or a file of FENs or (.pgn) of games
    #[arg(long, value_name = "SUITE", default_value = "random")]
    openings: OpeningSource,

    /// Plies of a random opening, or of a game in a file, that are played [default: 2 if random]
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    plies: Option<u32>,

    /// Seed of random openings
    #[arg(long, value_name = "X", default_value_t = 0, value_parser = number::<u64>(..))]
    seed: u64,

    /// Size of the transposition table of each game, in MiB
    #[arg(long, value_name = "MB", default_value_t = SearchSettings::DEFAULT_HASH_MIB as u64, value_parser = mebibytes(1))]
    hash: u64,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// All sums as one JSON object
    #[arg(long)]
    json: bool,

    /// The tables as CSV, a row for each figure
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Arguments {
    fn settings(&self) -> Result<StatsSettings, Failure> {
        let limit = SearchLimit::of(self.effort.depth, self.effort.nodes, None);
        let random = self.openings == OpeningSource::Random;
        Ok(StatsSettings {
            limit: limit.unwrap_or(self.settings.limit),
            openings: OpeningSettings {
                seed: self.seed,
                plies: (self.plies).or(random.then_some(StatsSettings::DEFAULT_PLIES)),
                ..OpeningSettings::new(self.openings.clone())
            },
            hash_mib: self.hash as usize,
            evaluation: self.evaluation.evaluation()?,
            ..self.settings.clone()
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = arguments.settings()?;
    let bar = progress_bar(u64::from(settings.games), "games");
    let figures = stats::play(&settings, &Control::new(), &|games| bar.set_position(games))?;
    bar.finish_and_clear();
    match Format::of(arguments.json, arguments.csv) {
        Format::Json => print(serde_json::to_string(&figures)? + "\n"),
        Format::Csv => print(tables::tables(&figures).csv()?),
        _ => print(tables::tables(&figures).text),
    }
}
