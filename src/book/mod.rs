//! The engine's own opening book: what it plays without a search, where searches that were made
//! beforehand have said enough.
//!
//! [`build()`] makes a book by long searches, [`Book`] is a book that was read and answers for the
//! engine. (What games of a *match* begin with are [`openings`](crate::openings).) Knows the notation and
//! the search.
//!
//! # What is in a book
//!
//! Positions, each searched once, with the scores that the search gave to its best moves. A move that
//! leads on to a position of the book is worth what that position is worth for the opponent, and so on
//! back to the start (negamax), so that a search of the tenth ply corrects what the one of the first
//! thought. All of this follows from what the searches said, and only that is in the file.
//!
//! Positions that are images of one another under a symmetry of the board are one: every rule treats
//! all directions and all corners alike, whatever the rules are. Colours are not exchanged, for first
//! turns and the vela tell White from Black. How a position came about, its counter of quiet plies
//! included, is not part of it.
//!
//! # How a book grows
//!
//! By drop-out expansion (T. R. Lincke, *Strategies for the Automatic Construction of Opening Books*,
//! 2000): the position that is searched next is the one that a game is most likely to reach. Each ply on
//! the way to it counts, and each hundredth of a stone that a move on the way gives away, so that the main
//! line is followed far and a move is looked into the later the worse it is. The side that the book is
//! for plays only moves within a small margin of the best; its opponent may play all that is within a
//! larger one. A book for both sides is one for White and one for Black together.

#[cfg(feature = "tools")]
mod build;
mod error;
mod file;
mod graph;
mod header;
mod key;
mod probe;
#[cfg(feature = "tools")]
mod searching;
#[cfg(feature = "tools")]
mod walk;
mod weights;

#[cfg(feature = "tools")]
pub use build::{BuildEnding, BuildSettings, Built, build};
pub use error::BookError;
pub use header::{
    BookHeader, BookSide, MOST_MARGIN, MOST_MOVES, MOST_PLIES, MOST_POSITIONS, SearchLimit,
};
pub use probe::{Book, BookMove, MoveCounts};
#[cfg(feature = "tools")]
pub use walk::BookPosition;
pub use weights::{choose, weight};
