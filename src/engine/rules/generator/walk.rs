//! Finding every turn of a position.

use super::super::turn_rules::Taking;
use super::super::{Capture, ChainRule};
use super::captures::{
    FirstSteps, axis, can_step, for_each_direction, line, may_pass, movers, open_steps,
    second_steps,
};
use super::stone::{CapturingStep, Stone};
use super::{TurnRules, Visitor};
use crate::board::{Move, opposite, shift};

/// A capturing turn in progress.
#[derive(Clone, Copy)]
struct Chain {
    stone: Stone,
    /// Its origin; a single bit.
    from: u64,
    /// Enemy stones captured so far.
    captured: u64,
    /// The index of the direction of the last step.
    last: usize,
    chained: bool,
}

impl Chain {
    /// The turn that begins with `step` of `stone`.
    #[inline(always)]
    fn first(stone: Stone, step: &CapturingStep) -> Chain {
        Chain {
            stone: stone.after(step),
            from: stone.at,
            captured: step.taken,
            last: step.direction,
            chained: false,
        }
    }

    #[inline(always)]
    fn after(&self, step: &CapturingStep) -> Chain {
        Chain {
            stone: self.stone.after(step),
            from: self.from,
            captured: self.captured | step.taken,
            last: step.direction,
            chained: true,
        }
    }

    /// Reports that the turn can end here.
    #[inline(always)]
    fn report<V: Visitor>(&self, visitor: &mut V) {
        visitor.turn(self.from, self.stone.at, self.captured, self.chained);
    }
}

/// Reports every turn of the side with the stones `own` to `visitor`.
pub(super) fn walk<T: TurnRules, V: Visitor>(turn: T, own: u64, enemy: u64, visitor: &mut V) {
    if own == 0 || enemy == 0 {
        return;
    }
    let steps = FirstSteps::find(turn, own, enemy);
    let empty = turn.rules().board.bits() & !(own | enemy);
    if steps.any() {
        let goes_on = if knows_second_steps(turn) {
            second_steps(turn, own, enemy)
        } else {
            [u64::MAX; 4]
        };
        for_each_first_step(turn, empty, enemy, &steps, |stone, step| {
            let may_go_on = goes_on[axis(step.direction)] & step.to != 0;
            visitor.enter(step.to, Some(step.capture));
            after_step(turn, &Chain::first(stone, &step), may_go_on, visitor);
            visitor.leave();
        });
        if turn.rules().compulsory {
            return;
        }
    }
    if turn.rules().must_eat {
        return;
    }
    if may_pass(turn, own, enemy) && !can_step(turn, own, enemy) {
        let nowhere = 1 << Move::PASS.from().index();
        visitor.turn(nowhere, nowhere, 0, false);
    }
    for_each_direction!(D, {
        // A step in line with an enemy stone captures; it is never a paika.
        let mut landings =
            shift::<D>(movers::<D>(own)) & empty & !(steps.approach[D] | steps.withdrawal[D]);
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            visitor.enter(to, None);
            visitor.turn(shift::<{ opposite(D) }>(to), to, 0, false);
            visitor.leave();
        }
    });
}

/// Whether, under the rules of this turn, the first step alone tells if a capturing turn can go on.
#[inline(always)]
fn knows_second_steps<T: TurnRules>(turn: T) -> bool {
    !turn.rules().any_direction
        && turn.rules().taking == Taking::Line
        && turn.rules().chain != ChainRule::Single
}

/// Calls `each` with every capturing first step in `steps` and its stone.
#[inline(always)]
fn for_each_first_step<T: TurnRules>(
    turn: T,
    empty: u64,
    enemy: u64,
    steps: &FirstSteps,
    mut each: impl FnMut(Stone, CapturingStep),
) {
    for_each_direction!(D, {
        let mut landings = steps.approach[D];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let step = CapturingStep {
                to,
                taken: taken::<T, D>(turn, enemy, shift::<D>(to)),
                direction: D,
                capture: Capture::Approach,
            };
            each(Stone::new(shift::<{ opposite(D) }>(to), empty, enemy), step);
        }
        let mut landings = steps.withdrawal[D];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let from = shift::<{ opposite(D) }>(to);
            let step = CapturingStep {
                to,
                taken: taken::<T, { opposite(D) }>(turn, enemy, shift::<{ opposite(D) }>(from)),
                direction: D,
                capture: Capture::Withdrawal,
            };
            each(Stone::new(from, empty, enemy), step);
        }
    });
}

/// The stones captured by a step in the direction with index `D` whose nearest captured stone is the
/// single bit `first`.
#[inline(always)]
fn taken<T: TurnRules, const D: usize>(turn: T, enemy: u64, first: u64) -> u64 {
    match turn.rules().taking {
        Taking::OneStone => first,
        Taking::Line | Taking::Nothing => line::<D>(enemy, first),
    }
}

/// Reports the turns that begin with the steps of `chain`; `may_go_on` is false if it is known that
/// there is no further step.
#[inline(always)]
fn after_step<T: TurnRules, V: Visitor>(turn: T, chain: &Chain, may_go_on: bool, visitor: &mut V) {
    match turn.rules().chain {
        ChainRule::Single => chain.report(visitor),
        ChainRule::Free => {
            chain.report(visitor);
            if may_go_on {
                go_on(turn, chain, visitor);
            }
        }
        ChainRule::Full => {
            if !(may_go_on && go_on(turn, chain, visitor)) {
                chain.report(visitor);
            }
        }
    }
}

/// Reports every turn that continues `chain`; returns whether there is any.
fn go_on<T: TurnRules, V: Visitor>(turn: T, chain: &Chain, visitor: &mut V) -> bool {
    let mut steps = chain.stone.next_steps(turn, chain.last);
    let goes_on = !steps.is_empty();
    while !steps.is_empty() {
        let step = chain.stone.take_first(turn, &mut steps);
        visitor.enter(step.to, Some(step.capture));
        after_step(turn, &chain.after(&step), true, visitor);
        visitor.leave();
    }
    goes_on
}

/// The number of turns of the side with the stones `own`.
///
/// Under the common rules first steps and paikas are counted set-wise; only capturing turns that go on
/// are followed.
pub(super) fn count<T: TurnRules>(turn: T, own: u64, enemy: u64) -> u64 {
    if own == 0 || enemy == 0 {
        return 0;
    }
    if !(turn.rules().chain == ChainRule::Free
        && knows_second_steps(turn)
        && turn.rules().compulsory)
    {
        let mut count = 0;
        walk(turn, own, enemy, &mut |_, _, _, _| count += 1);
        return count;
    }
    let mut steps = FirstSteps::find(turn, own, enemy);
    if !steps.any() {
        let pass = u32::from(may_pass(turn, own, enemy));
        return u64::from(open_steps(turn, own, enemy).max(pass));
    }
    let mut count = u64::from(steps.count());
    let goes_on = second_steps(turn, own, enemy);
    for_each_direction!(D, {
        steps.approach[D] &= goes_on[axis(D)];
        steps.withdrawal[D] &= goes_on[axis(D)];
    });
    let empty = turn.rules().board.bits() & !(own | enemy);
    for_each_first_step(turn, empty, enemy, &steps, |stone, step| {
        let next = stone.after(&step);
        let next_steps = next.next_steps(turn, step.direction);
        count += next.count_turns(turn, next_steps);
    });
    count
}
