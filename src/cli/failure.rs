//! What can go wrong in a command.

use std::io;

use thiserror::Error;
use vato::notation::{FenError, MoveTextError};
use vato::rules::{IllegalMove, ParseRulesError, PerftError};
use vato::search::SearchError;

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
    /// A result that could not be put into JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
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
