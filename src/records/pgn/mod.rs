//! Game records as text: PGN, the Portable Game Notation of chess, with Fanorona's moves.
//!
//! ```text
//! [Event "Friday"]
//! [Site "?"]
//! [Date "2026.05.01"]
//! [Round "1"]
//! [White "Rabe"]
//! [Black "Ranaivo"]
//! [Result "*"]
//! [Variant "tsivy"]
//! [Rules "board=9x5 capture=forced … vela=off"]
//!
//! 1. f2-e3A {+0.79/9 0.84s} 1... d5-d4A {-0.35/9 0.71s} *
//! ```
//!
//! Besides the Seven Tag Roster: `Variant`, a preset's name; `Rules`, a rules string, which takes
//! precedence over `Variant`; `SetUp` and `FEN` if the game does not begin at the start position of its
//! rules; `Termination`, the reason of an end not due to the rules.
//!
//! [`PgnReader`] accepts the usual deviations of chess programs and hand-written files; [`GameRecord`]
//! writes the export format of the standard (S. J. Edwards, "Portable Game Notation Specification and
//! Implementation Guide", 1994), which reads back as an equal record.

use std::io;

use thiserror::Error;

mod check;
mod reader;
mod record;
mod result;
mod source;
mod tokens;
mod writer;

pub use source::{Source, push_text, require_text};

pub use check::RecordFault;
pub use reader::PgnReader;
pub use record::{GameRecord, RecordedMove, Tag, Variation};
pub use result::{Nag, RecordResult, Termination, move_comment};

/// The maximum size of one game for a [`PgnReader`], in bytes: 16 MiB.
pub const MAX_GAME_BYTES: usize = 16 << 20;
const TOO_LONG: &str = "the game has more than 16 MiB of text";
const _: () = assert!(MAX_GAME_BYTES == 16 << 20);

/// The maximum number of moves (plies) of a [`GameRecord`]; for a [`PgnReader`] with those of all variations.
pub const MAX_MOVES: usize = 100_000;

/// The maximum number of variations around a move for a [`PgnReader`].
pub const MAX_NESTING: usize = 64;

/// The maximum number of tags of a [`GameRecord`].
pub const MAX_TAGS: usize = 1000;
const TOO_MANY_TAGS: &str = "the game has more than 1000 tags";
const _: () = assert!(MAX_TAGS == 1000);

const READ_ERROR: &str = "read error: ";

/// A game that cannot be read, or of which a move is illegal. The reader continues with the next one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1; 0 if it is not known.
    pub line: u64,
    /// The players of the game as far as known, for messages: `Rabe – ?`.
    pub players: String,
    /// What is wrong.
    pub problem: String,
    /// Whether that is an error of the input, with which reading ends.
    pub is_input: bool,
}

impl PgnError {
    /// A fault of a game that could be read.
    pub fn of(record: &GameRecord, fault: RecordFault) -> PgnError {
        PgnError {
            line: fault.line.or(record.line()).unwrap_or_default(),
            players: record.players(),
            problem: fault.problem,
            is_input: false,
        }
    }

    /// Something that is no game, of players that are not known.
    pub fn no_game(line: u64, problem: impl Into<String>) -> PgnError {
        PgnError {
            line,
            players: "? – ?".to_owned(),
            problem: problem.into(),
            is_input: false,
        }
    }

    /// An error of the input in this line, with which reading ends.
    pub fn of_input(line: u64, error: &io::Error) -> PgnError {
        PgnError {
            is_input: true,
            ..PgnError::no_game(line, format!("{READ_ERROR}{error}"))
        }
    }

    /// The error of the input.
    pub fn input(&self) -> io::Error {
        let problem = self.problem.strip_prefix(READ_ERROR);
        io::Error::other(problem.unwrap_or(&self.problem))
    }

    /// A message about it, with the name of the file and the number of the game there.
    pub fn of_game(&self, file: &str, number: u64) -> String {
        let (line, players, problem) = (self.line, &self.players, &self.problem);
        format!("{file}:{line}: game {number} ({players}): {problem}")
    }
}
