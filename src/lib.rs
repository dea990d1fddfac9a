//! Vato, a Fanorona engine.
//!
//! The rooms of this crate, from the ground up: each uses rooms that come before it, no others.
//! (`tests/architecture.rs` holds this list against the code, but for the crate's own tools, which any
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
//! - [`book`]: openings that games of a match begin with: built in, from files, generated. Uses
//!   `board`, `rules`, `notation`, `eval`, `search`.
//! - [`repertoire`]: the engine's own opening book, which it plays from instead of searching: building
//!   it by long searches, files, answers. Uses `board`, `rules`, `eval`, `search`.
//! - [`insight`]: what games and searches are made of: self-play with everything counted. Uses `board`,
//!   `rules`, `eval`, `search`, `book`.
//! - [`review`]: what the moves of a game were worth: losses, marks, accuracy. Uses `board`, `rules`,
//!   `network`, `search`.
//! - [`data`]: positions of self-play games for training: playing them, files of them. Uses `board`,
//!   `rules`, `notation`, `tablebase`, `eval`, `search`, `book`.
//! - [`training`]: fitting a network to training data: gradients, optimiser, checkpoints, calibration.
//!   Uses `board`, `rules`, `network`, `data`.
//! - [`protocol`]: UGI and UCI: commands and answers as types, options, the session. Uses `board`,
//!   `rules`, `notation`, `tablebase`, `network`, `eval`, `search`, `repertoire`.
//! - [`arbiter`]: engine against engine: processes, clocks, games, records, statistics. Uses `board`,
//!   `rules`, `notation`, `tablebase`, `search`, `book`, `protocol`.
//! - [`play`]: a person against the engine: a game as a state machine, and the engine beside it. Uses
//!   `board`, `rules`, `notation`, `tablebase`, `eval`, `search`, `review`, `arbiter`.
//!
//! The program's command line (`src/cli`) uses this library from outside, like any other program. Nothing
//! here reads standard input or prints.

#![deny(missing_docs, clippy::undocumented_unsafe_blocks)]

pub mod arbiter;
pub mod board;
pub mod book;
pub mod data;
mod drawn_number;
pub mod eval;
mod excerpt;
pub mod files;
pub mod insight;
mod memory;
pub mod network;
pub mod notation;
mod panic_message;
pub mod play;
mod plural;
pub mod protocol;
pub mod repertoire;
pub mod review;
pub mod rules;
pub mod search;
mod split_mix;
pub mod tablebase;
pub mod training;

pub use plural::{counted, plural};
