//! Why a suite of openings cannot be opened.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::OpeningError;
use super::random_lines::{FURTHEST_START, MOST_PLIES};
use crate::board::BoardSize;
use crate::text::printable;

/// The most characters of a path that an error shows.
const SHOWN: usize = 200;

/// Why a suite cannot be opened. Lines and games count from 1.
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
    /// An opening that does not read, or cannot be played.
    #[error("{place}: {problem}")]
    Opening {
        /// The file or the built-in suite, the line, the number of the game.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A file without openings.
    #[error("{0} has no openings")]
    Empty(String),
    /// A suite for another board.
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
    /// A first opening that the suite does not have.
    #[error("start {start}: the suite has the openings 1 to {count}")]
    Start {
        /// The one wanted.
        start: u32,
        /// How many there are.
        count: usize,
    },
    /// A first random opening that would take too long to find.
    #[error("start {0}: expected 1 to {FURTHEST_START}")]
    RandomStart(u32),
}

impl OpeningSuiteError {
    /// Whether the file is at fault; else the settings do not fit the rules or each other.
    pub(crate) fn is_of_a_file(&self) -> bool {
        use OpeningSuiteError::{Empty, Input, Opening};
        matches!(self, Input { .. } | Opening { .. } | Empty(_))
    }
}

/// A path in a message.
pub(super) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy(), SHOWN)
}
