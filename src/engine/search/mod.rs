//! The search: limits in, typed reports and a result out.
//!
//! Uses the rules, the evaluation and the tablebases; does no input or output. [`Searcher`] is the
//! entry point: it owns the transposition table and the threads, [`Searcher::search`] blocks until the
//! search is done and reports through a callback, and a [`Control`] stops it from another thread.
//!
//! ```
//! use vato_engine::rules::{Game, Rules};
//! use vato_engine::search::{Control, Limits, SearchSettings, Searcher};
//!
//! let game = Game::new(Rules::STANDARD);
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let mut searcher = Searcher::new();
//! let result = searcher
//!     .search(&SearchSettings::default(), &game, &limits, &Control::new(), &mut |_report| {})
//!     .expect("the default table is small");
//! assert!(result.best.is_some());
//! ```

mod alpha_beta;
mod draw;
mod history;
mod lent;
mod limits;
mod mate;
mod movepick;
mod params;
mod quiescence;
mod report;
mod root;
mod score;
mod searcher;
mod settings;
mod strength;
mod tablebases;
mod threads;
mod time;
mod tt;
mod worker;

pub use lent::lend_thread;
pub use limits::{Clock, Control, Limits, MAX_DEPTH, SearchLimit};
pub use params::{Parameters, Tunable};
pub(crate) use report::nodes_per_second;
pub use report::{Bound, Line, Report, SearchResult};
pub use score::{Score, ScoreEntry};
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK_BYTES, Searcher};
pub use settings::SearchSettings;
pub use strength::Strength;
