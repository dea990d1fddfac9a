//! A game of a person against the engine, without a terminal: what is on the board, what a person may
//! do, what has to be done about it.
//!
//! [`Model`] is a state machine. [`Model::update`] takes one [`Input`] (a point was chosen, a move was
//! typed, the engine has found something, time went by) and returns [`Effect`]s that somebody has to
//! carry out: searches go to an [`Engine`], which works on a thread of its own and answers with more
//! inputs; files are written and read by [`save`] and [`open`]. The model itself does none of that, so
//! that every game can be replayed in a test. What draws it, and where inputs come from, is the matter
//! of whoever holds it.
//!
//! Knows the rules, the notation, the tablebases and the search, and of the review what a score is worth.

mod effect;
mod ending;
mod engine;
mod file;
mod hand;
mod input;
mod judgement;
mod level;
mod model;
mod notice;
mod person;
mod played_turn;
mod record;
mod settings;

pub use effect::{Effect, Mind, SearchRequest};
pub use ending::Ending;
pub use engine::{Engine, EngineSettings};
pub use file::{FileError, open, save};
pub use hand::{Hand, Target};
pub use input::{Input, SearchEvent};
pub use judgement::{Hint, Judgement};
pub use level::{Level, LevelError};
pub use model::{Model, Thinking};
pub use notice::Notice;
pub use person::{Person, UnknownPerson};
pub use played_turn::PlayedTurn;
pub use settings::PlaySettings;
