//! The match runner: engine against engine, refereed, measured and recorded.
//!
//! `formats` say who plays whom, from two engines to a Swiss tournament.
//!
//! [`Match`] plays what [`settings::MatchSettings`] say: several games at a time, each between two
//! engine processes that are spoken to through the types of [`vato_engine::protocol`]. The rules of the
//! game are the library's own; engines are never asked who has won. What has been played is in the
//! [`record`] at once, [`Standings`] and [`statistics`] tell what it means.
//!
//! In a [`suite`] an engine is asked for the moves of single positions.
//!
//! Knows the rules, the notation, the openings, the tablebases, which may end games, the protocol's
//! types and, of the search, its scores and the numbers that guide it. It prints nothing: an observer hears
//! [`MatchEvent`]s.

mod engine;
mod engine_check;
mod engine_pool;
mod formats;
mod game;
mod match_error;
mod match_state;
mod merge;
pub mod record;
mod resources;
mod runner;
pub mod settings;
mod standings;
pub mod statistics;
pub mod suite;
mod together;
mod worker;

pub use formats::{Extent, NotScheduled, Place, Ranking, TieBreak, VelaFigures};
pub use game::{Check, Finding};
pub use match_error::MatchError;
pub use match_state::{MatchState, Progress};
pub use merge::{Merged, Missing, NumberRanges};
pub use resources::may_be_log;
pub use runner::{Ending, Match, MatchEvent, ResumeChanges};
pub use standings::{Ends, EngineFigures, FailedCheck, Standings};
pub use together::{Part, Together};
