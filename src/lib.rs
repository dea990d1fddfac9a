//! Vato, a Fanorona engine.
//!
//! The rooms of this crate, and what each may know:
//!
//! - [`board`]: points, sets of points, sizes, positions, hashing, symmetry.
//! - [`rules`]: rule sets, move generation, game history and outcome, perft. Knows the board.
//! - [`notation`]: positions, moves and diagrams as text. Knows the rules.

#![deny(missing_docs, clippy::undocumented_unsafe_blocks)]

pub mod board;
pub mod notation;
pub mod rules;
