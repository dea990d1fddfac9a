//! A stone on its way through a capturing turn.

use super::super::turn_rules::{Taking, TurnRules};
use super::captures::STRONG;
use super::neighbourhood::{capturing_options, line_towards, lines, step};
use crate::board::opposite;
use crate::rules::Capture;

/// What decides how a capturing turn can go on.
#[derive(Clone, Copy)]
pub(super) struct Stone {
    /// Where the stone stands; a single bit.
    pub(super) at: u64,
    /// Empty points that it has not been on in this turn.
    free: u64,
    /// Enemy stones still on the board.
    enemy: u64,
}

/// A capturing step.
#[derive(Clone, Copy)]
pub(super) struct CapturingStep {
    /// The point that the stone lands on; a single bit.
    pub(super) to: u64,
    /// The stones that fall.
    pub(super) taken: u64,
    /// The index of its direction.
    pub(super) direction: usize,
    pub(super) capture: Capture,
}

/// Capturing steps of one stone, one bit each: by approach in direction 0 to 7, then by withdrawal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct StepSet(u32);

impl StepSet {
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }
}

impl Stone {
    /// A stone on the point of the single bit `at` before its turn.
    #[inline(always)]
    pub(super) fn new(at: u64, empty: u64, enemy: u64) -> Stone {
        Stone {
            at,
            free: empty,
            enemy,
        }
    }

    /// The stone after a step.
    #[inline(always)]
    pub(super) fn after(self, step: &CapturingStep) -> Stone {
        Stone {
            at: step.to,
            free: (self.free & !step.to) | step.taken,
            enemy: self.enemy & !step.taken,
        }
    }

    /// The steps that the turn can go on with; `last` is the index of the direction of the step
    /// before.
    #[inline(always)]
    pub(super) fn next_steps<T: TurnRules>(self, turn: T, last: usize) -> StepSet {
        let options = capturing_options(self.at.trailing_zeros(), self.free, self.enemy);
        let mut allowed = lines(self.at & STRONG != 0);
        if !turn.any_direction() {
            allowed &= !(1 << last);
        }
        let approach = u32::from(options.approach & allowed);
        let withdrawal = u32::from(options.withdrawal & allowed);
        StepSet(approach | withdrawal << 8)
    }

    /// Takes the first step out of `steps`, which must not be empty.
    #[inline(always)]
    pub(super) fn take_first<T: TurnRules>(self, turn: T, steps: &mut StepSet) -> CapturingStep {
        let index = steps.0.trailing_zeros() as usize;
        steps.0 &= steps.0 - 1;
        let direction = index & 7;
        let to = step(self.at, direction);
        let (near, away, capture) = if index < 8 {
            (to, direction, Capture::Approach)
        } else {
            (self.at, opposite(direction), Capture::Withdrawal)
        };
        let first = step(near, away);
        let taken = match turn.taking() {
            Taking::OneStone => first,
            Taking::Line | Taking::Nothing => line_towards(self.enemy, first, away),
        };
        CapturingStep {
            to,
            taken,
            direction,
            capture,
        }
    }

    /// The number of turns that go on from here with one of `steps`, if the player may stop after
    /// every step.
    pub(super) fn count_turns<T: TurnRules>(self, turn: T, mut steps: StepSet) -> u64 {
        let mut count = u64::from(steps.count());
        while !steps.is_empty() {
            let step = self.take_first(turn, &mut steps);
            let next = self.after(&step);
            let next_steps = next.next_steps(turn, step.direction);
            // Most turns end here: no call for them.
            if !next_steps.is_empty() {
                count += next.count_turns(turn, next_steps);
            }
        }
        count
    }
}
