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

pub use source::{push_text, require_text};

pub use check::RecordFault;
pub use reader::PgnReader;
pub use record::{GameRecord, RecordError, RecordedMove, Tag, Variation};
pub use result::{Nag, RecordResult, ScoreEntry, Termination, UnknownResult, move_comment};

/// The maximum size of one game for a [`PgnReader`], in bytes: 16 MiB.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The maximum number of moves (plies) of a [`GameRecord`]; for a [`PgnReader`] with those of all variations.
pub const MAX_MOVES: usize = 100_000;

/// The maximum number of variations around a move for a [`PgnReader`].
pub const MAX_NESTING: usize = 64;

/// The maximum number of tags of a [`GameRecord`].
pub const MAX_TAGS: usize = 1000;

/// A game that cannot be parsed. The reader continues with the next one.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: u64,
    /// The players of the game as far as known, for messages: `Rabe – ?`.
    pub players: String,
    /// What is wrong.
    pub problem: PgnProblem,
}

/// An error in the text of a game.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// An I/O error; reading ends.
    #[error("read error: {0}")]
    Input(#[from] io::Error),
    /// A character that is not valid in a game.
    #[error("unexpected '{0}'")]
    Unexpected(String),
    /// A result outside a game.
    #[error("the result {0} belongs to no game")]
    StrayResult(RecordResult),
    /// An unterminated comment.
    #[error("the comment that begins here is not closed with '}}'")]
    UnclosedComment,
    /// A variation before the first move of a line.
    #[error("the variation has no move before it")]
    EarlyVariation,
    /// More variations around a move than [`MAX_NESTING`].
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// An unterminated variation.
    #[error("the variation that begins here is not closed with ')'")]
    UnclosedVariation,
    /// More text than [`MAX_GAME_BYTES`].
    #[error("the game has more than {} MiB of text", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// More moves than [`MAX_MOVES`].
    #[error("the game has more than {MAX_MOVES} moves, those of variations included")]
    TooManyMoves,
    /// More tags than [`MAX_TAGS`].
    #[error("the game has more than {MAX_TAGS} tags")]
    TooManyTags,
}
