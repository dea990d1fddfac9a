//! The engine's own opening book: positions searched beforehand, whose moves are played without a search.
//!
//! [`build()`] makes a book by long searches; [`Book`] is a book read from a file, probed by the engine.
//! (Openings of the games of a match are of the tools.) Depends on the notation and the search.
//!
//! # Content of a book
//!
//! Positions, each searched once, with the search scores of their best moves. A move that leads to another
//! position of the book gets that position's score by negamax, back to the start position, so that deeper
//! searches later in the book correct earlier scores. The file has only the search scores; the rest is
//! derived from them.
//!
//! Positions that are images of one another under a symmetry of the board are one entry: all rules are
//! symmetric. Colours are not exchanged, because first turns and the vela distinguish White from Black.
//! The history of a position, including its counter of quiet plies, is not part of it.
//!
//! # Growth of a book
//!
//! By drop-out expansion (T. R. Lincke, *Strategies for the Automatic Construction of Opening Books*,
//! 2000): the position searched next is the one that a game is most likely to reach. Its priority counts
//! each ply on the way to it and each hundredth of a stone that a move on the way gives away, so that the
//! main line is extended far, and worse moves are expanded later. The book's side plays only moves within
//! a small margin of the best; its opponent may play all within a larger one. A book for both sides
//! combines one for White and one for Black.

mod build;
mod file;
mod graph;
mod header;
mod probe;
mod walk;
mod weights;

pub use build::{BuildEnding, BuildSettings, Built, build};
pub use header::{
    BookHeader, BookSide, MOST_MARGIN, MOST_MOVES, MOST_PLIES, MOST_POSITIONS, SearchLimit,
};
pub use probe::{Book, BookMove, MoveCounts};
pub use walk::BookPosition;
pub use weights::{choose, weight};

use thiserror::Error;

use crate::container::ContainerError;
use crate::memory::ResourceError;

/// Why a book cannot be built or read.
#[derive(Debug, Error)]
pub enum BookError {
    /// An I/O error, or invalid content.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// A number that is out of range, or other settings than those of the book that is there.
    #[error("{0}")]
    Setting(String),
    /// No memory or threads for the searches.
    #[error(transparent)]
    Resources(#[from] ResourceError),
}
