//! Statistics of one thread. For move ordering: history of paikas and captures, countermoves, and
//! continuation history of paikas (<https://www.chessprogramming.org/History_Heuristic>). For the static
//! evaluation: by how much searches differed from it
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use crate::board::{Move, OFFSETS, Position};
use crate::eval::MOST_EVALUATION;

const HISTORY_MOST: i32 = 16_384;

/// Values from −[`HISTORY_MOST`] to [`HISTORY_MOST`], by side to move, origin and end point.
type ButterflyTable = [[[i16; 64]; 64]; 2];

/// Move statistics of one thread, kept between searches. Butterfly values are halved at the start of a search.
#[derive(Clone)]
pub(super) struct History {
    /// Paikas, then captures.
    butterfly: Box<[ButterflyTable; 2]>,
    /// The paika that refuted the previous move, by that move's side, origin and end point.
    countermoves: Box<[[[Option<Move>; 64]; 64]; 2]>,
    /// Paikas by the moves one and two plies earlier: side to move, how far back, whether that was a
    /// capture and its end point, then origin and direction. Not halved between searches: that would
    /// take longer than a short search.
    continuations: Vec<i16>,
    /// Errors of the static evaluation, by side to move and a hash of, in this order, its stones, the other
    /// stones, and the last move.
    corrections: Vec<[i16; 3]>,
}

/// Entries of the correction history for each side to move.
const CORRECTIONS: usize = 1 << 14;
const CORRECTION_MOST: i32 = 8_192;
/// Values of the correction history that are worth one unit of the evaluation.
const CORRECTION_UNIT: i32 = 64;

const DIRECTIONS: usize = 8;

/// Direction number, by the difference of the points' indices plus 11.
const DIRECTION: [u8; 23] = {
    let mut numbers = [0; 23];
    let mut number = 0;
    while number < DIRECTIONS {
        numbers[(OFFSETS[number] + 11) as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// Index of a paika in the continuation history, after `previous`, played `back` + 1 plies earlier.
#[inline]
fn place(position: &Position, back: usize, previous: Move, mv: Move) -> usize {
    let mut place = position.side().index() * 2 + back;
    place = place * 2 + usize::from(previous.is_capture());
    place = place * 64 + previous.to().index();
    place = place * 64 + mv.from().index();
    let difference = mv.to().index() + 11 - mv.from().index();
    place * DIRECTIONS + usize::from(DIRECTION.get(difference).copied().unwrap_or(0))
}

impl History {
    pub(super) fn new() -> History {
        History {
            butterfly: Box::new([[[[0; 64]; 64]; 2]; 2]),
            countermoves: Box::new([[[None; 64]; 64]; 2]),
            continuations: vec![0; 2 * 2 * 2 * 64 * 64 * DIRECTIONS],
            corrections: vec![[0; 3]; 2 * CORRECTIONS],
        }
    }

    pub(super) fn clear(&mut self) {
        *self = History::new();
    }

    /// Halves the butterfly values, so that new results outweigh those of earlier searches.
    pub(super) fn fade(&mut self) {
        for value in self.butterfly.iter_mut().flatten().flatten().flatten() {
            *value /= 2;
        }
    }

    /// History score of `mv`; larger is better.
    #[inline]
    pub(super) fn value(&self, position: &Position, mv: Move) -> i32 {
        let table = &self.butterfly[usize::from(mv.is_capture())];
        i32::from(table[position.side().index()][mv.from().index()][mv.to().index()])
    }

    /// Adds a bonus (or malus, if negative) to a move. Values saturate: the nearer the limit, the less is added.
    pub(super) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        let table = &mut self.butterfly[usize::from(mv.is_capture())];
        let value = &mut table[position.side().index()][mv.from().index()][mv.to().index()];
        add(value, bonus, HISTORY_MOST);
    }

    /// Continuation history score of the paika `mv`; `previous` are the moves one and two plies earlier.
    #[inline]
    pub(super) fn continuations(
        &self,
        position: &Position,
        previous: [Option<Move>; 2],
        mv: Move,
    ) -> [i16; 2] {
        let after = |back: usize| match previous[back] {
            Some(previous) => self.continuations[place(position, back, previous, mv)],
            None => 0,
        };
        [after(0), after(1)]
    }

    /// Adds a bonus or malus to the continuation history of the paika `mv`.
    pub(super) fn update_continuations(
        &mut self,
        position: &Position,
        previous: [Option<Move>; 2],
        mv: Move,
        bonus: i32,
    ) {
        for (back, previous) in previous.into_iter().enumerate() {
            if let Some(previous) = previous {
                let place = place(position, back, previous, mv);
                add(&mut self.continuations[place], bonus, HISTORY_MOST);
            }
        }
    }

    /// The static evaluation of `position`, reached by the move `previous`, corrected by what searches of
    /// similar positions found.
    #[inline(always)]
    pub(super) fn corrected(
        &self,
        position: &Position,
        previous: Option<Move>,
        evaluation: i32,
    ) -> i32 {
        let [own, other, last] = correction_places(position, previous);
        let table = &self.corrections;
        let sum = i32::from(table[own][0]) + i32::from(table[other][1]) + i32::from(table[last][2]);
        let correction = sum / CORRECTION_UNIT;
        (evaluation + correction).clamp(-MOST_EVALUATION, MOST_EVALUATION)
    }

    /// Learns that a search `depth` plies deep found `error` more than the corrected static evaluation.
    pub(super) fn correct(
        &mut self,
        position: &Position,
        previous: Option<Move>,
        depth: i32,
        error: i32,
    ) {
        let bonus = (4 * error * depth).clamp(-CORRECTION_MOST / 4, CORRECTION_MOST / 4);
        let places = correction_places(position, previous);
        for (kind, place) in places.into_iter().enumerate() {
            add(&mut self.corrections[place][kind], bonus, CORRECTION_MOST);
        }
    }

    /// The countermove to `previous`, a move of the side that is not to move at `position`.
    pub(super) fn countermove(&self, position: &Position, previous: Option<Move>) -> Option<Move> {
        let previous = previous?;
        let side = (!position.side()).index();
        self.countermoves[side][previous.from().index()][previous.to().index()]
    }

    /// Stores the paika `mv` as the countermove to `previous`.
    pub(super) fn set_countermove(
        &mut self,
        position: &Position,
        previous: Option<Move>,
        mv: Move,
    ) {
        if let Some(previous) = previous {
            let side = (!position.side()).index();
            self.countermoves[side][previous.from().index()][previous.to().index()] = Some(mv);
        }
    }
}

#[inline(always)]
fn correction_places(position: &Position, previous: Option<Move>) -> [usize; 3] {
    const SHIFT: u32 = u64::BITS - CORRECTIONS.trailing_zeros();
    let place = |bits: u64| {
        let hash = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> SHIFT;
        2 * hash as usize + position.side().index()
    };
    let last = previous.map_or(0, |mv| mv.from().index() + 64 * mv.to().index() + 1);
    [
        place(position.own().bits()),
        place(position.enemy().bits()),
        place(last as u64),
    ]
}

/// Adds a bonus; the nearer the limit `most`, the less.
#[inline]
fn add(value: &mut i16, bonus: i32, most: i32) {
    let old = i32::from(*value);
    let bonus = bonus.clamp(-most, most);
    *value = (old + bonus - old * bonus.abs() / most) as i16;
}
