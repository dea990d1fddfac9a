//! Insight: what games and searches are made of.
//!
//! The engine plays itself, and everything that tells where its time goes is counted: how many turns
//! positions have in each phase of the game and how long they are, how often capturing is compulsory,
//! how scores and best moves change from depth to depth, how fast the tree grows, and, in a build with
//! the cargo feature `stats`, what the search does at its nodes ([`SearchCounts`]).
//!
//! Knows the rules, the openings, the evaluation and the search. [`play`] does the work:
//!
//! ```
//! use vato::stats::{Effort, Settings, play};
//! use vato::search::Control;
//!
//! let settings = Settings { games: 1, effort: Effort::Nodes(100), ..Settings::default() };
//! let figures = play(&settings, &Control::new(), &|_games| {}).expect("the default openings");
//! assert!(figures.results.games() == 1);
//! ```
//!
//! [`SearchCounts`]: crate::search::SearchCounts

mod figures;
mod iterations;
mod phase;
mod positions;
mod self_play;
mod settings;

pub use figures::{Figures, GameResults, PhaseFigures};
pub use iterations::{DepthFigures, IterationFigures};
pub use phase::Phase;
pub use positions::PositionFigures;
pub use self_play::{StatsError, play};
pub use settings::{Effort, Settings};
