//! Why openings cannot be had.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::OpeningError;
use super::random_lines::{FURTHEST_START, MOST_PLIES};
use crate::board::BoardSize;
use crate::excerpt::printable;
use crate::notation::FenError;
use crate::notation::pgn::{PgnProblem, RecordError, ReplayProblem};

/// The most characters of a path that an error shows.
const SHOWN: usize = 200;

/// Why a book cannot be opened. Lines and games count from 1.
#[derive(Debug, Error)]
pub enum OpeningSuiteError {
    /// The file cannot be read.
    #[error("cannot read the openings of {file}: {error}")]
    Input {
        /// The file.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// A line of positions that is none, or one that cannot be played from.
    #[error("{file}, line {line}: {problem}")]
    Position {
        /// The file, or the name of a built-in book.
        file: String,
        /// The line.
        line: usize,
        /// What is wrong there.
        problem: PositionProblem,
    },
    /// A game record that cannot be read or played.
    #[error("{file}, {}game {number}: {problem}", line_prefix(*.line))]
    Game {
        /// The file.
        file: String,
        /// The line, where one is to blame.
        line: Option<u64>,
        /// Which game of the file.
        number: usize,
        /// What is wrong there.
        problem: GameProblem,
    },
    /// A file without openings.
    #[error("{file} has no openings")]
    Empty {
        /// The file.
        file: String,
    },
    /// A built-in book for another board.
    #[error("the openings '{name}' are for the board 9x5, not for {board}")]
    Board {
        /// The name of the openings.
        name: &'static str,
        /// The board of the rules.
        board: BoardSize,
    },
    /// The start position or a named opening cannot be played under the rules.
    #[error("the opening '{name}' cannot be played under these rules: {error}")]
    Named {
        /// The name of the opening.
        name: &'static str,
        /// Why not.
        error: OpeningError,
    },
    /// A number of plies where openings are positions.
    #[error("plies is for random openings and for game records, not for '{0}'")]
    PliesUnused(String),
    /// More random plies than anybody wants.
    #[error("{0} random plies are too many (at most {MOST_PLIES})")]
    TooManyPlies(u32),
    /// No game lasts as long as the openings should.
    #[error("no opening found: games under these rules are over within {0} random plies")]
    NoRandomOpening(u32),
    /// A first opening that the book does not have.
    #[error("start {start}: the book has the openings 1 to {count}")]
    Start {
        /// The one wanted.
        start: u32,
        /// How many there are.
        count: usize,
    },
    /// A first random opening that would take too long to find.
    #[error("start {0}: want a number from 1 to {FURTHEST_START}")]
    RandomStart(u32),
}

/// What is wrong with a position of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionProblem {
    /// It does not read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The game is over.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// What is wrong with a game record as an opening.
#[derive(Debug, Error)]
pub enum GameProblem {
    /// It does not read.
    #[error(transparent)]
    Read(PgnProblem),
    /// A game on another board.
    #[error("played on the board {found}, but the rules want {wanted}")]
    Board {
        /// The board of the record.
        found: BoardSize,
        /// The board of the rules.
        wanted: BoardSize,
    },
    /// It has no room for the tag that says the rules.
    #[error(transparent)]
    Tags(RecordError),
    /// It cannot be replayed under the rules.
    #[error(transparent)]
    Replay(Box<ReplayProblem>),
    /// The opening is the whole game.
    #[error("{error} after ply {plies}: want fewer plies")]
    Opening {
        /// Why nothing is left to play.
        error: OpeningError,
        /// How many plies were played.
        plies: usize,
    },
}

/// The words of an error that name the line.
fn line_prefix(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}, "))
}

/// A path in a message.
pub(super) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy(), SHOWN)
}
