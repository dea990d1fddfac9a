//! What a thread has learned about moves: history of paikas and captures, killers, replies.

use super::parameters::HISTORY_MOST;
use crate::board::{Move, Position};

/// Values from −[`HISTORY_MOST`] to [`HISTORY_MOST`], by side to move, origin and end point.
type ButterflyTable = [[[i16; 64]; 64]; 2];

/// Move statistics of one thread. They outlive a search and fade at the beginning of the next.
#[derive(Clone)]
pub(super) struct History {
    paikas: Box<ButterflyTable>,
    captures: Box<ButterflyTable>,
    /// The paika that refuted the move before, by that move's side, origin and end point.
    replies: Box<[[[Option<Move>; 64]; 64]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            paikas: Box::new([[[0; 64]; 64]; 2]),
            captures: Box::new([[[0; 64]; 64]; 2]),
            replies: Box::new([[[None; 64]; 64]; 2]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = History::new();
    }

    /// Halves all values: what was learned in the search before still helps, but gives way.
    pub(super) fn fade(&mut self) {
        for table in [&mut self.paikas, &mut self.captures] {
            for value in table.iter_mut().flatten().flatten() {
                *value /= 2;
            }
        }
    }

    fn table(&self, mv: Move) -> &ButterflyTable {
        if mv.is_capture() {
            &self.captures
        } else {
            &self.paikas
        }
    }

    /// How well `mv` has done; larger is better.
    #[inline]
    pub(super) fn value(&self, position: &Position, mv: Move) -> i32 {
        let side = position.side().index();
        i32::from(self.table(mv)[side][mv.from().index()][mv.to().index()])
    }

    /// Rewards (or, with a negative bonus, punishes) a move. Values saturate: the nearer the most,
    /// the less is added.
    pub(super) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        let table = if mv.is_capture() {
            &mut self.captures
        } else {
            &mut self.paikas
        };
        let value = &mut table[position.side().index()][mv.from().index()][mv.to().index()];
        let old = i32::from(*value);
        let bonus = bonus.clamp(-HISTORY_MOST, HISTORY_MOST);
        *value = (old + bonus - old * bonus.abs() / HISTORY_MOST) as i16;
    }

    /// The paika that refuted `previous`, a move of the side that is not to move at `position`.
    pub(super) fn reply(&self, position: &Position, previous: Option<Move>) -> Option<Move> {
        let previous = previous?;
        let side = position.side().opponent().index();
        self.replies[side][previous.from().index()][previous.to().index()]
    }

    /// Notes that the paika `mv` refuted `previous`.
    pub(super) fn set_reply(&mut self, position: &Position, previous: Option<Move>, mv: Move) {
        if let Some(previous) = previous {
            let side = position.side().opponent().index();
            self.replies[side][previous.from().index()][previous.to().index()] = Some(mv);
        }
    }
}
