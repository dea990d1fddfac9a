//! What a search tells: while it runs, and at its end.

use std::time::Duration;

use super::Score;
use crate::board::Move;

/// How a score is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least this much.
    Lower,
    /// At most this much.
    Upper,
}

impl Bound {
    /// What a score proves that was found in the window from `alpha` to `beta`.
    #[inline]
    pub(super) const fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// A line of play with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached by lines searched with an open window.
    pub seldepth: u32,
    /// Whether the iteration was completed; if not, the line is what is known so far.
    pub complete: bool,
    /// Rank among the best moves, from 1.
    pub multipv: usize,
    /// Score from the view of the side to move at the root. Undecided ones are centi-stones as they are
    /// shown (see [`Evaluation::centistones_per_unit`](crate::eval::Evaluation::centistones_per_unit)).
    pub score: Score,
    /// How the score is to be read.
    pub bound: Bound,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Positions found in tablebases so far, by all threads.
    pub tablebase_hits: u64,
    /// How full the transposition table is with entries of this search, in thousandths.
    pub hashfull: u32,
    /// The line; empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl Line {
    /// Nodes a second since the search began.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes a second, times under a microsecond counting as one.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Something that a running search tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line of play: at the end of an iteration, or when the score leaves the window.
    Line(Line),
    /// The root move that is searched now; told in long searches only.
    CurrentMove {
        /// Depth of the iteration, in plies.
        depth: u32,
        /// The move.
        current: Move,
        /// Its place in the order of this iteration, from 1.
        number: usize,
    },
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The reply that the search expects.
    pub ponder: Option<Move>,
    /// The lines of the last iteration (of one that was broken off, only a better move), best first;
    /// one at least. The first begins with `best`.
    pub lines: Vec<Line>,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// Time from the beginning of the search to its end (not to the release of a held-back result).
    pub time: Duration,
}
