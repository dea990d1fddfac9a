//! Move-ordering statistics of one thread: history of paikas and captures, countermoves, and
//! continuation history of paikas (<https://www.chessprogramming.org/History_Heuristic>).

use crate::board::{Move, Position};

/// Largest value in the history tables.
const HISTORY_MOST: i32 = 16_384;

/// Values from −[`HISTORY_MOST`] to [`HISTORY_MOST`], by side to move, origin and end point.
type ButterflyTable = [[[i16; 64]; 64]; 2];

/// Move statistics of one thread, kept between searches. Butterfly values are halved at the start of a search.
#[derive(Clone)]
pub(super) struct History {
    paikas: Box<ButterflyTable>,
    captures: Box<ButterflyTable>,
    /// The paika that refuted the previous move, by that move's side, origin and end point.
    countermoves: Box<[[[Option<Move>; 64]; 64]; 2]>,
    /// Paikas by the moves one and two plies earlier: side to move, how far back, whether that was a
    /// capture and its end point, then origin and direction. Not halved between searches: that would
    /// take longer than a short search.
    continuations: Vec<i16>,
}

/// Directions of a paika.
const DIRECTIONS: usize = 8;

/// Direction number, by the difference of the points' indices plus 11.
const DIRECTION: [u8; 23] = {
    let mut numbers = [0; 23];
    let differences = [-11, -10, -9, -1, 1, 9, 10, 11];
    let mut number = 0;
    while number < DIRECTIONS {
        numbers[(differences[number] + 11) as usize] = number as u8;
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
            paikas: Box::new([[[0; 64]; 64]; 2]),
            captures: Box::new([[[0; 64]; 64]; 2]),
            countermoves: Box::new([[[None; 64]; 64]; 2]),
            continuations: vec![0; 2 * 2 * 2 * 64 * 64 * DIRECTIONS],
        }
    }

    /// Clears all statistics.
    pub(super) fn clear(&mut self) {
        *self = History::new();
    }

    /// Halves the butterfly values, so that new results outweigh those of earlier searches.
    pub(super) fn fade(&mut self) {
        for table in [&mut self.paikas, &mut self.captures] {
            for value in table.iter_mut().flatten().flatten() {
                *value /= 2;
            }
        }
    }

    /// History score of `mv`; larger is better.
    #[inline]
    pub(super) fn value(&self, position: &Position, mv: Move) -> i32 {
        let table = match mv.is_capture() {
            true => &self.captures,
            false => &self.paikas,
        };
        i32::from(table[position.side().index()][mv.from().index()][mv.to().index()])
    }

    /// Adds a bonus (or malus, if negative) to a move. Values saturate: the nearer the limit, the less is added.
    pub(super) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        let table = match mv.is_capture() {
            true => &mut self.captures,
            false => &mut self.paikas,
        };
        add(
            &mut table[position.side().index()][mv.from().index()][mv.to().index()],
            bonus,
        );
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
                add(&mut self.continuations[place], bonus);
            }
        }
    }

    /// The countermove to `previous`, a move of the side that is not to move at `position`.
    pub(super) fn countermove(&self, position: &Position, previous: Option<Move>) -> Option<Move> {
        let previous = previous?;
        let side = position.side().opponent().index();
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
            let side = position.side().opponent().index();
            self.countermoves[side][previous.from().index()][previous.to().index()] = Some(mv);
        }
    }
}

/// Adds a bonus; the nearer the limit, the less.
#[inline]
fn add(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let bonus = bonus.clamp(-HISTORY_MOST, HISTORY_MOST);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MOST) as i16;
}
