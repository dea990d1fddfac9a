//! The options for whole games.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::output::Outputs;
use super::selection::{Numbers, Selection};

/// Which games are analysed, and what comes of it.
#[derive(Args, Debug)]
pub struct GameArguments {
    /// Analyse whole games: a file of game records (PGN); - is standard input
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Games",
        conflicts_with_all = ["fen", "rules", "moves", "multipv", "ascii"],
    )]
    pub pgn: Option<PathBuf>,

    /// New file for the annotated games, beside what goes to standard output
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Games",
        requires = "pgn",
        value_parser = PathBufValueParser::new().try_map(new_file),
    )]
    pub pgn_out: Option<PathBuf>,

    /// What goes to standard output: tables, annotated games, or JSON (as with --json)
    #[arg(
        long,
        value_name = "FORMAT",
        help_heading = "Games",
        value_enum,
        default_value_t = Format::Text,
        requires = "pgn",
        conflicts_with = "json",
    )]
    format: Format,

    /// Only the games with these numbers, the first of the file being 1: 3,5-7,20-
    #[arg(long, value_name = "NUMBERS", help_heading = "Games", requires = "pgn")]
    games: Option<Numbers>,

    /// Only games of a player whose name contains this, in whatever case
    #[arg(long, value_name = "NAME", help_heading = "Games", requires = "pgn")]
    player: Option<String>,

    /// Games at a time [default: processors / threads]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Games",
        value_parser = clap::value_parser!(u16).range(1..=1024),
        requires = "pgn",
    )]
    concurrency: Option<u16>,
}

/// A file beside standard output, which is none.
fn new_file(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path == Path::new("-") {
        true => Err("annotated games go to standard output with --format pgn"),
        false => Ok(path),
    }
}

/// What the analysis of a game is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people.
    Text,
    /// The game record with annotations.
    Pgn,
    /// An object on one line.
    Json,
}

impl GameArguments {
    /// What is to be written.
    pub fn outputs(&self, json: bool) -> Outputs {
        Outputs {
            shown: if json { Format::Json } else { self.format },
            writes_file: self.pgn_out.is_some(),
        }
    }

    /// Which games are wanted.
    pub fn selection(&self) -> Selection {
        Selection::new(self.games.clone(), self.player.as_deref())
    }

    /// Games at a time, where each takes so many threads.
    pub fn games_at_a_time(&self, threads: u64) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or_else(
            || (processors / threads.max(1) as usize).max(1),
            usize::from,
        )
    }
}
