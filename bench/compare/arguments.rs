//! The arguments of the comparison.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use vato_engine::protocol::{Dialect, GoCommand, SetOption};
use vato_engine::search::MAX_DEPTH;

/// How to use the comparison, in one line.
pub const USAGE: &str = "compare: not run, for it needs two engines: \
                         cargo bench --bench compare -- --before CMD --after CMD (more: --help)";

/// Compare two builds, or two settings, of an engine in one run
///
/// Both engines search the same positions to the same depths, one after the other, in several rounds,
/// each search with nothing learned before, and without tablebases unless an option says otherwise. As both meet the same machine at the same time, the ratios
/// that are printed say more than figures of two runs.
///
/// Paths are seen from the folder of the package, wherever cargo is called.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "compare",
    bin_name = "cargo bench --bench compare --",
    after_help = "Ratios are after by before: above 1 means more nodes a second, more time, more nodes.
Every figure of a position is the median over the rounds, every ratio of several positions the
geometric mean. Behind ± stands its standard error, from how much the positions differ.

The branching factor is the geometric mean of n(d) / n(d-1) over the last 6 iterations of a search,
n(d) being the nodes spent in all when depth d was completed.

Examples:
  cargo bench --bench compare -- --before old/vato --after target/release/vato
  cargo bench --bench compare -- --before vato --after vato --after-option Threads=2"
)]
pub struct Arguments {
    /// Command line of the engine that is compared with
    #[arg(long, value_name = "CMD")]
    pub before: String,

    /// Command line of the engine that is compared
    #[arg(long, value_name = "CMD")]
    pub after: String,

    /// Option for the one before; can be said again
    #[arg(long = "before-option", value_name = "NAME=VALUE", value_parser = option)]
    pub before_options: Vec<SetOption>,

    /// Option for the one after; can be said again
    #[arg(long = "after-option", value_name = "NAME=VALUE", value_parser = option)]
    pub after_options: Vec<SetOption>,

    /// Search each position as deep as the engine before gets in so many milliseconds
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 300,
        conflicts_with = "depth",
        value_parser = clap::value_parser!(u64).range(1..=3_600_000),
    )]
    pub milliseconds: u64,

    /// Search every position to this depth
    #[arg(
        long,
        value_name = "PLIES",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)),
    )]
    pub depth: Option<u32>,

    /// How often each engine searches each position
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        value_parser = clap::value_parser!(u32).range(1..=10_000),
    )]
    pub rounds: u32,

    /// File with a position (FEN) a line, in place of those of `vato bench`
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,

    /// Language that both engines are spoken to in
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,

    /// Seconds that an engine may be silent beyond the time it was given
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..=86_400),
    )]
    patience: u64,

    /// Passed by `cargo bench` to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A language by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    Ugi,
    Uci,
}

impl Arguments {
    /// The arguments; `None` if they are not for this bench. `cargo bench` and `cargo test` run every
    /// bench, and say the same to each: only the engines tell that this one is meant.
    pub fn from_command_line() -> Option<Arguments> {
        let meant = std::env::args().skip(1).any(|argument| {
            argument.starts_with("--before")
                || argument.starts_with("--after")
                || argument == "--help"
                || argument == "-h"
        });
        meant.then(Arguments::parse)
    }

    /// The language that the engines are spoken to in.
    pub fn dialect(&self) -> Dialect {
        match self.protocol {
            Protocol::Ugi => Dialect::Ugi,
            Protocol::Uci => Dialect::Uci,
        }
    }

    /// How long an engine may be silent.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience)
    }

    /// The search that finds the depth of a position that is given none.
    pub fn calibration(&self) -> GoCommand {
        GoCommand {
            movetime: Some(self.milliseconds),
            ..GoCommand::default()
        }
    }
}

fn option(text: &str) -> Result<SetOption, String> {
    // Lines are what the protocol is made of.
    if text.contains(['\n', '\r']) {
        return Err("an option has one line".to_owned());
    }
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(SetOption {
            name: name.trim().to_owned(),
            value: Some(value.to_owned()),
        }),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
