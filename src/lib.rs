//! Vato, a Fanorona engine.
//!
//! The rooms of this crate, from the ground up: each uses rooms that come before it, no others.
//! (`tests/library/architecture.rs` holds this list against the code, but for the crate's own tools, which any
//! room may use.)
//!
//! - [`board`]: points, sets of points, sizes, positions, hashing, symmetry. Uses nothing else.
//! - [`rules`]: rule sets, move generation, game history and outcome, perft. Uses `board`.
//! - [`notation`]: positions, moves, diagrams and game records as text. Uses `board`, `rules`.
//! - [`tablebase`]: perfect play with few stones: solving, files, looking up. Uses `board`, `rules`,
//!   `notation`.
//! - [`network`]: a trained evaluation: inputs, integers, files. Uses `board`.
//! - [`eval`]: what a position is worth without looking ahead. Uses `board`, `rules`, `network`.
//! - [`search`]: limits, table, ordering, workers, results. Uses `board`, `rules`, `notation`,
//!   `tablebase`, `network`, `eval`.
//! - [`solver`]: proofs of values: proof-number search, certificates, their checker. Uses `board`, `rules`,
//!   `notation`, `tablebase`, `network`, `eval`.
//! - [`book`]: the engine's own opening book: building it by long searches, files, answers. Uses `board`,
//!   `rules`, `eval`, `search`.
//! - [`engine`]: the searcher with its options, position, tablebases and book, and the benchmark. Uses
//!   `board`, `rules`, `notation`, `tablebase`, `network`, `eval`, `search`, `solver`, `book`.
//! - [`openings`]: openings that games of a match begin with: built in, from files, generated. Uses
//!   `board`, `rules`, `notation`, `eval`, `search`, `engine`.
//! - [`stats`]: what games and searches are made of: self-play with everything counted. Uses `board`,
//!   `rules`, `eval`, `search`, `engine`, `openings`.
//! - [`review`]: what the moves of a game were worth: losses, marks, accuracy. Uses `board`, `rules`,
//!   `network`, `search`, `engine`.
//! - [`pages`]: pages for browsers: reports of games and matches, the analysis board. Uses `board`, `rules`, `notation`,
//!   `review`.
//! - [`training`]: a network from games: self-play, files of positions, gradients, optimiser,
//!   checkpoints, calibration. Uses `board`, `rules`, `notation`, `tablebase`, `network`, `eval`,
//!   `search`, `engine`, `openings`.
//! - [`protocol`]: UGI and UCI: commands and answers as types, the session. Uses `board`, `rules`,
//!   `notation`, `tablebase`, `network`, `eval`, `search`, `engine`.
//! - [`tournament`]: engine against engine: processes, clocks, games, records, statistics. Uses `board`,
//!   `rules`, `notation`, `tablebase`, `search`, `openings`, `protocol`.
//! - [`games`]: collections of games: conditions, an index of positions, trees of moves. Uses `board`,
//!   `rules`, `notation`, `tournament`.
//! - [`play`]: a person against the engine: a game as a state machine, and the engine beside it. Uses
//!   `board`, `rules`, `notation`, `eval`, `search`, `engine`, `review`.
//! - [`gui`]: the analysis board in the browser: its server, positions, games, the engine. Uses `board`,
//!   `rules`, `notation`, `tablebase`, `eval`, `search`, `engine`, `review`, `pages`, `play`.
//!
//! The program's command line (`src/cli`) uses this library from outside, like any other program. Nothing
//! here reads standard input or prints.

#![deny(missing_docs, clippy::undocumented_unsafe_blocks)]
// The tools share much with the engine: without them some of it is unused.
#![cfg_attr(not(feature = "tools"), allow(dead_code, unused_imports))]

pub mod board;
pub mod book;
pub mod clock;
pub mod container;
pub mod engine;
pub mod eval;
pub mod files;
#[cfg(feature = "tools")]
pub mod games;
#[cfg(feature = "gui")]
pub mod gui;
mod memory;
pub mod network;
pub mod notation;
#[cfg(feature = "tools")]
pub mod openings;
#[cfg(feature = "tools")]
pub mod pages;
#[cfg(feature = "tools")]
pub mod play;
pub mod protocol;
mod random;
#[cfg(feature = "tools")]
pub mod review;
pub mod rules;
pub mod search;
pub mod solver;
#[cfg(feature = "tools")]
pub mod stats;
pub mod stop;
#[cfg(not(vato_loom))]
mod sync {
    //! What the models of `tests/loom` replace.
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};
}
#[cfg(vato_loom)]
#[path = "../tests/loom/sync.rs"]
mod sync;
pub mod tablebase;
mod text;
#[cfg(feature = "tools")]
pub mod tournament;
#[cfg(feature = "tools")]
pub mod training;

pub use memory::require_space;
pub use text::{counted, plural, quantity};
