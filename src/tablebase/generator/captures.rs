//! What captures make of a position, from the outcomes of smaller slices.

use super::cell;
use super::knowledge::Knowledge;
use crate::board::Bitboard;
use crate::rules::{Blocked, Rules, TurnRules, Visitor, visit_turns};
use crate::tablebase::value::Wdl;

/// Looks at the turns of one position.
struct Survey<'a> {
    knowledge: &'a Knowledge,
    own: u64,
    enemy: u64,
    /// The best that a capture achieves, `None` if there is no capture.
    best: Option<Wdl>,
    /// How many quiet moves there are.
    quiet: u8,
}

impl Visitor for Survey<'_> {
    #[inline(always)]
    fn turn(&mut self, from: u64, to: u64, captured: u64, _chained: bool) {
        if captured == 0 {
            self.quiet += 1;
        } else if self.best != Some(Wdl::Win) {
            let left = self.enemy & !captured;
            let outcome = if left == 0 {
                Wdl::Win
            } else {
                -self.knowledge.outcome(left, self.own ^ from ^ to)
            };
            self.best = self.best.max(Some(outcome));
        }
    }
}

/// The cell with which a position begins, before any quiet move is followed.
#[inline]
pub(super) fn first_cell<T: TurnRules>(
    turn: T,
    rules: &Rules,
    knowledge: &Knowledge,
    own: u64,
    enemy: u64,
) -> u8 {
    let mut survey = Survey {
        knowledge,
        own,
        enemy,
        best: None,
        quiet: 0,
    };
    let [own, enemy] = [own, enemy].map(Bitboard::from_bits);
    visit_turns(turn, own, enemy, &mut survey);
    match (survey.best, survey.quiet) {
        (None, 0) => match rules.blocked {
            Blocked::Loss => cell::decided(Wdl::Loss, 0),
            Blocked::Draw => cell::DRAW,
        },
        (None, quiet) => quiet,
        (Some(Wdl::Win), _) if turn.compulsory() => cell::CAPTURE_WIN,
        (Some(Wdl::Draw), _) if turn.compulsory() => cell::CAPTURE_DRAW,
        (Some(Wdl::Loss), _) if turn.compulsory() => cell::CAPTURE_LOSS,
        (Some(Wdl::Win), _) => cell::decided(Wdl::Win, 1),
        (Some(Wdl::Loss), 0) => cell::decided(Wdl::Loss, 1),
        (Some(Wdl::Draw), 0) => cell::DRAW,
        (Some(Wdl::Loss), quiet) => quiet,
        // The capture is one more way not to lose.
        (Some(Wdl::Draw), quiet) => quiet + 1,
    }
}
