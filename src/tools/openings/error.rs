//! Errors of opening suites.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::OpeningError;
use super::random_lines::{FURTHEST_START, MOST_PLIES};
use vato_engine::board::BoardSize;
use vato_engine::text::printable;

/// The maximum length of a path in an error message, in characters.
const SHOWN: usize = 200;

/// Why a suite cannot be opened. Lines and games count from 1.
#[derive(Debug, Error)]
pub enum OpeningSuiteError {
    /// The file cannot be read.
    #[error("cannot read the openings of {file}: {error}")]
    Input {
        /// The file.
        file: String,
        /// The system's error.
        error: io::Error,
    },
    /// A malformed or illegal opening.
    #[error("{place}: {problem}")]
    Opening {
        /// The file or built-in suite, the line, the number of the game.
        place: String,
        /// What is wrong.
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
        /// The reason.
        error: OpeningError,
    },
    /// A number of plies for a source whose openings are positions.
    #[error("plies is for random openings and for game records, not for '{0}'")]
    PliesUnused(String),
    /// Too many random plies.
    #[error("{0} random plies are too many (at most {MOST_PLIES})")]
    TooManyPlies(u32),
    /// Every game is over within the number of plies.
    #[error("no opening found: games under these rules are over within {0} random plies")]
    NoRandomOpening(u32),
    /// A start index beyond the end of the suite.
    #[error("start {start}: the suite has the openings 1 to {count}")]
    Start {
        /// The start index given.
        start: u32,
        /// The number of openings.
        count: usize,
    },
    /// A start index of random openings that would take too long to generate.
    #[error("start {0}: expected 1 to {FURTHEST_START}")]
    RandomStart(u32),
}

impl OpeningSuiteError {
    /// Whether the file is at fault; else the settings do not fit the rules or each other.
    #[must_use]
    pub fn is_of_a_file(&self) -> bool {
        use OpeningSuiteError::{Empty, Input, Opening};
        matches!(self, Input { .. } | Opening { .. } | Empty(_))
    }
}

/// A path, shortened for messages.
pub(super) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy(), SHOWN)
}
