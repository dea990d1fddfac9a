//! The Fanorona engine of Vato.
//!
//! Its rooms, from the ground up: each uses only those that come before it.
//!
//! - [`board`]: points, sets of points, sizes, positions, hashing, symmetry.
//! - [`rules`]: rule sets, move generation, game history and outcome, perft.
//! - [`notation`]: positions, moves and diagrams as text.
//! - [`tablebase`]: perfect play with few stones: solving, files, looking up.
//! - [`proofs`]: certificates and strategies: reading, looking up.
//! - [`network`]: a trained evaluation: inputs, integers, files.
//! - [`eval`]: what a position is worth without looking ahead.
//! - [`search`]: limits, table, ordering, workers, results.
//! - [`engine`]: the searcher with its options, position, tablebases and book, and the benchmark.
//! - [`protocol`]: UGI and UCI: commands and answers as types, the session.
//!
//! # A position and its moves
//!
//! ```
//! use vato_engine::notation::parse_turn;
//! use vato_engine::rules::{Game, Rules, legal_moves};
//!
//! let rules = Rules::STANDARD;
//! let mut game = Game::new(rules);
//! assert_eq!(legal_moves(&rules, game.position()).len(), 5);
//! let (_path, mv) = parse_turn("d3-e3A", &rules, game.position())?;
//! game.play(mv)?;
//! assert_eq!(game.position().occupied().count(), 43);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A search
//!
//! [`search::Searcher`] for a search alone; [`engine::Engine`] with options, tables, book and a thread of its own.
//!
//! ```
//! use vato_engine::engine::{Engine, Settings};
//! use vato_engine::rules::{Game, Rules};
//! use vato_engine::search::{Control, Limits};
//!
//! let mut engine = Engine::new(Settings::default());
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let game = Game::new(Rules::STANDARD);
//! let result = engine.search(&game, &limits, &Control::new(), &mut |_report| {})?;
//! assert!(result.best.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tables
//!
//! ```
//! use vato_engine::notation::parse_fen;
//! use vato_engine::rules::Rules;
//! use vato_engine::tablebase::{Tablebases, Wdl};
//!
//! let rules = Rules::STANDARD;
//! let tables = Tablebases::built_in(&rules, Tablebases::DEFAULT_CACHE_BYTES, 1)?;
//! let position = parse_fen("4w4/9/4w4/9/b8 w 0 20", rules.board)?;
//! let value = tables.value(&position).expect("three stones");
//! assert_eq!(value.wdl, Wdl::Win);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Small things that any of them may use: [`buckets`], [`container`], [`files`], [`instant`], [`memory`], [`random`],
//! [`sync`], [`text`]. Nothing here reads standard input or prints.

#![cfg_attr(
    not(test),
    deny(clippy::exit, clippy::print_stderr, clippy::print_stdout)
)]

pub mod board;
pub mod buckets;
pub mod container;
pub mod engine;
pub mod eval;
pub mod files;
pub mod instant;
pub mod memory;
pub mod network;
pub mod notation;
pub mod proofs;
pub mod protocol;
pub mod random;
pub mod rules;
pub mod search;
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
