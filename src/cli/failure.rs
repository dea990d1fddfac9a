//! What can go wrong in a command.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use vato::book::BookError;
use vato::counted;
use vato::network::NetworkError;
use vato::notation::pgn::ReplayError;
use vato::notation::{FenError, MoveTextError};
use vato::openings::GenerateError;
use vato::play::FileError;
use vato::rules::{IllegalMove, ParseRulesError, PerftError};
use vato::search::SearchError;
use vato::stats::StatsError;
use vato::tablebase::TablebaseError;
use vato::tournament::settings::SettingError;
use vato::tournament::tuning::TuneError;
use vato::tournament::{MatchError, MergeError};
use vato::training::TrainingError;
use vato::training::data::DataError;

/// Why a command failed; the exit code is 1.
#[derive(Debug, Error)]
pub enum Failure {
    /// A rules string or preset that does not exist.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// A FEN that is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of `--moves` that is malformed or illegal; moves count from 1.
    #[error("--moves, number {number}: {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveTextError,
    },
    /// A move that its own path allows and the game does not.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// No memory or no threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// No threads for a perft.
    #[error(transparent)]
    Perft(#[from] PerftError),
    /// A session that could not begin or go on.
    #[error("the session failed: {0}")]
    Session(io::Error),
    /// No threads for the games.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
    /// A result that could not be put into JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A file or standard input that cannot be read.
    #[error("cannot read {name}: {error}")]
    Input {
        /// Which one.
        name: String,
        /// Why not.
        error: io::Error,
    },
    /// Game records that are not right.
    #[error("{wrong} of {} not right", counted(*games, "game record", "game records"))]
    WrongGames {
        /// How many of them.
        wrong: u64,
        /// How many there are.
        games: u64,
    },
    /// Games that are left, and why.
    #[error("{failure}; go on with --games {rest}")]
    GamesLeft {
        /// What has ended the work.
        failure: Box<Failure>,
        /// Their numbers.
        rest: String,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Play(#[from] FileError),
    /// A game whose record does not replay.
    #[error("{path}: {error}", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        error: ReplayError,
    },
    /// A match that cannot begin or go on.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Parts of a match that cannot be joined.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A setting of a match that cannot be.
    #[error(transparent)]
    Setting(SettingError),
    /// A file of settings that does not read.
    #[error("{path}: {error}", path = path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        error: Box<toml::de::Error>,
    },
    /// Signals cannot be listened to.
    #[error("cannot listen to signals: {0}")]
    Signals(io::Error),
    /// The path of this program is not to be had.
    #[error("cannot find this program's own file: {0}")]
    ThisProgram(io::Error),
    /// A book that could not be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// An opening book that cannot be built or read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Figures that could not be had.
    #[error(transparent)]
    Insight(#[from] StatsError),
    /// Training data that cannot be made or read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A network that cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Tables that cannot be built or opened.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// Tables that are not right.
    #[error(
        "{} in {}",
        counted(*wrong, "difference", "differences"),
        counted(*values, "value", "values")
    )]
    WrongTables {
        /// How many differences.
        wrong: u64,
        /// How many values were checked.
        values: u64,
    },
    /// A file that was found damaged when it was read; the text names it.
    #[error("{0}")]
    DamagedTable(String),
    /// A position that is not in the tables.
    #[error(
        "the position is not in the tables: {}",
        if *first_turn {
            "first turns are played by other rules".to_owned()
        } else {
            format!("it has {stones} stones, and they have at most {most}")
        }
    )]
    NotInTables {
        /// Its stones.
        stones: u32,
        /// The most that the tables have.
        most: u32,
        /// Whether it is a first turn that is played by other rules.
        first_turn: bool,
    },
    /// A network that could not be trained.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// Numbers that could not be tuned.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// One file for two things.
    #[error("{path}: all that is read and all that is written want a file each", path = path.display())]
    SameFile {
        /// The file.
        path: PathBuf,
    },
    /// A plot that could not be drawn.
    #[error("cannot draw the plot: {0}")]
    Plot(String),
    /// A file that does not take what is written.
    #[error("cannot write {path}: {error}", path = path.display())]
    OutputFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Standard output does not take what is written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Whether the reader of standard output has gone away.
    pub fn is_closed_pipe(&self) -> bool {
        let kind = match self {
            Failure::Session(error) | Failure::Output(error) => Some(error.kind()),
            Failure::Json(error) => error.io_error_kind(),
            _ => None,
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    }
}
