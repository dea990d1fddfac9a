//! Move lists.

use std::ops::Deref;

use arrayvec::ArrayVec;

use super::super::{Capture, MAX_STEPS, Path, Step};
use super::Visitor;
use crate::board::{BoardSize, Move, Point};

/// The distinct moves of a position. Grows as needed; clearing keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    moves: Vec<Move>,
    /// Moves of several steps, kept apart until the list is finished: only they can be duplicates.
    chained: Vec<Move>,
    /// Length of `chained` at which duplicates are removed next.
    weed_at: usize,
}

/// Up to this many chained moves, a new one is compared with all others.
const FEW: usize = 24;

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList::default()
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.chained.clear();
        self.weed_at = 1 << 12;
    }

    pub(super) fn finish(&mut self) {
        if self.chained.len() > FEW {
            self.weed();
        }
        self.moves.append(&mut self.chained);
    }

    fn weed(&mut self) {
        self.chained.sort_unstable();
        self.chained.dedup();
    }

    #[inline]
    pub(crate) fn has_capture(&self) -> bool {
        // Single steps that capture come first, chained moves last, paikas between them.
        let captures = |mv: Option<&Move>| mv.is_some_and(|mv| mv.is_capture());
        captures(self.moves.first()) || captures(self.moves.last())
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves
    }
}

/// A single step never makes the same move as another turn: the first step of another turn with the
/// same origin and end point leaves along another axis, or away from the end point, and the stones it
/// captures are not on the line of the single step. So only chained moves are compared.
impl Visitor for MoveList {
    // `contains` is a call, unless the program is optimised when it is linked.
    #[allow(clippy::manual_contains)]
    #[inline(always)]
    fn turn(&mut self, from: u64, to: u64, captured: u64, chained: bool) {
        let mv = Move::from_single_bits(from, to, captured);
        if !chained {
            self.moves.push(mv);
        } else if self.chained.len() >= FEW {
            self.chained.push(mv);
            if self.chained.len() >= self.weed_at {
                self.weed();
                self.weed_at = 2 * self.chained.len().max(1 << 11);
            }
        } else if !self.chained.iter().any(|&other| other == mv) {
            self.chained.push(mv);
        }
    }
}

/// Every path, step by step.
#[derive(Default)]
pub(super) struct PathCollector {
    steps: ArrayVec<Step, MAX_STEPS>,
    paths: Vec<(Path, Move)>,
}

impl PathCollector {
    /// The paths sorted by notation: origin, then landing point and letter step by step, a path before its
    /// continuations.
    pub(super) fn into_sorted_paths(mut self, board: BoardSize) -> Vec<(Path, Move)> {
        let place = |point: Point| board.file_and_rank(point);
        self.paths.sort_by_cached_key(|(path, _)| {
            let steps: ArrayVec<_, MAX_STEPS> = path
                .steps
                .iter()
                .map(|step| (place(step.to), step.capture))
                .collect();
            (place(path.from), steps)
        });
        self.paths
    }
}

impl Visitor for PathCollector {
    fn enter(&mut self, to: u64, capture: Option<Capture>) {
        let to = single_point(to);
        self.steps.push(Step { to, capture });
    }

    fn leave(&mut self) {
        self.steps.pop();
    }

    fn turn(&mut self, from: u64, to: u64, captured: u64, _chained: bool) {
        let path = Path {
            from: single_point(from),
            steps: self.steps.clone(),
        };
        self.paths
            .push((path, Move::from_single_bits(from, to, captured)));
    }
}

fn single_point(bit: u64) -> Point {
    Point::from_index(bit.trailing_zeros() as usize).expect("the generator stays on the board")
}
