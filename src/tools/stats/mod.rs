//! Statistics of games and searches.
//!
//! Self-play with counters: how many legal turns positions have in each phase of the game and how long
//! they are, how often captures are compulsory, how scores and best moves change from iteration to
//! iteration, how fast the tree grows, and, in a build with the cargo feature `stats`, what the search does
//! at its nodes ([`SearchCounts`]).
//!
//! Depends on the rules, the openings, the evaluation and the search. The entry point is [`play`]:
//!
//! ```
//! use vato_engine::book::SearchLimit;
//! use vato_engine::search::Control;
//! use vato_tools::stats::{StatsSettings, play};
//!
//! let settings = StatsSettings {
//!     games: 1,
//!     limit: SearchLimit::Nodes(100),
//!     ..StatsSettings::default()
//! };
//! let figures = play(&settings, &Control::new(), &|_games| {}).expect("the default openings");
//! assert!(figures.results.games() == 1);
//! ```
//!
//! [`SearchCounts`]: vato_engine::search::SearchCounts

mod figures;
mod self_play;

pub use self::figures::{
    DepthFigures, Figures, GameResults, IterationFigures, Phase, PhaseFigures, PositionFigures,
};
pub use self::self_play::{StatsError, StatsSettings, play};
