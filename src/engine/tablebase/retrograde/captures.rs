//! The outcomes of captures, by the outcomes of smaller slices in memory.

use std::ops::Range;
use std::sync::Arc;

use super::cell;
use crate::board::Bitboard;
use crate::rules::{Blocked, Rules, TurnRules, Visitor, visit_turns, with_variant};
use crate::tablebase::index::{Indices, SliceIndex};
use crate::tablebase::rules::TableRules;
use crate::tablebase::slice::Slice;
use crate::tablebase::value::{Wdl, pack, unpack};

/// The packed outcomes of slices in memory, by their numbers: two bits for a position.
#[derive(Debug)]
pub struct WdlTables {
    pub(super) indices: Arc<Indices>,
    slices: Vec<Option<(SliceIndex, Vec<u8>)>>,
}

impl WdlTables {
    /// None yet.
    pub fn new(indices: Arc<Indices>) -> WdlTables {
        let slices = vec![None; Slice::NUMBERS];
        WdlTables { indices, slices }
    }

    /// Adds the packed outcomes of a slice, or replaces them.
    pub fn add(&mut self, index: SliceIndex, outcomes: Vec<u8>) {
        let number = index.slice.number();
        self.slices[number] = Some((index, outcomes));
    }

    /// Puts those outcomes of captures in place that files do not store because captures are forced, into the packed
    /// outcomes of these `numbers` of a slice.
    pub fn add_captures(
        &self,
        rules: &TableRules,
        index: &SliceIndex,
        numbers: Range<u64>,
        packed: &mut [u8],
    ) {
        let outcomes: Vec<Wdl> = with_variant!(rules.rules(), |variant| {
            let turn = TableRules::turn(&variant);
            let outcome = |(place, number)| {
                let (own, other) = index.stones(number);
                let cell = first_cell(turn, rules.rules(), self, own.bits(), other.bits());
                match cell::is_decided_by_capture(cell) {
                    true => cell::value(cell).wdl,
                    false => unpack(packed, place),
                }
            };
            numbers.enumerate().map(outcome).collect()
        });
        pack(&outcomes, packed);
    }

    /// The outcome for the side to move, which has the stones `own`; a draw if unknown. Both sides have stones.
    #[inline]
    fn outcome(&self, own: u64, other: u64) -> Wdl {
        let known = Slice::new(own.count_ones(), other.count_ones())
            .and_then(|slice| self.slices[slice.number()].as_ref());
        match known {
            Some((index, outcomes)) => unpack(outcomes, index.number(own, other) as usize),
            None => Wdl::Draw,
        }
    }
}

/// Visits the turns of one position.
struct Turns<F> {
    own: u64,
    enemy: u64,
    outcome: F,
    best: Option<Wdl>,
    quiet: u8,
}

impl<F: FnMut(u64, u64) -> Wdl> Visitor for Turns<F> {
    #[inline(always)]
    fn turn(&mut self, from: u64, to: u64, captured: u64, _chained: bool) {
        if captured == 0 {
            self.quiet += 1;
        } else if self.best != Some(Wdl::Win) {
            let left = self.enemy & !captured;
            let outcome = if left == 0 {
                Wdl::Win
            } else {
                -(self.outcome)(left, self.own ^ from ^ to)
            };
            self.best = self.best.max(Some(outcome));
        }
    }
}

/// The best outcome of a capture, `None` if there is no capture, and the number of quiet moves. `outcome` is that of a
/// position after a capture, by the stones of the side to move and of the other one.
#[inline]
pub(in crate::tablebase) fn best_capture<T: TurnRules>(
    turn: T,
    own: u64,
    enemy: u64,
    outcome: impl FnMut(u64, u64) -> Wdl,
) -> (Option<Wdl>, u8) {
    let mut turns = Turns {
        own,
        enemy,
        outcome,
        best: None,
        quiet: 0,
    };
    let [own, enemy] = [own, enemy].map(Bitboard::from_bits);
    visit_turns(turn, own, enemy, &mut turns);
    (turns.best, turns.quiet)
}

/// The initial cell of a position, before quiet moves are propagated.
#[inline]
pub(super) fn first_cell<T: TurnRules>(
    turn: T,
    rules: &Rules,
    known: &WdlTables,
    own: u64,
    enemy: u64,
) -> u8 {
    match best_capture(turn, own, enemy, |own, other| known.outcome(own, other)) {
        (None, 0) => match rules.blocked {
            Blocked::Loss => cell::decided(Wdl::Loss, 0),
            // There are no tables where such a player passes.
            Blocked::Draw | Blocked::Pass => cell::DRAW,
        },
        (None, quiet) => quiet,
        (Some(Wdl::Win), _) if turn.rules().compulsory => cell::CAPTURE_WIN,
        (Some(Wdl::Draw), _) if turn.rules().compulsory => cell::CAPTURE_DRAW,
        (Some(Wdl::Loss), _) if turn.rules().compulsory => cell::CAPTURE_LOSS,
        (Some(Wdl::Win), _) => cell::decided(Wdl::Win, 1),
        (Some(Wdl::Loss), 0) => cell::decided(Wdl::Loss, 1),
        (Some(Wdl::Draw), 0) => cell::DRAW,
        (Some(Wdl::Loss), quiet) => quiet,
        // One more than there are quiet moves, so that the count never reaches 0.
        (Some(Wdl::Draw), quiet) => quiet + 1,
    }
}
