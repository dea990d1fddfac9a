//! Statistics of games and searches.
//!
//! The engine plays itself, and everything that tells where its time goes is counted: how many turns
//! positions have in each phase of the game and how long they are, how often capturing is compulsory,
//! how scores and best moves change from depth to depth, how fast the tree grows, and, in a build with
//! the cargo feature `stats`, what the search does at its nodes ([`SearchCounts`]).
//!
//! Knows the rules, the openings, the evaluation and the search. [`play`] does the work:
//!
//! ```
//! use vato::openings::Effort;
//! use vato::search::Control;
//! use vato::stats::{StatsSettings, play};
//!
//! let settings = StatsSettings {
//!     games: 1,
//!     effort: Effort::Nodes(100),
//!     ..StatsSettings::default()
//! };
//! let figures = play(&settings, &Control::new(), &|_games| {}).expect("the default openings");
//! assert!(figures.results.games() == 1);
//! ```
//!
//! [`SearchCounts`]: crate::search::SearchCounts

mod figures;
mod self_play;

pub use self::figures::{
    DepthFigures, Figures, GameResults, IterationFigures, Phase, PhaseFigures, PositionFigures,
};
pub use self::self_play::{StatsError, StatsSettings, play};
