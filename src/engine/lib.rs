//! The Fanorona engine of Vato.
//!
//! Its rooms, from the ground up: each uses only those that come before it.
//!
//! - [`board`]: points, sets of points, sizes, positions, hashing, symmetry.
//! - [`rules`]: rule sets, move generation, game history and outcome, perft.
//! - [`notation`]: positions, moves, diagrams and game records as text.
//! - [`tablebase`]: perfect play with few stones: solving, files, looking up.
//! - [`network`]: a trained evaluation: inputs, integers, files.
//! - [`eval`]: what a position is worth without looking ahead.
//! - [`search`]: limits, table, ordering, workers, results.
//! - [`solver`]: proofs of values: proof-number search, certificates, their checker.
//! - [`book`]: the engine's own opening book: building it by long searches, files, answers.
//! - [`engine`]: the searcher with its options, position, tablebases and book, and the benchmark.
//! - [`protocol`]: UGI and UCI: commands and answers as types, the session.
//!
//! Small things that any of them may use: [`clock`], [`container`], [`files`], [`memory`], [`random`], [`stop`],
//! [`sync`], [`text`]. Nothing here reads standard input or prints.

#![cfg_attr(
    not(test),
    deny(clippy::exit, clippy::print_stderr, clippy::print_stdout)
)]

pub mod board;
pub mod book;
pub mod clock;
pub mod container;
pub mod engine;
pub mod eval;
pub mod files;
pub mod memory;
pub mod network;
pub mod notation;
pub mod protocol;
pub mod random;
pub mod rules;
pub mod search;
pub mod solver;
pub mod stop;
#[cfg(not(vato_loom))]
pub mod sync {
    //! What the models of `tests/loom` replace.
    pub use std::sync::{Condvar, Mutex, MutexGuard, atomic};
}
#[cfg(vato_loom)]
#[path = "../../tests/loom/sync.rs"]
pub mod sync;
pub mod tablebase;
pub mod text;

pub use text::{counted, plural, quantity};
