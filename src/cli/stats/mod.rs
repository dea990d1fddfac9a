//! `vato stats`: statistics of games and searches.

mod tables;

use std::io::Write;

use clap::Args;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::{Control, MAX_DEPTH, SearchSettings};
use vato_tools::openings::{Effort, OpeningSettings, OpeningSource};
use vato_tools::stats::{self, StatsSettings};

use super::support::arguments::{EvaluationArguments, mebibytes, number};
use super::support::failure::{Failure, stdout};
use super::support::progress::progress_bar;
use super::support::resources::threads;

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
#[command(after_help = "Examples:
  vato stats
  vato stats --games 20 --nodes 5000 --threads 2
  vato stats --openings sharp --depth 12 --json
  vato stats --rules full-chain

Progress goes to standard error. The tables are Markdown; percentages are of what their heading names.")]
pub struct Arguments {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = StatsSettings::default().games, value_parser = number::<u32>(1..))]
    games: u32,

    #[command(flatten)]
    effort: EffortArguments,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    /// start, riatra, balanced, sharp, random, or a file of FENs or (.pgn) of games
    #[arg(long, value_name = "SUITE", default_value = "random")]
    openings: OpeningSource,

    /// Plies of a random opening, or of a game in a file, that are played [default: 2 if random]
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    plies: Option<u32>,

    /// Seed of random openings
    #[arg(long, value_name = "X", default_value_t = 0, value_parser = number::<u64>(..))]
    seed: u64,

    /// Games at a time
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    threads: u64,

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

/// At most one of the two.
#[derive(Args, Debug)]
#[group(multiple = false)]
struct EffortArguments {
    /// Nodes to search for each move [default: 20000]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: Option<u64>,

    /// Search to this depth for each move, in plies
    #[arg(long, value_name = "D", value_parser = number::<u32>(1..=u64::from(MAX_DEPTH)))]
    depth: Option<u32>,
}

impl Arguments {
    fn settings(&self) -> Result<StatsSettings, Failure> {
        let effort = match (self.effort.nodes, self.effort.depth) {
            (_, Some(depth)) => Effort::Depth(depth),
            (Some(nodes), None) => Effort::Nodes(nodes),
            (None, None) => StatsSettings::default().effort,
        };
        let random = self.openings == OpeningSource::Random;
        Ok(StatsSettings {
            games: self.games,
            effort,
            rules: self.rules,
            openings: OpeningSettings {
                seed: self.seed,
                plies: self
                    .plies
                    .or(random.then_some(StatsSettings::DEFAULT_PLIES)),
                ..OpeningSettings::new(self.openings.clone())
            },
            threads: self.threads as usize,
            hash_mib: self.hash as usize,
            evaluation: self.evaluation.evaluation()?,
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = arguments.settings()?;
    let bar = progress_bar(u64::from(settings.games), "games");
    let figures = stats::play(&settings, &Control::new(), &|games| bar.set_position(games))?;
    bar.finish_and_clear();
    let mut out = stdout();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&figures)?)?;
    } else {
        let tables = tables::tables(&figures);
        let text = if arguments.csv {
            tables.csv()?
        } else {
            tables.text
        };
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
