//! Reports of a search: while it runs, and at its end.

use std::time::Duration;

use super::Score;
use crate::board::Move;

/// Kind of bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Upper bound (fail-low).
    Upper = 1,
    /// Lower bound (fail-high).
    Lower = 2,
    /// Exact score.
    Exact = 3,
}

impl Bound {
    /// The bound proved by a score found in the window from `alpha` to `beta`.
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

/// A principal variation with its score and search statistics. Within the search the statistics are 0, and the score is
/// in units of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Maximum ply reached by lines searched with an open window.
    pub seldepth: u32,
    /// Whether the iteration was completed; if not, the line is preliminary.
    pub complete: bool,
    /// Rank among the best moves, from 1.
    pub multipv: usize,
    /// Score from the point of view of the side to move at the root. Undecided ones are reported centi-stones
    /// (see [`Evaluation::centistones_per_unit`](crate::eval::Evaluation::centistones_per_unit)).
    pub score: Score,
    /// Kind of bound of the score.
    pub bound: Bound,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Tablebase hits so far, by all threads.
    pub tablebase_hits: u64,
    /// Share of the transposition table used by this search, in thousandths.
    pub hashfull: u32,
    /// The principal variation; empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl Line {
    /// A complete line of one iteration with an exact score, without statistics.
    pub(super) fn of(pv: Vec<Move>, score: Score) -> Line {
        let seldepth = pv.len() as u32;
        Line {
            depth: seldepth.min(1),
            seldepth,
            complete: true,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            tablebase_hits: 0,
            hashfull: 0,
            pv,
        }
    }

    /// Nodes a second since the search began.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes a second; times under a microsecond count as one.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// A report of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line: at the end of an iteration, or on a fail-high or fail-low at the root.
    Line(Line),
    /// The root move being searched; reported in long searches only.
    CurrentMove {
        /// Depth of the iteration, in plies.
        depth: u32,
        /// The move.
        current: Move,
        /// Its index in the order of this iteration, from 1.
        number: usize,
    },
    /// There is no win and no loss in at most so many plies ([`Limits::mate`](super::Limits::mate)).
    NoMate(u32),
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The lines of the last iteration (of an aborted one, only a better move), best first; at least
    /// one. The first begins with `best`.
    pub lines: Vec<Line>,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// Time from the start of the search to its end (not to the release of a held-back result).
    pub time: Duration,
}

impl SearchResult {
    /// The result with these lines, one at least.
    pub(super) fn of(lines: Vec<Line>, nodes: u64, time: Duration) -> SearchResult {
        let pv = &lines[0].pv;
        SearchResult {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            lines,
            nodes,
            time,
        }
    }

    /// The result without a search: a line and its score.
    pub(crate) fn unsearched(pv: Vec<Move>, score: Score, time: Duration) -> SearchResult {
        let line = Line {
            time,
            ..Line::of(pv, score)
        };
        SearchResult::of(vec![line], 0, time)
    }
}
