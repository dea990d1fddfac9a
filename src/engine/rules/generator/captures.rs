//! Capturing first steps, found for all stones at once.

use super::super::turn_rules::Taking;
use super::TurnRules;
use crate::board::{Bitboard, DIAGONALS, EAST, WEST, opposite, shift};

pub(super) const STRONG: u64 = Bitboard::STRONG.bits();

/// Runs a block once per direction, with `$d` the direction's index as a constant.
macro_rules! for_each_direction {
    ($d:ident, $body:block) => {{
        for_each_direction!(@ $d, $body, 0, 1, 2, 3, 4, 5, 6, 7);
    }};
    (@ $d:ident, $body:block, $($index:literal),+) => {
        $({
            const $d: usize = $index;
            $body
        })+
    };
}
pub(super) use for_each_direction;

/// The stones of `own` that have a line in the direction with index `D`.
#[inline(always)]
pub(super) const fn movers<const D: usize>(own: u64) -> u64 {
    if DIAGONALS & 1 << D != 0 {
        own & STRONG
    } else {
        own
    }
}

/// Landing points of capturing first steps of the side to move, by direction.
#[derive(Clone, Copy)]
pub(super) struct FirstSteps {
    pub(super) approach: [u64; 8],
    pub(super) withdrawal: [u64; 8],
}

impl FirstSteps {
    /// Computes them; none for a side that may not capture or has no enemy.
    #[inline(always)]
    pub(super) fn find<T: TurnRules>(turn: T, own: u64, enemy: u64) -> FirstSteps {
        let mut steps = FirstSteps {
            approach: [0; 8],
            withdrawal: [0; 8],
        };
        if turn.rules().taking == Taking::Nothing {
            return steps;
        }
        let empty = turn.rules().board.bits() & !(own | enemy);
        for_each_direction!(D, {
            let landing = shift::<D>(movers::<D>(own)) & empty;
            steps.approach[D] = landing & shift::<{ opposite(D) }>(enemy);
            steps.withdrawal[D] = landing & shift::<D>(shift::<D>(enemy));
        });
        steps
    }

    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        let mut all = 0;
        for_each_direction!(D, {
            all |= self.approach[D] | self.withdrawal[D];
        });
        all != 0
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        let mut count = 0;
        for_each_direction!(D, {
            count += self.approach[D].count_ones() + self.withdrawal[D].count_ones();
        });
        count
    }
}

/// The number of steps to an empty neighbouring point.
#[inline(always)]
pub(super) fn open_steps<T: TurnRules>(turn: T, own: u64, enemy: u64) -> u32 {
    let empty = turn.rules().board.bits() & !(own | enemy);
    let mut count = 0;
    for_each_direction!(D, {
        count += (shift::<D>(movers::<D>(own)) & empty).count_ones();
    });
    count
}

/// Whether there is a step to an empty neighbouring point.
#[inline(always)]
pub(super) fn can_step<T: TurnRules>(turn: T, own: u64, enemy: u64) -> bool {
    let empty = turn.rules().board.bits() & !(own | enemy);
    let mut all = 0;
    for_each_direction!(D, {
        all |= shift::<D>(movers::<D>(own)) & empty;
    });
    all != 0
}

/// Whether a player that has no step passes.
#[inline(always)]
pub(super) fn may_pass<T: TurnRules>(turn: T, own: u64, enemy: u64) -> bool {
    // Next to an empty point one of the two has a stone that can move there, unless no point is empty.
    turn.rules().passes && turn.rules().board.bits() & !(own | enemy) != 0
}

/// The axis (0 to 3) of the direction with index `direction`; 0 and 2 are diagonal.
#[inline(always)]
pub(super) const fn axis(direction: usize) -> usize {
    if direction < 4 {
        direction
    } else {
        opposite(direction)
    }
}

/// For each axis, the points from which a stone that has just arrived along that axis can capture
/// again along another one.
///
/// With `direction=change` this is exact, for all first steps at once: the first step captures on its
/// own axis, which the second step may not use (ahead is forbidden, back is the origin), so the lines
/// along the other axes are unchanged.
#[inline(always)]
pub(super) fn second_steps<T: TurnRules>(turn: T, own: u64, enemy: u64) -> [u64; 4] {
    let empty = turn.rules().board.bits() & !(own | enemy);
    let mut along = [0; 4];
    for_each_direction!(D, {
        let target_beyond = shift::<{ opposite(D) }>(shift::<{ opposite(D) }>(enemy));
        let target_behind = shift::<D>(enemy);
        along[axis(D)] |= shift::<{ opposite(D) }>(empty) & (target_beyond | target_behind);
    });
    along[0] &= STRONG;
    along[2] &= STRONG;
    [
        along[1] | along[2] | along[3],
        along[0] | along[2] | along[3],
        along[0] | along[1] | along[3],
        along[0] | along[1] | along[2],
    ]
}

/// The unbroken line of `enemy` stones that starts at the single bit `first` (one of them) and runs
/// in the direction with index `D`.
#[inline(always)]
pub(super) fn line<const D: usize>(enemy: u64, first: u64) -> u64 {
    match D {
        // A line along a row has up to seven stones. Adding the first bit carries through the line and
        // stops at the first point without an enemy, at the latest in the gap column.
        EAST => enemy & !enemy.wrapping_add(first),
        // The same downwards: from `first` down to the highest bit below it without an enemy.
        WEST => {
            let below = !enemy & (first - 1);
            let rest = u64::MAX.checked_shr(below.leading_zeros()).unwrap_or(0);
            (first | (first - 1)) & !rest
        }
        // In all other directions a line has at most three stones.
        _ => {
            let second = shift::<D>(first) & enemy;
            first | second | (shift::<D>(second) & enemy)
        }
    }
}
