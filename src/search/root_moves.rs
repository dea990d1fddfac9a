//! The moves at the root, with what is known of each.

use std::cmp::Reverse;

use super::Bound;
use super::worker::Variation;
use crate::board::{Move, Position};

/// A root move with what is known of it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score of the iteration under way; `None` if it has none, or is known to be no better.
    pub(super) score: Option<i32>,
    /// Score and line when it was last searched with an open window.
    pub(super) settled: Option<i32>,
    pub(super) bound: Bound,
    pub(super) line: Variation,
    pub(super) seldepth: usize,
}

/// A root move's line as it was last settled.
#[derive(Clone)]
pub(super) struct RootLine {
    pub(super) score: i32,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    pub(super) line: Variation,
}

/// What a thread found: its lines, best first; at least one.
pub(super) struct Found {
    pub(super) lines: Vec<RootLine>,
}

/// What the iterations have in common.
pub(super) struct Root<'p> {
    pub(super) position: &'p Position,
    pub(super) moves: Vec<RootMove>,
    pub(super) multipv: usize,
}

impl RootMove {
    pub(super) fn root_line(&self, depth: i32) -> RootLine {
        let mut line = self.line.clone();
        if line.is_empty() {
            line.push(self.mv);
        }
        RootLine {
            score: self.score.or(self.settled).unwrap_or(0),
            bound: self.bound,
            depth,
            seldepth: self.seldepth,
            line,
        }
    }
}

impl Root<'_> {
    /// Sorts the moves from `rank` on by score; those without keep their order behind.
    pub(super) fn sort_from(&mut self, rank: usize) {
        self.moves[rank..].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// The best lines, after an iteration at `depth`.
    pub(super) fn lines(&self, depth: i32) -> Vec<RootLine> {
        let mut lines: Vec<RootLine> = self.moves[..self.multipv]
            .iter()
            .map(|root_move| root_move.root_line(depth))
            .collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }

    /// What the iteration that was broken off had found, if that can be relied on.
    pub(super) fn unfinished_best(&self, depth: i32) -> Option<RootLine> {
        let best = self.moves.first()?;
        let known = best.score.is_some() && best.bound != Bound::Upper;
        (known && self.multipv == 1).then(|| best.root_line(depth))
    }
}
