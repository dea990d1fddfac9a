//! Collections of games: read on all processors, conditions on games, an index of positions, trees of moves.
//!
//! [`scan`] splits a text into games and calls back for each, in order; [`Condition`] selects games;
//! [`Index`] holds every position of a collection, and [`tree`] answers from it. Positions are the same if a symmetry of
//! the board maps one to the other.

mod condition;
mod scan;
mod shape;
mod subject;
mod tree;

pub use condition::{Comparison, Condition, ConditionError, compare, is_unknown, sort_order};
pub use scan::scan;
pub use shape::Shape;
pub use subject::{Field, Subject};
pub use tree::{Branch, Index, tree};
