//! Unmoves: quiet moves taken back.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, DIAGONALS, Symmetry, opposite};
use crate::tablebase::index::SliceIndex;

/// A quiet move of a stone that ends on a given point.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepBack {
    /// The point from which the stone came; a single bit.
    pub(super) from: u64,
    /// The points in line with the step, ahead and behind: an enemy stone there would have been captured. None where
    /// captures are forced: a position with a capture is not open.
    pub(super) in_line: u64,
}

/// The steps that may end on each point of a board.
#[derive(Debug)]
pub(super) struct StepsBack {
    by_point: Vec<ArrayVec<StepBack, 8>>,
    neighbours: [u64; 64],
}

impl StepsBack {
    /// The steps on a board with these points.
    pub(super) fn new(board: Bitboard, captures_are_forced: bool) -> StepsBack {
        let mut steps = StepsBack {
            by_point: vec![ArrayVec::new(); 64],
            neighbours: [0; 64],
        };
        for to in board {
            for direction in 0..8 {
                if DIAGONALS >> direction & 1 != 0 && !to.is_strong() {
                    continue;
                }
                let towards = |point: Bitboard, direction| point.shifted(direction) & board;
                let from = towards(Bitboard::from(to), opposite(direction));
                if from.is_empty() {
                    continue;
                }
                let ahead = towards(Bitboard::from(to), direction);
                let behind = towards(from, opposite(direction));
                steps.neighbours[to.index()] |= from.bits();
                steps.by_point[to.index()].push(StepBack {
                    from: from.bits(),
                    in_line: match captures_are_forced {
                        true => 0,
                        false => (ahead | behind).bits(),
                    },
                });
            }
        }
        steps
    }

    /// The steps that end on the point with this lattice index.
    #[inline(always)]
    pub(super) fn to(&self, index: u32) -> &[StepBack] {
        &self.by_point[index as usize & 63]
    }

    /// The points from which these steps come.
    #[inline(always)]
    pub(super) fn neighbours(&self, index: u32) -> u64 {
        self.neighbours[index as usize & 63]
    }
}

/// A step of the small group taken back, in terms of the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The class before the step.
    pub(super) class: u32,
    /// The symmetry that maps the small group before the step to the representative of its class. It has to be applied
    /// to the large group as well.
    pub(super) fold: Symmetry,
    /// The step is not possible, or not quiet, if the large group has a stone here.
    pub(super) barrier: u64,
}

/// The steps back of the small group from the representative of a class. If the edges of all classes are followed from
/// all numbers, every quiet move from every number is met exactly once. (Otherwise counts of moves would be wrong.)
///
/// Without symmetric placements there is one edge for each step. But let `S` be a
/// representative with the symmetries `G(S)`, and `P` a placement one step before it, with the
/// representative `T`. Then:
///
/// - steps back to `P` and to an image of `P` under `G(S)` are the same moves, met from different
///   numbers of the same position with `S`; so only the smallest of the images is taken;
/// - a position before the move has several numbers if `T` is symmetric, and each has its own
///   count; so there is an edge for every symmetry that maps `P` to `T`;
/// - if `S` and `P` have symmetries in common, these edges are met from several numbers after
///   the move; so of symmetries that differ by a common one, only the first is taken.
pub(super) fn edges_back(index: &SliceIndex, steps: &StepsBack, class: u32) -> Vec<Edge> {
    let representative = |class: u32| index.placements.representatives[class as usize];
    let small = representative(class);
    let symmetries = Symmetry::of(index.board);
    let image = |symmetry: Symmetry, set: u64| symmetry.bits(&index.shape, set);
    let own_symmetries = symmetries.iter().filter(|&&s| image(s, small) == small);
    let own_symmetries: Vec<Symmetry> = own_symmetries.copied().collect();
    let mut edges = Vec::new();
    for to in Bitboard::from_bits(small) {
        for step in steps.to(to.index() as u32) {
            if step.from & small != 0 {
                continue;
            }
            let before = small ^ Bitboard::from(to).bits() ^ step.from;
            if own_symmetries.iter().any(|&s| image(s, before) < before) {
                continue;
            }
            let (target, _) = index.class(before);
            // Symmetries differ by a common one if they have the same images of both.
            let mut met = Vec::new();
            for &fold in symmetries {
                let after = image(fold, small);
                if image(fold, before) == representative(target) && !met.contains(&after) {
                    met.push(after);
                    edges.push(Edge {
                        class: target,
                        fold,
                        barrier: step.from | step.in_line,
                    });
                }
            }
        }
    }
    edges
}
