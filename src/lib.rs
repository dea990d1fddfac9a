//! Vato, a Fanorona engine.
//!
//! The rooms of this crate, and what each may know:
//!
//! - [`board`]: points, sets of points, sizes, positions, hashing, symmetry. Knows nothing else.
//! - [`rules`]: rule sets, move generation, game history and outcome, perft. Knows the board.
//! - [`notation`]: positions, moves and diagrams as text. Knows the rules.
//! - [`tablebase`]: perfect play with few stones: solving, files, looking up. Knows the notation.
//! - [`network`]: a trained evaluation: inputs, integers, files. Knows the board.
//! - [`eval`]: what a position is worth without looking ahead. Knows the networks and the rules.
//! - [`search`]: limits, table, ordering, workers, results. Knows the rules and the evaluation.
//! - [`book`]: openings that games of a match begin with: built in, from files, generated. Knows the
//!   notation and the search.
//! - [`repertoire`]: the engine's own opening book, which it plays from instead of searching: building
//!   it by long searches, files, answers. Knows the notation and the search.
//! - [`insight`]: what games and searches are made of: self-play with everything counted. Knows the
//!   openings and the search.
//! - [`review`]: what the moves of a game were worth: losses, marks, accuracy. Knows the search.
//! - [`data`]: positions of self-play games for training: playing them, files of them. Knows the
//!   openings, the search and the tablebases.
//! - [`training`]: fitting a network to training data: gradients, optimiser, checkpoints, calibration.
//!   Knows the network and the data.
//! - [`protocol`]: UGI and UCI: commands and answers as types, options, the session. Knows the search
//!   and the opening book.
//! - [`arbiter`]: engine against engine: processes, clocks, games, records, statistics. Knows the
//!   openings and the protocol's types.
//! - [`play`]: a person against the engine: a game as a state machine, and the engine beside it. Knows
//!   the search, the notation and the arbiter's clock.

#![deny(missing_docs, clippy::undocumented_unsafe_blocks)]

pub mod arbiter;
pub mod board;
pub mod book;
pub mod data;
pub mod eval;
mod excerpt;
mod files;
pub mod insight;
mod memory;
pub mod network;
pub mod notation;
pub mod play;
pub mod protocol;
pub mod repertoire;
pub mod review;
pub mod rules;
pub mod search;
mod split_mix;
pub mod tablebase;
pub mod training;
