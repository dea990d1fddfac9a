//! The moves at the root, with what is known of each.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::worker::Shared;
use super::{Bound, Line, Score};
use crate::board::{Move, Position};

/// A root move with what is known of it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score of the iteration under way; `None` if it has none, or is known to be no better.
    pub(super) score: Option<i32>,
    /// The score that it was last given as the best move of its rank.
    pub(super) settled: Option<i32>,
    pub(super) bound: Bound,
    pub(super) line: Vec<Move>,
    pub(super) seldepth: usize,
    /// Nodes spent on it, in all iterations.
    pub(super) nodes: u64,
}

/// A root move's line as it was last settled.
#[derive(Clone, Debug)]
pub(super) struct RootLine {
    pub(super) score: i32,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    /// Whether the iteration was completed.
    pub(super) complete: bool,
    pub(super) line: Vec<Move>,
}

impl RootLine {
    /// The line as it is told, `rank` counting from 0.
    pub(super) fn told(&self, rank: usize, shared: &Shared, time: Duration) -> Line {
        Line {
            depth: self.depth as u32,
            seldepth: self.seldepth.max(self.depth as usize) as u32,
            complete: self.complete,
            multipv: rank + 1,
            score: Score::from_raw(self.score).shown(shared.shown_unit),
            bound: self.bound,
            nodes: shared.nodes.load(Ordering::Relaxed),
            time,
            tablebase_hits: shared.tablebase_hits.load(Ordering::Relaxed),
            hashfull: shared.table.hashfull(),
            pv: self.line.clone(),
        }
    }
}

/// What a thread found: its lines, best first; at least one.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) lines: Vec<RootLine>,
}

/// What the iterations have in common.
pub(super) struct Root<'p> {
    pub(super) position: &'p Position,
    pub(super) moves: Vec<RootMove>,
    pub(super) multipv: usize,
    /// A move that has been proved better than the window of this iteration, should there be no time
    /// to find out by how much.
    pub(super) risen: Option<RootLine>,
    /// Whether the best move is another thread's.
    pub(super) taken_over: bool,
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
            complete: false,
            line,
        }
    }
}

impl Root<'_> {
    /// Sorts the moves from `rank` on by score; those without keep their order behind.
    pub(super) fn sort_from(&mut self, rank: usize) {
        self.moves[rank..].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// The part of all nodes that went into the best move, from 0 to 1: 0 if it was taken over from
    /// another thread, whose effort is not known here.
    pub(super) fn effort(&self) -> f64 {
        if self.taken_over {
            return 0.0;
        }
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        let best = self.moves.first().map_or(0, |best| best.nodes);
        best as f64 / all.max(1) as f64
    }

    /// Takes over the best line of another thread.
    pub(super) fn take_over(&mut self, line: &RootLine) {
        let best = line.line.first();
        let Some(place) = self
            .moves
            .iter()
            .position(|root_move| Some(&root_move.mv) == best)
        else {
            return;
        };
        self.moves[..=place].rotate_right(1);
        self.taken_over = true;
        let best = &mut self.moves[0];
        best.settled = Some(line.score);
        best.line.clone_from(&line.line);
        best.seldepth = line.seldepth;
    }

    /// The best lines, after an iteration at `depth`.
    pub(super) fn lines(&self, depth: i32) -> Vec<RootLine> {
        let mut lines: Vec<RootLine> = self.moves[..self.multipv]
            .iter()
            .map(|root_move| RootLine {
                complete: true,
                ..root_move.root_line(depth)
            })
            .collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }

    /// What the iteration that was broken off had found, if that can be relied on.
    pub(super) fn unfinished_best(&self, depth: i32) -> Option<RootLine> {
        let best = self.moves.first()?;
        let known = best.score.is_some() && best.bound != Bound::Upper;
        if self.multipv > 1 {
            None
        } else if known {
            Some(best.root_line(depth))
        } else {
            self.risen.clone()
        }
    }
}
