//! The states of small windows as inputs.

use super::{Changes, Group, Inputs};
use crate::board::Bitboard;

/// Windows in a row of them.
const COLUMNS: u32 = 8;
/// Rows of windows.
const ROWS: u32 = 4;
/// States of a window: each of its four points is empty (0), or holds an own (1) or another (2) stone;
/// the points count 1, 3, 9 and 27, the lower row first.
const STATES: u16 = 81;
/// What a changed point costs, in features: six in a row change 14 windows, which makes 28 features.
const FEATURES_OF_POINT: u32 = 5;

/// The bits of the points of the window at the corner of the lattice.
const CORNER: u64 = 0b11 | 0b11 << 10;

/// A set of points of that window, as two bits of each row, to the sum of what its points count.
const SUMS: [u16; 16] = {
    let mut sums = [0; 16];
    let mut set = 0;
    while set < 16 {
        sums[set] = (set & 1) as u16
            + 3 * (set >> 1 & 1) as u16
            + 9 * (set >> 2 & 1) as u16
            + 27 * (set >> 3 & 1) as u16;
        set += 1;
    }
    sums
};

/// Each state of a window with own and other stones in exchange.
const SWAPPED: [u16; STATES as usize] = {
    let mut swapped = [0; STATES as usize];
    let mut state = 0;
    while state < STATES {
        let (mut rest, mut value, mut sum) = (state, 1, 0);
        while rest > 0 {
            sum += value * [0, 2, 1][(rest % 3) as usize];
            value *= 3;
            rest /= 3;
        }
        swapped[state as usize] = sum;
        state += 1;
    }
    swapped
};

/// The 32 windows of 2×2 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tuples {
    own: u64,
    other: u64,
}

/// The lattice index of the lowest point of a window.
#[inline(always)]
fn corner(window: u32) -> u32 {
    window / COLUMNS * 10 + window % COLUMNS
}

/// The number of the window whose lowest point has this lattice index.
#[inline(always)]
fn window_at(corner: u32) -> u32 {
    corner / 10 * COLUMNS + corner % 10
}

/// The lowest points of all windows.
const CORNERS: u64 = {
    let mut corners = 0;
    let mut window = 0;
    while window < COLUMNS * ROWS {
        corners |= 1 << (window / COLUMNS * 10 + window % COLUMNS);
        window += 1;
    }
    corners
};

impl Tuples {
    /// The feature of the window whose lowest point has this lattice index.
    #[inline(always)]
    fn feature(self, corner: u32) -> u16 {
        let sum = |stones: u64| {
            let window = stones >> corner & CORNER;
            SUMS[(window & 3 | window >> 8) as usize]
        };
        window_at(corner) as u16 * STATES + sum(self.own) + 2 * sum(self.other)
    }
}

impl Inputs for Tuples {
    const COUNT: usize = (COLUMNS * ROWS) as usize * STATES as usize;

    #[inline(always)]
    fn seen(own: Bitboard, other: Bitboard) -> Tuples {
        Tuples {
            own: own.bits(),
            other: other.bits(),
        }
    }

    #[inline(always)]
    fn swapped_feature(feature: u16) -> u16 {
        feature - feature % STATES + SWAPPED[usize::from(feature % STATES)]
    }

    #[inline(always)]
    fn difference(self, new: Tuples) -> u32 {
        FEATURES_OF_POINT * ((self.own ^ new.own) | (self.other ^ new.other)).count_ones()
    }

    #[inline(always)]
    fn difference_from_nothing(self) -> u32 {
        COLUMNS * ROWS
    }

    fn groups() -> Vec<Group> {
        (0..(COLUMNS * ROWS) as u16)
            .map(|window| Group {
                features: (window * STATES..(window + 1) * STATES).collect(),
                can_be_off: false,
            })
            .collect()
    }

    #[inline(always)]
    fn for_each_active(self, mut active: impl FnMut(u16)) {
        for window in 0..COLUMNS * ROWS {
            active(self.feature(corner(window)));
        }
    }

    #[inline(always)]
    fn add_changes(self, new: Tuples, changes: &mut Changes) {
        let changed = (self.own ^ new.own) | (self.other ^ new.other);
        // A point lies in the windows whose lowest points are it and the three below and before it.
        let mut corners = (changed | changed >> 1 | changed >> 10 | changed >> 11) & CORNERS;
        while corners != 0 {
            let corner = corners.trailing_zeros();
            changes.push(self.feature(corner), false);
            changes.push(new.feature(corner), true);
            corners &= corners - 1;
        }
    }
}
