//! Input features of a network: what each side sees of the stones, always as *own* and *other*.
//!
//! The state of each of the 32 windows of 2×2 points, of which 81 are possible, then the stones that could be
//! captured next: own ones, and others. 2,682 features, of which 32 and one for each such stone are on.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, DIAGONALS, shift};

pub(super) const POINTS: usize = 45;
pub(super) const ROWS: usize = 4;
pub(super) const COLUMNS: usize = 8;
pub(super) const WINDOWS: usize = ROWS * COLUMNS;
/// States of a window: each of its four points is empty (0), or holds an own (1) or another (2) stone;
/// the points count 1, 3, 9 and 27, the lower row first.
pub(super) const STATES: usize = 81;
/// The first feature of the own, and of the other stones that could be captured next.
pub(super) const VICTIMS: [usize; 2] = [WINDOWS * STATES, WINDOWS * STATES + POINTS];
/// All features.
pub const FEATURES: usize = VICTIMS[1] + POINTS;
/// Windows that a changed point changes, more or less: six in a row change 14.
const WINDOWS_OF_POINT: u32 = 3;

/// Numbers of features that are on: at most one for each window and each point.
pub type Active = ArrayVec<u16, { WINDOWS + POINTS }>;

/// Features of which at most one is on at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureGroup {
    /// The features, of which at most one is active.
    pub features: Vec<u16>,
    /// Whether all of them can be off.
    pub can_be_off: bool,
}

/// All features. What a position can add to a sum of the first layer follows from the groups: the
/// largest weight of each, whatever the position.
pub fn feature_groups() -> Vec<FeatureGroup> {
    let windows = (0..WINDOWS).map(|window| FeatureGroup {
        features: (0..STATES)
            .map(|state| (window * STATES + state) as u16)
            .collect(),
        can_be_off: false,
    });
    // A point holds an own victim or another.
    let points = (0..POINTS).map(|point| FeatureGroup {
        features: VICTIMS.map(|first| (first + point) as u16).into(),
        can_be_off: true,
    });
    windows.chain(points).collect()
}

/// The features that are on for the owner of `own`; clears the list first.
pub fn active_features(own: Bitboard, other: Bitboard, active: &mut Active) {
    active.clear();
    let seen = Seen::new(own, other);
    for (window, &state) in windows(seen.stones)[0].iter().enumerate() {
        active.push((window * STATES) as u16 + u16::from(state));
    }
    for (first, victims) in std::iter::zip(VICTIMS, seen.victims) {
        for bit in 0..64 {
            if victims >> bit & 1 != 0 {
                active.push((first + point_number(bit)) as u16);
            }
        }
    }
}

/// The number of a point from its bit: ten bits a row, of which nine are points.
#[inline(always)]
pub(super) const fn point_number(bit: u32) -> usize {
    (bit - bit / 10) as usize
}

/// What both sides see of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The stones of one side and of the other.
    pub(super) stones: [u64; 2],
    /// Of each side's stones those that could be captured next.
    pub(super) victims: [u64; 2],
}

impl Seen {
    /// Of a board without stones.
    pub(super) const NOTHING: Seen = Seen {
        stones: [0; 2],
        victims: [0; 2],
    };

    #[inline(always)]
    pub(super) fn new(first: Bitboard, second: Bitboard) -> Seen {
        let stones = [first.bits(), second.bits()];
        Seen {
            stones,
            victims: victims(stones[0], stones[1]),
        }
    }

    /// The approximate number of differing windows and points; 0 only if equal.
    #[inline(always)]
    pub(super) fn difference(&self, other: &Seen) -> u32 {
        let stones = self.stones[0] ^ other.stones[0] | self.stones[1] ^ other.stones[1];
        let victims = self.victims[0] ^ other.victims[0] | self.victims[1] ^ other.victims[1];
        (WINDOWS_OF_POINT * stones.count_ones()).min(WINDOWS as u32) + victims.count_ones()
    }
}

/// The states of all windows, from the lowest up, as the first side sees them, then as the second does.
pub(super) type Windows = [[u8; WINDOWS]; 2];

/// Those of a board without stones.
pub(super) const NO_STONES: Windows = [[0; WINDOWS]; 2];

/// The states of all windows: those of a row at once, in the bytes of a word. No sum exceeds 80.
#[inline(always)]
pub(super) fn windows(stones: [u64; 2]) -> Windows {
    let [mut first_lower, mut second_lower] = [pairs(stones[0]), pairs(stones[1])];
    let mut windows = [[0; WINDOWS]; 2];
    for row in 0..ROWS {
        let above = 10 * (row + 1);
        let [first_upper, second_upper] = [pairs(stones[0] >> above), pairs(stones[1] >> above)];
        let first = first_lower + 9 * first_upper;
        let second = second_lower + 9 * second_upper;
        let place = row * COLUMNS;
        windows[0][place..][..COLUMNS].copy_from_slice(&(first + 2 * second).to_le_bytes());
        windows[1][place..][..COLUMNS].copy_from_slice(&(second + 2 * first).to_le_bytes());
        (first_lower, second_lower) = (first_upper, second_upper);
    }
    windows
}

/// For each pair of neighbours in the lowest row a byte with what its points count.
#[inline(always)]
const fn pairs(stones: u64) -> u64 {
    let left = spread(stones & 0xff);
    let right = left >> 8 | (stones >> 8 & 1) << 56;
    left + 3 * right
}

/// The lowest eight bits, each in a byte of its own.
#[inline(always)]
const fn spread(bits: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte i gets bit i, and then 1 in its highest bit if that was set.
    let chosen = (bits * ONES) & 0x8040_2010_0804_0201;
    (chosen + 0x7f * ONES) >> 7 & ONES
}

/// The stones of each side that a capturing first step of the other takes first, by the standard
/// movement: those ahead of the point that a stone steps to, and those behind the point that it leaves.
#[inline(always)]
fn victims(own: u64, other: u64) -> [u64; 2] {
    let empty = Bitboard::LATTICE.bits() & !(own | other);
    let sides = [own, other];
    // Only stones on strong points move along diagonals.
    let strong = [
        own & Bitboard::STRONG.bits(),
        other & Bitboard::STRONG.bits(),
    ];
    let mut taken = [0; 2];
    along::<0>(strong, empty, &mut taken);
    along::<1>(sides, empty, &mut taken);
    along::<2>(strong, empty, &mut taken);
    along::<3>(sides, empty, &mut taken);
    along::<4>(sides, empty, &mut taken);
    along::<5>(strong, empty, &mut taken);
    along::<6>(sides, empty, &mut taken);
    along::<7>(strong, empty, &mut taken);
    [taken[1] & own, taken[0] & other]
}

const _: () = assert!(DIAGONALS == 0b1010_0101, "see `victims`");

/// Adds the points on which the movers of each side would take a stone that lies next to them, or to the
/// point that they step to, in the direction with index `D`.
#[inline(always)]
fn along<const D: usize>(movers: [u64; 2], empty: u64, taken: &mut [u64; 2]) {
    let behind = shift::<D>(empty);
    for side in 0..2 {
        // Those that have stepped in this direction, and those that can step the other way.
        let ahead = shift::<D>(movers[side]) & empty;
        taken[side] |= shift::<D>(ahead | movers[side] & behind);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Position, Side};
    use crate::network::samples::random_positions;
    use crate::rules::{Rules, has_capture};

    fn active(own: Bitboard, other: Bitboard) -> BTreeSet<u16> {
        let mut list = Active::new();
        active_features(own, other, &mut list);
        let features: BTreeSet<u16> = list.iter().copied().collect();
        assert_eq!(features.len(), list.len(), "none twice");
        features
    }

    fn of(position: &Position) -> BTreeSet<u16> {
        active(position.own(), position.enemy())
    }

    /// Straight from the definition.
    #[test]
    fn windows_count_their_points() {
        for position in random_positions(200) {
            let value = |bit: u32| {
                let holds = |stones: Bitboard| u32::from(stones.bits() >> bit & 1 != 0);
                holds(position.own()) + 2 * holds(position.enemy())
            };
            let expected = (0..WINDOWS as u32).map(|window| {
                let corner = window / 8 * 10 + window % 8;
                let points = [corner, corner + 1, corner + 10, corner + 11];
                let states = std::iter::zip(points, [1, 3, 9, 27]);
                let state: u32 = states.map(|(bit, counts)| value(bit) * counts).sum();
                (window as usize * STATES) as u16 + state as u16
            });
            let windows = of(&position).into_iter().take(WINDOWS);
            assert!(windows.eq(expected), "{position:?}");
        }
    }

    #[test]
    fn of_each_group_at_most_one_is_on() {
        let groups = feature_groups();
        let all = groups.iter().flat_map(|group| group.features.clone());
        let all: BTreeSet<u16> = all.collect();
        assert!(all.into_iter().eq(0..FEATURES as u16));
        assert_eq!(FEATURES, 2_682);
        for position in random_positions(200) {
            let active = of(&position);
            for group in &groups {
                let is_on = |feature: &&u16| active.contains(feature);
                let on = group.features.iter().filter(is_on).count();
                assert!(on == 1 || on == 0 && group.can_be_off, "{group:?}: {on}");
            }
        }
    }

    #[test]
    fn both_views_are_found_at_once() {
        for position in random_positions(50) {
            let [white, black] = Side::BOTH.map(|side| position.stones(side).bits());
            let [first, second] = windows([white, black]);
            assert_eq!(windows([black, white]), [second, first]);
            let seen = Seen::new(position.own(), position.enemy());
            let [own, other] = seen.victims;
            let swapped = Seen::new(position.enemy(), position.own());
            assert_eq!(swapped.victims, [other, own]);
            assert_eq!(seen.difference(&seen), 0);
            assert!(seen.difference(&swapped) > 0);
        }
    }

    #[test]
    fn there_are_victims_where_there_is_a_capture() {
        for position in random_positions(200) {
            let active = of(&position);
            let [own, other] = VICTIMS.map(|first| first as u16..(first + POINTS) as u16);
            let can_capture = active.iter().any(|feature| other.contains(feature));
            assert_eq!(can_capture, has_capture(&Rules::STANDARD, &position));
            let stones = Side::BOTH.map(|side| position.stones(side));
            let passed = Position::new(stones, !position.side(), 0, 2);
            let is_threatened = active.iter().any(|feature| own.contains(feature));
            assert_eq!(is_threatened, has_capture(&Rules::STANDARD, &passed));
        }
    }
}
