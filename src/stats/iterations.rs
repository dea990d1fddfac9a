//! How score, best move and effort change from iteration to iteration.

use serde::Serialize;

use crate::board::Move;
use crate::search::{Bound, Line, Report};

/// The deepest iteration that is counted by its depth, in plies.
const MOST_DEPTH: usize = 40;

/// Iterations before this one are too small to tell how fast a tree grows, in plies.
const FIRST_DEPTH: u32 = 4;

/// Sums over the iterations of one depth. Scores are in centi-stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DepthFigures {
    /// Iterations with a score that is not decided, nor was that of the iteration before.
    pub iterations: u64,
    /// Sum of the change of the score since the iteration before.
    pub change: i64,
    /// Sum of the size of that change.
    pub swing: u64,
    /// Iterations that chose another move than the one before.
    pub new_best: u64,
}

impl DepthFigures {
    fn add(&mut self, other: &DepthFigures) {
        self.iterations += other.iterations;
        self.change += other.change;
        self.swing += other.swing;
        self.new_best += other.new_best;
    }
}

/// Sums over the searches of one phase. Scores are in centi-stones, from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationFigures {
    /// Searches of more than one move.
    pub searches: u64,
    /// Sum of the depths that they completed.
    pub depths: u64,
    /// By depth, from 0 to 40.
    pub by_depth: Vec<DepthFigures>,
    /// Sum of the logarithms of the factor by which the nodes of a search, counted from its beginning,
    /// have grown from the end of iteration 4 to that of the last one completed.
    pub growth: f64,
    /// Sum of the plies over which they have.
    pub growth_plies: u64,
    /// Moves for which the score of the same side's move before is known, neither being decided.
    pub successive: u64,
    /// Sum of the size of the change since then.
    pub successive_swing: u64,
}

impl Default for IterationFigures {
    fn default() -> IterationFigures {
        IterationFigures {
            searches: 0,
            depths: 0,
            by_depth: vec![DepthFigures::default(); MOST_DEPTH + 1],
            growth: 0.0,
            growth_plies: 0,
            successive: 0,
            successive_swing: 0,
        }
    }
}

impl IterationFigures {
    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &IterationFigures) {
        self.searches += other.searches;
        self.depths += other.depths;
        for (sum, more) in self.by_depth.iter_mut().zip(&other.by_depth) {
            sum.add(more);
        }
        self.growth += other.growth;
        self.growth_plies += other.growth_plies;
        self.successive += other.successive;
        self.successive_swing += other.successive_swing;
    }

    /// By what factor the nodes of a search grow from one iteration to the next; `None` if no search
    /// was deep enough.
    #[must_use]
    pub fn branching_factor(&self) -> Option<f64> {
        (self.growth_plies > 0).then(|| (self.growth / self.growth_plies as f64).exp())
    }

    /// The sums over the iterations of the depths from 5 on that are even, or odd.
    #[must_use]
    pub fn of_parity(&self, odd: bool) -> DepthFigures {
        let mut sum = DepthFigures::default();
        let deep = self.by_depth.iter().enumerate().skip(5);
        for (_, figures) in deep.filter(|(depth, _)| (depth % 2 == 1) == odd) {
            sum.add(figures);
        }
        sum
    }

    /// Counts a search by the reports that it made, and returns its score if that is not decided.
    /// `before` is the score of the same side's search before.
    pub(super) fn count(&mut self, iterations: &Iterations, before: Option<i32>) -> Option<i32> {
        let lines = &iterations.lines;
        let last = lines.last()?;
        self.searches += 1;
        self.depths += u64::from(last.depth);
        for pair in lines.windows(2) {
            let (Some(old), Some(new)) = (pair[0].score, pair[1].score) else {
                continue;
            };
            let Some(figures) = self.by_depth.get_mut(pair[1].depth as usize) else {
                continue;
            };
            figures.iterations += 1;
            figures.change += i64::from(new - old);
            figures.swing += u64::from(new.abs_diff(old));
            figures.new_best += u64::from(pair[0].best != pair[1].best);
        }
        let first = lines.iter().find(|line| line.depth == FIRST_DEPTH);
        if let Some(first) = first
            && last.depth > first.depth
        {
            self.growth += (last.nodes as f64 / first.nodes as f64).ln();
            self.growth_plies += u64::from(last.depth - first.depth);
        }
        if let (Some(score), Some(before)) = (last.score, before) {
            self.successive += 1;
            self.successive_swing += u64::from(score.abs_diff(before));
        }
        last.score
    }
}

/// The iterations that one search has completed.
#[derive(Debug, Default)]
pub(super) struct Iterations {
    lines: Vec<Iteration>,
}

/// An iteration that was completed.
#[derive(Debug)]
struct Iteration {
    depth: u32,
    /// In centi-stones; `None` if it is decided.
    score: Option<i32>,
    best: Option<Move>,
    /// Nodes since the search began.
    nodes: u64,
}

impl Iterations {
    /// Listens to a search with one thread.
    pub(super) fn listen(&mut self, report: &Report) {
        let Report::Line(line) = report else {
            return;
        };
        let next = self.lines.last().map_or(1, |last| last.depth + 1);
        if line.complete && line.bound == Bound::Exact && line.multipv == 1 && line.depth == next {
            self.lines.push(Iteration::of(line));
        }
    }
}

impl Iteration {
    fn of(line: &Line) -> Iteration {
        Iteration {
            depth: line.depth,
            score: (!line.score.is_decided()).then(|| line.score.raw()),
            best: line.pv.first().copied(),
            nodes: line.nodes.max(1),
        }
    }
}
