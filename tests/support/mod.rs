//! What the black-box tests share: a driver for engine processes and a parser for their answers.
//!
//! Nothing here uses the engine's library. These tests see what a tournament
//! manager sees, the text on two pipes, so that an error in a type shared by
//! both sides cannot hide itself.

// Every test binary compiles its own copy of this module and uses a part of it.
#![allow(dead_code, unused_imports)]

pub mod answers;
pub mod command_line;
pub mod documents;
pub mod engine;
pub mod patterns;
pub mod schema;
pub mod standstill;
pub mod transcript;

pub use answers::{BestMove, Info, Score, Search};
pub use engine::{Engine, Silence, WAIT};
