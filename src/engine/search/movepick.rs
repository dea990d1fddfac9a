//! Move ordering: tt move, captures by stones taken, killers, countermove, paikas by history.

use super::Parameters;
use super::history::History;
use super::tt::TtMove;
use super::worker::Frame;
use crate::board::{Move, Position};

const TT_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 22;
/// Bonus per captured stone: exceeds any history score.
const CAPTURED_STONE: i32 = 1 << 15;
const KILLERS: [i32; 2] = [1 << 21, (1 << 21) - 1];
const COUNTERMOVE: i32 = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    pub(super) score: i32,
}

/// Data used to score the moves of a node.
pub(super) struct MoveScorer<'a> {
    history: &'a History,
    position: &'a Position,
    parameters: &'a Parameters,
    /// The moves one and two plies earlier.
    previous: [Option<Move>; 2],
    killers: [Option<Move>; 2],
    countermove: Option<Move>,
}

impl<'a> MoveScorer<'a> {
    pub(super) fn new(
        history: &'a History,
        position: &'a Position,
        parameters: &'a Parameters,
        previous: [Option<Move>; 2],
        killers: [Option<Move>; 2],
    ) -> MoveScorer<'a> {
        MoveScorer {
            history,
            position,
            parameters,
            previous,
            killers,
            countermove: history.countermove(position, previous[0]),
        }
    }

    #[inline]
    fn score(&self, mv: Move) -> i32 {
        let value = self.history.value(self.position, mv);
        if mv.is_capture() {
            CAPTURE + mv.captured().count() as i32 * CAPTURED_STONE + value
        } else if self.killers[0] == Some(mv) {
            KILLERS[0]
        } else if self.killers[1] == Some(mv) {
            KILLERS[1]
        } else if self.countermove == Some(mv) {
            COUNTERMOVE
        } else {
            let history = self.history;
            let [after_other, after_own] = history.continuations(self.position, self.previous, mv);
            let after_other = i32::from(after_other) * self.parameters.continuation_order;
            let after_own = i32::from(after_own) * self.parameters.continuation_order_own;
            value + (after_other + after_own) / 100
        }
    }
}

/// Staged move picker of a node: first the tt move, then the others, scored only when needed. The moves
/// are in the frame of the ply.
pub(super) struct MovePicker {
    /// Number of moves returned.
    next: usize,
    /// Number of moves already sorted.
    sorted: usize,
    rest_scored: bool,
}

impl MovePicker {
    /// Picker for all moves of `frame`. A tt move that is not among them is ignored.
    #[inline]
    pub(super) fn new(frame: &mut Frame, tt_move: TtMove) -> MovePicker {
        frame.scored.clear();
        if tt_move.is_some()
            && let Some(&mv) = frame.moves.iter().find(|&&mv| tt_move.is(mv))
        {
            let score = TT_MOVE;
            frame.scored.push(ScoredMove { mv, score });
        }
        MovePicker {
            next: 0,
            sorted: frame.scored.len(),
            rest_scored: false,
        }
    }

    /// Picker for the tt move and the captures for which `promises` holds. Also returns the largest
    /// number of stones taken by an omitted capture, and the number of omitted captures.
    #[inline]
    pub(super) fn promising_captures(
        frame: &mut Frame,
        tt_move: TtMove,
        scorer: &MoveScorer<'_>,
        promises: impl Fn(Move) -> bool,
    ) -> (MovePicker, u32, u64) {
        let mut picker = MovePicker::new(frame, tt_move);
        picker.rest_scored = true;
        if frame
            .scored
            .pop_if(|first| !first.mv.is_capture())
            .is_some()
        {
            picker.sorted = 0;
        }
        let (mut largest, mut left_out) = (0, 0);
        frame.score_rest(scorer, |mv| {
            let is_wanted = mv.is_capture() && promises(mv);
            if mv.is_capture() && !is_wanted {
                largest = largest.max(mv.captured().count());
                left_out += 1;
            }
            is_wanted
        });
        (picker, largest, left_out)
    }

    /// The next move; `scorer` is called when moves have to be scored.
    #[inline]
    pub(super) fn next<'a>(
        &mut self,
        frame: &mut Frame,
        scorer: impl FnOnce([Option<Move>; 2]) -> MoveScorer<'a>,
    ) -> Option<Move> {
        if !self.rest_scored && self.next == frame.scored.len() {
            self.rest_scored = true;
            if frame.moves.len() > self.next {
                frame.score_rest(&scorer(frame.killers), |_| true);
            }
        }
        let mv = self.select(frame)?;
        self.next += 1;
        Some(mv)
    }

    /// The next move, if already known.
    #[inline]
    pub(super) fn peek(&mut self, frame: &mut Frame) -> Option<Move> {
        match self.rest_scored {
            true => self.select(frame),
            false => None,
        }
    }

    /// Selection sort: moves the best remaining move to the front.
    #[inline]
    fn select(&mut self, frame: &mut Frame) -> Option<Move> {
        let rest = frame.scored.get_mut(self.next..)?;
        if self.sorted == self.next {
            let mut best = 0;
            let mut score = rest.first()?.score;
            for (index, scored) in rest.iter().enumerate().skip(1) {
                if scored.score > score {
                    (best, score) = (index, scored.score);
                }
            }
            rest.swap(0, best);
            self.sorted += 1;
        }
        rest.first().map(|scored| scored.mv)
    }
}

impl Frame {
    /// Scores the wanted moves, except the tt move if there is one.
    #[inline]
    pub(super) fn score_rest(
        &mut self,
        scorer: &MoveScorer<'_>,
        mut is_wanted: impl FnMut(Move) -> bool,
    ) {
        let first = self.scored.first().map(|first| first.mv);
        for &mv in self.moves.iter() {
            if Some(mv) != first && is_wanted(mv) {
                let score = scorer.score(mv);
                self.scored.push(ScoredMove { mv, score });
            }
        }
    }
}
