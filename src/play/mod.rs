//! A game of a person against the engine, without a terminal.
//!
//! [`Model`] is a state machine. [`Model::update`] takes an [`Input`] (a point was chosen, a move was
//! typed, the engine has found something, time went by) and returns [`Effect`]s that the caller carries
//! out: searches go to a [`SearchThread`], which answers with more inputs; files are the caller's. The model does no input or output, so that every game can be replayed in a test.
//!
//! Knows the rules, the notation, the tablebases and the search, and of the review what a score is worth.

mod messages;
mod model;
mod record;
mod search_thread;
mod settings;

pub use messages::{Effect, Input, Mind, Notice, SearchEvent, SearchRequest};
pub use model::{Hand, Hint, Model, PositionScore, Target, Thinking};
pub use record::{Ending, PlayedTurn};
pub use search_thread::SearchThread;
pub use settings::{PlaySettings, Player, PlayerError};
