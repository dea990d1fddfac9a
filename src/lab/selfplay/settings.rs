//! Self-play settings.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::TrainingError;
use crate::data::{Contents, Header, Origin};
use vato_engine::eval::Evaluation;
use vato_engine::memory::processors;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::MAX_THREADS;
use vato_engine::tablebase::{TableFolders, Tablebases};
use vato_engine::text::number;
use vato_tools::{openings::MOST_PLIES, tournament::settings::SettingsError};

/// The target: one of the two.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[group(required = true, multiple = false)]
pub struct Target {
    /// Stop when the file holds this many games
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    pub games: Option<u64>,
    /// Stop when the file holds this many positions
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    pub positions: Option<u64>,
}

impl Target {
    /// The number, and how far a file with these contents has come to it.
    pub fn of(self, contents: Contents) -> (u64, u64) {
        match (self.games, self.positions) {
            (_, Some(positions)) => (positions, contents.positions),
            (games, None) => (games.unwrap_or_default(), contents.games),
        }
    }

    /// Whether a file holds enough.
    pub fn is_reached(self, contents: Contents) -> bool {
        let (wanted, there) = self.of(contents);
        there >= wanted
    }
}

/// Settings of a run; most of them are the options of the command line.
#[derive(Args, Clone, Debug)]
pub struct SelfPlaySettings {
    /// When to stop, what the file held before included.
    #[command(flatten)]
    pub target: Target,
    /// Nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Random plies at the start of a game: minimum..maximum
    #[arg(long, value_name = "A..B", default_value = "4..12", value_parser = range)]
    pub random_plies: [u32; 2],
    /// Maximum absolute score of an opening, in centi-stones
    // By a search of so many nodes as a move.
    #[arg(long, value_name = "S", default_value_t = 200, value_parser = number::<i32>(0..))]
    pub opening_score: i32,
    /// Side positions for each position with captures or many stones: one to three random plies off the
    /// game, searched but not played out
    // They are like those that a search evaluates, most of which no sensible game ever reaches.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = number::<u32>(..=100))]
    pub asides: u32,
    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = |text: &str| parse_rules(text))]
    pub rules: Rules,
    /// Seed of the openings
    #[arg(long, value_name = "X", default_value_t = 0, value_parser = number::<u64>(..))]
    pub seed: u64,
    /// Concurrent games [default: one for each processor]
    #[arg(
        long,
        value_name = "T",
        default_value_t = processors().min(MAX_THREADS),
        hide_default_value = true,
        value_parser = number::<usize>(1..=MAX_THREADS as u64),
    )]
    pub threads: usize,
    /// Folder of tablebases; may be given several times
    // Beside those that are built in.
    #[arg(long, value_name = "DIR")]
    pub tablebases: Vec<PathBuf>,
    /// Memory for what was read from tablebases, in bytes.
    #[arg(skip = Tablebases::DEFAULT_CACHE_BYTES)]
    pub tablebase_cache: u64,
    /// The evaluation.
    #[arg(skip)]
    pub evaluation: Evaluation,
}

/// Parses `4..12`; `8` is `8..8`.
fn range(text: &str) -> Result<[u32; 2], String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok([least, most]),
        _ => Err(format!(
            "'{text}', expected two numbers such as 4..12, the smaller first"
        )),
    }
}

impl SelfPlaySettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let [least, most] = self.random_plies;
        match least <= most && most <= MOST_PLIES {
            true => Ok(()),
            false => Err(SettingsError::new(format!(
                "from {least} to {most} random plies: expected the smaller number first, and at most \
                 {MOST_PLIES}"
            ))),
        }
    }

    /// The tables that end games; `None` under rules that there are none for.
    pub(super) fn tablebases(&self) -> Result<Option<Arc<Tablebases>>, TrainingError> {
        let folders = TableFolders::of(self.tablebases.clone());
        let cache = self.tablebase_cache;
        match Tablebases::for_play(&self.rules, &folders, cache, self.threads, &|| true) {
            // Rules without tables are played to the end.
            Err(_) if self.tablebases.is_empty() => Ok(None),
            Err(error) | Ok((_, Some(error))) => Err(error.into()),
            Ok((tables, None)) => Ok(Some(Arc::new(tables))),
        }
    }

    pub(super) fn header(&self, tables: Option<&Tablebases>) -> Header {
        Header {
            rules: self.rules.to_string(),
            origins: vec![Some(Origin {
                program: concat!("vato ", env!("CARGO_PKG_VERSION")).to_owned(),
                evaluation: self.evaluation.name_for(&self.rules),
                nodes: self.nodes,
                random_plies: self.random_plies,
                opening_score: self.opening_score,
                asides: self.asides,
                adjudicated_stones: tables.map_or(0, Tablebases::stones),
                seed: self.seed,
            })],
            shuffled: false,
        }
    }
}
