//! A game of a person against the engine, without a terminal.
//!
//! [`Model`] is a state machine. [`Model::update`] takes an [`Input`] (a typed move, a report of the
//! engine, elapsed time) and returns [`Effect`]s that the caller carries out: searches run on
//! a [`SearchThread`], which reports through further inputs; files are the caller's. The model does no
//! input or output, so every game can be replayed in a test.
//!
//! Uses the rules, the notation, the tablebases, the search, and the review's conversion of scores.

mod messages;
mod model;
mod search_thread;
mod settings;

pub use messages::{Effect, FoundGame, Input, Notice, Purpose, SearchEvent, SearchRequest};
pub use model::{Ending, Hint, Model, PlayedTurn, PositionScore, Thinking};
pub use search_thread::{Engines, SearchThread};
pub use settings::{PERFECT_LEVEL, PlaySettings, Player, limits_at_level};
