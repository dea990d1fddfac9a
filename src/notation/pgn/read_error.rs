//! What can be wrong with the text of a record.

use std::io;

use thiserror::Error;

use super::{MAX_GAME_BYTES, MAX_MOVES, MAX_TAGS, RecordResult};

/// A game whose text cannot be read. The reader can go on with the next one.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: u64,
    /// The players of the game in short, as far as they are known: `Rabe – ?`.
    pub players: String,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// What is wrong with the text of a game.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// The text cannot be had; nothing follows.
    #[error("cannot read on: {0}")]
    Input(#[from] io::Error),
    /// `[` without the name of a tag.
    #[error("'[' needs a name of a tag after it, not '{0}'")]
    TagName(String),
    /// A tag without a value in quotes.
    #[error("the tag {0} needs a value in double quotes")]
    TagValue(String),
    /// A tag without an end.
    #[error("the tag {0} does not end with '\"]' on its line")]
    TagEnd(String),
    /// Something that is no part of a game.
    #[error("unexpected '{0}'")]
    Unexpected(String),
    /// A result where no game is.
    #[error("the result {0} belongs to no game")]
    StrayResult(RecordResult),
    /// A comment without an end.
    #[error("the comment that begins here is not closed with '}}'")]
    UnclosedComment,
    /// A variation without an end.
    #[error("the variation that begins here is not closed with ')'")]
    UnclosedVariation,
    /// More text than [`MAX_GAME_BYTES`].
    #[error("the game has more than {} MiB of text", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// More moves than [`MAX_MOVES`].
    #[error("the game has more than {MAX_MOVES} moves")]
    TooManyMoves,
    /// More tags than [`MAX_TAGS`].
    #[error("the game has more than {MAX_TAGS} tags")]
    TooManyTags,
}
