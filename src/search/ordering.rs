//! Which move to try first.

use super::Parameters;
use super::history::History;
use super::stored::MoveSignature;
use super::worker::Frame;
use crate::board::{Move, Position};

const HASH_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 22;
/// What each captured stone counts; more than history can make good.
const CAPTURED_STONE: i32 = 1 << 15;
const KILLERS: [i32; 2] = [1 << 21, (1 << 21) - 1];
const REPLY: i32 = 1 << 20;

/// A move that is to be searched, and how much it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    mv: Move,
    rating: i32,
}

/// What the ratings of a node's moves derive from.
pub(super) struct Ordering<'a> {
    pub(super) history: &'a History,
    pub(super) position: &'a Position,
    pub(super) parameters: &'a Parameters,
    /// The moves before: the opponent's and the own one before that.
    pub(super) before: [Option<Move>; 2],
    pub(super) killers: [Option<Move>; 2],
}

impl Ordering<'_> {
    /// The rating of a move: captures first, by what they win, then killers, the reply that refuted the
    /// last move, and paikas by history.
    #[inline]
    fn rating(&self, mv: Move, reply: Option<Move>) -> i32 {
        let Ordering {
            history,
            position,
            parameters,
            before,
            killers,
        } = *self;
        let value = history.value(position, mv);
        if mv.is_capture() {
            CAPTURE + mv.captured().count() as i32 * CAPTURED_STONE + value
        } else if killers[0] == Some(mv) {
            KILLERS[0]
        } else if killers[1] == Some(mv) {
            KILLERS[1]
        } else if reply == Some(mv) {
            REPLY
        } else {
            let [after_other, after_own] =
                history.continuations(position, before, mv).map(i32::from);
            let after_other = after_other * parameters.continuation_order;
            let after_own = after_own * parameters.continuation_order_own;
            value + (after_other + after_own) / 100
        }
    }

    /// The paika that refuted the opponent's move elsewhere.
    fn reply(&self) -> Option<Move> {
        self.history.reply(self.position, self.before[0])
    }
}

impl Frame {
    /// Makes the hash move the only candidate, if it is one of the moves; tells how many candidates
    /// there are.
    #[inline]
    pub(super) fn begin(&mut self, hash_move: MoveSignature) -> usize {
        self.candidates.clear();
        if hash_move.is_some()
            && let Some(&mv) = self.moves.iter().find(|&&mv| hash_move.is_of(mv))
        {
            self.candidates.push(Candidate {
                mv,
                rating: HASH_MOVE,
            });
        }
        self.candidates.len()
    }

    /// Makes candidates of the moves that are none yet.
    pub(super) fn complete(&mut self, ordering: &Ordering<'_>) {
        let first = self.candidates.first().map(|first| first.mv);
        let reply = ordering.reply();
        for &mv in &self.moves {
            if Some(mv) != first {
                let rating = ordering.rating(mv, reply);
                self.candidates.push(Candidate { mv, rating });
            }
        }
    }

    /// Makes candidates of the captures for which `promises` holds; returns the largest number of stones
    /// that one of the others takes, and how many others there are.
    pub(super) fn complete_captures(
        &mut self,
        ordering: &Ordering<'_>,
        promises: impl Fn(Move) -> bool,
    ) -> (u32, u64) {
        let first = self.candidates.first().map(|first| first.mv);
        let (mut largest, mut count) = (0, 0);
        for &mv in &self.moves {
            if Some(mv) == first || !mv.is_capture() {
                continue;
            }
            if promises(mv) {
                let rating = ordering.rating(mv, None);
                self.candidates.push(Candidate { mv, rating });
            } else {
                largest = largest.max(mv.captured().count());
                count += 1;
            }
        }
        (largest, count)
    }

    /// Brings the best of the candidates from `index` on to `index`, and returns it.
    #[inline]
    pub(super) fn pick(&mut self, index: usize) -> Move {
        let mut best = index;
        let mut rating = self.candidates[index].rating;
        for (other, candidate) in self.candidates.iter().enumerate().skip(index + 1) {
            if candidate.rating > rating {
                (best, rating) = (other, candidate.rating);
            }
        }
        self.candidates.swap(index, best);
        self.candidates[index].mv
    }

    /// The candidate at `index`, which has been picked.
    pub(super) fn candidate(&self, index: usize) -> Move {
        self.candidates[index].mv
    }

    /// All candidates with their ratings.
    pub(super) fn rated(&self) -> impl Iterator<Item = (Move, i32)> {
        let candidates = self.candidates.iter();
        candidates.map(|candidate| (candidate.mv, candidate.rating))
    }
}
