//! The search: limits in, typed reports and a result out.
//!
//! Knows the rules, the evaluation and the tablebases; never reads from or prints to anything.
//! [`Searcher`] is the way in: it owns the transposition table and the threads, [`Searcher::search`]
//! blocks until the search is done and reports through a callback, and a [`Control`] stops it from
//! another thread.
//!
//! ```
//! use vato::rules::{Game, Rules};
//! use vato::search::{Control, Limits, Searcher};
//!
//! let game = Game::new(Rules::STANDARD);
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let mut searcher = Searcher::new();
//! let result = searcher
//!     .search(&game, &limits, &Control::new(), &mut |_report| {})
//!     .expect("the default table is small");
//! assert!(result.best.is_some());
//! ```

mod alpha_beta;
mod buckets;
mod clock;
mod constants;
mod control;
mod counters;
mod damping;
mod endings;
mod guide;
mod history;
mod iteration;
mod limits;
mod misjudgement;
mod ordering;
mod parameters;
mod quiescence;
mod reductions;
mod report;
mod root;
mod root_moves;
mod score;
mod searcher;
mod stability;
mod stored;
mod strength;
mod table;
mod tablebases;
mod threads;
mod worker;

pub use control::Control;
pub use counters::{NodeCounts, RootCounts, SearchCounts, TableCounts};
pub use limits::{Clock, Limits, MAX_DEPTH};
pub use parameters::{ParameterError, Parameters, Tunable};
pub(crate) use report::nodes_per_second;
pub use report::{Bound, Line, Report, SearchResult};
pub use score::Score;
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK_BYTES, SearchError, Searcher};
pub use strength::Strength;
pub use tablebases::ProbeSettings;
