//! Finding every turn of a position.

use super::super::turn_rules::Taking;
use super::super::{Capture, ChainRule};
use super::captures::{FirstSteps, STRONG, axis, for_each_direction, line, movers, second_steps};
use super::neighbourhood::{capturing_options, directions, line_towards, lines, step};
use super::{TurnRules, Visitor};
use crate::board::{opposite, shift};

/// A capturing turn that is under way.
#[derive(Clone, Copy)]
struct Chain {
    /// Where the stone came from; a single bit.
    from: u64,
    /// Where it stands; a single bit.
    at: u64,
    /// Empty points that it has not been on in this turn.
    free: u64,
    /// Enemy stones still on the board.
    enemy: u64,
    /// Enemy stones removed in this turn.
    captured: u64,
    /// Whether it has taken more than one step.
    chained: bool,
}

impl Chain {
    /// The turn after one more capturing step to `to` that removes `taken`.
    #[inline(always)]
    fn step(&self, to: u64, taken: u64) -> Chain {
        Chain {
            from: self.from,
            at: to,
            free: (self.free & !to) | taken,
            enemy: self.enemy & !taken,
            captured: self.captured | taken,
            chained: true,
        }
    }
}

/// Reports every turn of the side with the stones `own` to `visitor`.
pub(super) fn walk<T: TurnRules, V: Visitor>(turn: T, own: u64, enemy: u64, visitor: &mut V) {
    if own == 0 || enemy == 0 {
        return;
    }
    let steps = FirstSteps::find(turn, own, enemy);
    if steps.any() {
        walk_captures(turn, own, enemy, &steps, visitor);
        if turn.compulsory() {
            return;
        }
    }
    let empty = turn.board().bits() & !(own | enemy);
    for_each_direction!(D, {
        // A step that lines up with an enemy stone captures; it is never a paika.
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

/// Whether first steps answer at once, for the rules of this turn, if a capturing turn can go on.
#[inline(always)]
fn knows_second_steps<T: TurnRules>(turn: T) -> bool {
    !turn.any_direction() && turn.taking() == Taking::Line && turn.chain() != ChainRule::Single
}

fn walk_captures<T: TurnRules, V: Visitor>(
    turn: T,
    own: u64,
    enemy: u64,
    steps: &FirstSteps,
    visitor: &mut V,
) {
    let empty = turn.board().bits() & !(own | enemy);
    let goes_on = if knows_second_steps(turn) {
        second_steps(turn, own, enemy)
    } else {
        [u64::MAX; 4]
    };
    for_each_direction!(D, {
        let mut landings = steps.approach[D];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let taken = taken::<T, D>(turn, enemy, shift::<D>(to));
            let chain = first_step(shift::<{ opposite(D) }>(to), to, empty, enemy, taken);
            visitor.enter(to, Some(Capture::Approach));
            after_step(turn, &chain, D, goes_on[axis(D)] & to != 0, visitor);
            visitor.leave();
        }
        let mut landings = steps.withdrawal[D];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let from = shift::<{ opposite(D) }>(to);
            let taken = taken::<T, { opposite(D) }>(turn, enemy, shift::<{ opposite(D) }>(from));
            let chain = first_step(from, to, empty, enemy, taken);
            visitor.enter(to, Some(Capture::Withdrawal));
            after_step(turn, &chain, D, goes_on[axis(D)] & to != 0, visitor);
            visitor.leave();
        }
    });
}

/// What a capturing step removes whose nearest stone is the single bit `first`, the rest of the line
/// lying behind it in the direction with index `D`.
#[inline(always)]
fn taken<T: TurnRules, const D: usize>(turn: T, enemy: u64, first: u64) -> u64 {
    match turn.taking() {
        Taking::OneStone => first,
        Taking::Line | Taking::Nothing => line::<D>(enemy, first),
    }
}

#[inline(always)]
fn first_step(from: u64, to: u64, empty: u64, enemy: u64, taken: u64) -> Chain {
    Chain {
        from,
        at: to,
        free: (empty & !to) | taken,
        enemy: enemy & !taken,
        captured: taken,
        chained: false,
    }
}

/// Reports the turns that begin with the steps of `chain`, the last of which went in the direction
/// with index `last`; `may_go_on` is false if it is known that no further step exists.
#[inline(always)]
fn after_step<T: TurnRules, V: Visitor>(
    turn: T,
    chain: &Chain,
    last: usize,
    may_go_on: bool,
    visitor: &mut V,
) {
    match turn.chain() {
        ChainRule::Single => visitor.turn(chain.from, chain.at, chain.captured, chain.chained),
        ChainRule::Free => {
            visitor.turn(chain.from, chain.at, chain.captured, chain.chained);
            if may_go_on {
                go_on(turn, chain, last, visitor);
            }
        }
        ChainRule::Full => {
            if !(may_go_on && go_on(turn, chain, last, visitor)) {
                visitor.turn(chain.from, chain.at, chain.captured, chain.chained);
            }
        }
    }
}

/// Reports every turn that goes on from `chain`; whether there is any.
fn go_on<T: TurnRules, V: Visitor>(turn: T, chain: &Chain, last: usize, visitor: &mut V) -> bool {
    let (approach, withdrawal) = next_steps(turn, chain, last);
    for direction in directions(approach) {
        let to = step(chain.at, direction);
        let next = chain.step(
            to,
            taken_towards(turn, chain.enemy, step(to, direction), direction),
        );
        visitor.enter(to, Some(Capture::Approach));
        after_step(turn, &next, direction, true, visitor);
        visitor.leave();
    }
    for direction in directions(withdrawal) {
        let to = step(chain.at, direction);
        let back = opposite(direction);
        let next = chain.step(
            to,
            taken_towards(turn, chain.enemy, step(chain.at, back), back),
        );
        visitor.enter(to, Some(Capture::Withdrawal));
        after_step(turn, &next, direction, true, visitor);
        visitor.leave();
    }
    approach | withdrawal != 0
}

/// The directions in which a turn can go on by approach and by withdrawal.
#[inline(always)]
fn next_steps<T: TurnRules>(turn: T, chain: &Chain, last: usize) -> (u8, u8) {
    let options = capturing_options(chain.at.trailing_zeros(), chain.free, chain.enemy);
    let mut allowed = lines(chain.at & STRONG != 0);
    if !turn.any_direction() {
        allowed &= !(1 << last);
    }
    (options.approach & allowed, options.withdrawal & allowed)
}

/// [`taken`] for a direction known only at run time.
#[inline(always)]
fn taken_towards<T: TurnRules>(turn: T, enemy: u64, first: u64, direction: usize) -> u64 {
    match turn.taking() {
        Taking::OneStone => first,
        Taking::Line | Taking::Nothing => line_towards(enemy, first, direction),
    }
}

/// A chain that is only counted: what [`Chain`] holds, less what counting does not need.
#[derive(Clone, Copy)]
struct CountedChain {
    at: u64,
    free: u64,
    enemy: u64,
}

impl CountedChain {
    /// The steps that the chain can go on with, one bit each: approach in direction 0 to 7, then
    /// withdrawal.
    #[inline(always)]
    fn next_steps<T: TurnRules>(self, turn: T, last: usize) -> u32 {
        let (at, free, enemy) = (self.at.trailing_zeros(), self.free, self.enemy);
        let options = capturing_options(at, free, enemy);
        let mut allowed = lines(self.at & STRONG != 0);
        if !turn.any_direction() {
            allowed &= !(1 << last);
        }
        u32::from(options.approach & allowed) | u32::from(options.withdrawal & allowed) << 8
    }

    /// The number of turns that go on from here with one of `steps`, if the player may stop after
    /// every step.
    fn count<T: TurnRules>(self, turn: T, mut steps: u32) -> u64 {
        let mut count = u64::from(steps.count_ones());
        while steps != 0 {
            let index = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            let direction = index & 7;
            let to = step(self.at, direction);
            let (near, away) = if index < 8 {
                (to, direction)
            } else {
                (self.at, opposite(direction))
            };
            let taken = taken_towards(turn, self.enemy, step(near, away), away);
            let next = CountedChain {
                at: to,
                free: (self.free & !to) | taken,
                enemy: self.enemy & !taken,
            };
            let next_steps = next.next_steps(turn, direction);
            // Most chains end here: no call for them.
            if next_steps != 0 {
                count += next.count(turn, next_steps);
            }
        }
        count
    }
}

/// The number of turns that go on from `chain`, if the player may stop after every step.
#[inline(always)]
fn count_on<T: TurnRules>(turn: T, chain: &Chain, last: usize) -> u64 {
    let chain = CountedChain {
        at: chain.at,
        free: chain.free,
        enemy: chain.enemy,
    };
    let steps = chain.next_steps(turn, last);
    if steps == 0 {
        0
    } else {
        chain.count(turn, steps)
    }
}

/// A visitor that only counts.
#[derive(Default)]
pub(super) struct PathCounter(pub(super) u64);

impl Visitor for PathCounter {
    #[inline(always)]
    fn turn(&mut self, _from: u64, _to: u64, _captured: u64, _chained: bool) {
        self.0 += 1;
    }
}

/// The number of turns of the side with the stones `own`.
///
/// First steps and paikas are counted a set at a time; only capturing turns that go on are followed.
pub(super) fn count<T: TurnRules>(turn: T, own: u64, enemy: u64, counter: &mut PathCounter) -> u64 {
    if own == 0 || enemy == 0 {
        return 0;
    }
    if !(turn.chain() == ChainRule::Free && knows_second_steps(turn) && turn.compulsory()) {
        walk(turn, own, enemy, counter);
        return counter.0;
    }
    let steps = FirstSteps::find(turn, own, enemy);
    let empty = turn.board().bits() & !(own | enemy);
    if !steps.any() {
        for_each_direction!(D, {
            counter.0 += u64::from((shift::<D>(movers::<D>(own)) & empty).count_ones());
        });
        return counter.0;
    }
    let goes_on = second_steps(turn, own, enemy);
    for_each_direction!(D, {
        let (approach, withdrawal) = (steps.approach[D], steps.withdrawal[D]);
        counter.0 += u64::from(approach.count_ones() + withdrawal.count_ones());
        let mut landings = approach & goes_on[axis(D)];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let taken = taken::<T, D>(turn, enemy, shift::<D>(to));
            let chain = first_step(shift::<{ opposite(D) }>(to), to, empty, enemy, taken);
            counter.0 += count_on(turn, &chain, D);
        }
        let mut landings = withdrawal & goes_on[axis(D)];
        while landings != 0 {
            let to = landings & landings.wrapping_neg();
            landings ^= to;
            let from = shift::<{ opposite(D) }>(to);
            let taken = taken::<T, { opposite(D) }>(turn, enemy, shift::<{ opposite(D) }>(from));
            let chain = first_step(from, to, empty, enemy, taken);
            counter.0 += count_on(turn, &chain, D);
        }
    });
    counter.0
}
