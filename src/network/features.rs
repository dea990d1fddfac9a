//! Input features of a network.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::board::{Bitboard, DIAGONALS, shift};

/// The most active features of a position, and the most features added or removed by a change.
const MOST_ACTIVE: usize = 192;

/// Numbers of features.
pub type Active = ArrayVec<u16, MOST_ACTIVE>;

/// Points of a plane.
const POINTS: usize = 45;
/// Windows of 2×2 points in a row of them.
const COLUMNS: u32 = 8;
/// All windows.
const WINDOWS: u32 = 4 * COLUMNS;
/// States of a window: each of its four points is empty (0), or holds an own (1) or another (2) stone;
/// the points count 1, 3, 9 and 27, the lower row first.
const STATES: u16 = 81;
/// Windows that a changed point changes, more or less, counted in features: six in a row change 14.
const FEATURES_OF_POINT: u32 = 5;

/// A feature set: the inputs of the first layer. Stones are always *own* and *other*, never white and black.
///
/// Features are the states of windows, if the set has them, then the points of planes: the first half of
/// the planes belongs to the own side, the second to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureSet {
    /// Own and other stone on each of the 45 points: 90 features, of which 2 to 44 are on.
    Points,
    /// The points, and which stones could be captured next: other stones that an own capturing first
    /// step would take first, own stones that the other side's would. 180 features.
    Threats,
    /// The 81 states of each of the 32 windows of 2×2 points: 2,592 features, of which 32 are on.
    Tuples,
    /// The tuples, and which stones could be captured next, as in `Threats`: 2,682 features.
    #[default]
    Patterns,
}

/// Features of which at most one is on at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FeatureGroup {
    pub(crate) features: Vec<u16>,
    /// Whether all of them can be off.
    pub(crate) can_be_off: bool,
}

impl FeatureSet {
    /// Every set.
    pub const ALL: [FeatureSet; 4] = [
        FeatureSet::Points,
        FeatureSet::Threats,
        FeatureSet::Tuples,
        FeatureSet::Patterns,
    ];

    /// How many features are states of windows.
    #[inline(always)]
    const fn window_features(self) -> u16 {
        match self {
            FeatureSet::Points | FeatureSet::Threats => 0,
            FeatureSet::Tuples | FeatureSet::Patterns => WINDOWS as u16 * STATES,
        }
    }

    #[inline(always)]
    const fn planes(self) -> usize {
        match self {
            FeatureSet::Tuples => 0,
            FeatureSet::Points | FeatureSet::Patterns => 2,
            FeatureSet::Threats => 4,
        }
    }

    /// How many features there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.window_features() as usize + self.planes() * POINTS
    }

    /// The active features of these stones from their owner's view; clears the list first.
    pub fn active(self, own: Bitboard, other: Bitboard, active: &mut Active) {
        active.clear();
        Seen::new(self, own, other).for_each_active(self, |feature| active.push(feature));
    }

    /// All features. What a position can add to a sum of the first layer follows from the groups: the
    /// largest weight of each, whatever the position.
    pub(crate) fn groups(self) -> Vec<FeatureGroup> {
        let windows = (0..self.window_features()).step_by(STATES.into());
        let windows = windows.map(|first| FeatureGroup {
            features: (first..first + STATES).collect(),
            can_be_off: false,
        });
        // A point holds an own stone or another, and so an own victim or another.
        let half = (self.planes() / 2 * POINTS) as u16;
        let points = (0..half).map(|point| FeatureGroup {
            features: [point, point + half]
                .map(|feature| self.window_features() + feature)
                .into(),
            can_be_off: true,
        });
        windows.chain(points).collect()
    }

    /// The feature that the other side sees where the owner sees `feature`.
    #[inline(always)]
    pub(super) fn swapped(self, feature: u16) -> u16 {
        let half = (self.planes() / 2 * POINTS) as u16;
        if feature < self.window_features() {
            feature - feature % STATES + SWAPPED[usize::from(feature % STATES)]
        } else if feature < self.window_features() + half {
            feature + half
        } else {
            feature - half
        }
    }

    /// The feature of a point of a plane.
    #[inline(always)]
    fn plane_feature(self, plane: usize, bit: u32) -> u16 {
        // Ten bits a row, of which nine are points.
        self.window_features() + (plane * POINTS) as u16 + (bit - bit / 10) as u16
    }
}

/// One side's view, which determines its active features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Own and other stones, for windows.
    stones: [u64; 2],
    /// The planes that the set has, then zeros.
    planes: [u64; 4],
}

// Indexed loops below: iterators over arrays by value go through memory, which dominates the cost.
impl Seen {
    /// What the owner of `own` sees.
    #[inline(always)]
    pub(super) fn new(set: FeatureSet, own: Bitboard, other: Bitboard) -> Seen {
        let (own, other) = (own.bits(), other.bits());
        let planes = match set {
            FeatureSet::Points => [own, other, 0, 0],
            FeatureSet::Threats => {
                let [own_victims, other_victims] = victims(own, other);
                [own, own_victims, other, other_victims]
            }
            FeatureSet::Tuples => [0; 4],
            FeatureSet::Patterns => {
                let [own_victims, other_victims] = victims(own, other);
                [own_victims, other_victims, 0, 0]
            }
        };
        Seen {
            stones: [own, other],
            planes,
        }
    }

    /// The points that differ in `new`.
    #[inline(always)]
    const fn changed_points(self, new: Seen) -> u64 {
        (self.stones[0] ^ new.stones[0]) | (self.stones[1] ^ new.stones[1])
    }

    /// The approximate number of differing features; 0 only if equal.
    #[inline(always)]
    pub(super) fn difference(self, set: FeatureSet, new: Seen) -> u32 {
        let mut difference = 0;
        if set.window_features() > 0 {
            difference += FEATURES_OF_POINT * self.changed_points(new).count_ones();
        }
        for plane in 0..set.planes() {
            difference += (self.planes[plane] ^ new.planes[plane]).count_ones();
        }
        difference
    }

    /// The cost of computing from scratch, in the units of [`Seen::difference`].
    #[inline(always)]
    pub(super) fn difference_from_nothing(self, set: FeatureSet) -> u32 {
        let mut difference = 0;
        if set.window_features() > 0 {
            difference += WINDOWS;
        }
        for plane in 0..set.planes() {
            difference += self.planes[plane].count_ones();
        }
        difference
    }

    /// The feature of the window whose lowest point has this lattice index.
    #[inline(always)]
    fn window_feature(self, corner: u32) -> u16 {
        let sum = |stones: u64| {
            let window = stones >> corner & CORNER;
            SUMS[(window & 3 | window >> 8) as usize]
        };
        let window = corner / 10 * COLUMNS + corner % 10;
        window as u16 * STATES + sum(self.stones[0]) + 2 * sum(self.stones[1])
    }

    /// Calls `active` with every active feature.
    #[inline(always)]
    pub(super) fn for_each_active(self, set: FeatureSet, mut active: impl FnMut(u16)) {
        if set.window_features() > 0 {
            let mut corners = CORNERS;
            while corners != 0 {
                active(self.window_feature(corners.trailing_zeros()));
                corners &= corners - 1;
            }
        }
        for plane in 0..set.planes() {
            let mut bits = self.planes[plane];
            while bits != 0 {
                active(set.plane_feature(plane, bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }

    /// Adds every feature removed or added from here to `new` to `delta`.
    #[inline(always)]
    pub(super) fn add_delta(self, set: FeatureSet, new: Seen, delta: &mut FeatureDelta) {
        for plane in 0..set.planes() {
            let mut changed = self.planes[plane] ^ new.planes[plane];
            while changed != 0 {
                let bit = changed.trailing_zeros();
                let is_on = new.planes[plane] >> bit & 1 != 0;
                delta.push(set.plane_feature(plane, bit), is_on);
                changed &= changed - 1;
            }
        }
        if set.window_features() > 0 {
            let changed = self.changed_points(new);
            // A point lies in the windows whose lowest points are it and the three below and before it.
            let mut corners = (changed | changed >> 1 | changed >> 10 | changed >> 11) & CORNERS;
            while corners != 0 {
                let corner = corners.trailing_zeros();
                delta.push(self.window_feature(corner), false);
                delta.push(new.window_feature(corner), true);
                corners &= corners - 1;
            }
        }
    }
}

/// The points of the window at the corner of the lattice.
const CORNER: u64 = 0b11 | 0b11 << 10;

/// The lowest points of all windows.
const CORNERS: u64 = {
    let mut corners = 0;
    let mut window = 0;
    while window < WINDOWS {
        corners |= 1 << (window / COLUMNS * 10 + window % COLUMNS);
        window += 1;
    }
    corners
};

/// A set of points of a window, as two bits of each row, to the sum of what its points count.
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

/// Each window state with own and other stones swapped.
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

/// Room in a list: more than [`MOST_ACTIVE`], and a power of two, so that a place can be held inside
/// without a branch.
const ROOM: usize = 256;

const _: () = assert!(ROOM.is_power_of_two() && ROOM > MOST_ACTIVE);

#[derive(Debug)]
struct List {
    features: [u16; ROOM],
    length: usize,
}

impl List {
    const EMPTY: List = List {
        features: [0; ROOM],
        length: 0,
    };

    #[inline(always)]
    fn as_slice(&self) -> &[u16] {
        &self.features[..self.length.min(ROOM)]
    }
}

/// The features that differ between two positions: at most [`MOST_ACTIVE`] removed and as many added.
#[derive(Debug)]
pub(super) struct FeatureDelta {
    off: List,
    on: List,
}

impl FeatureDelta {
    pub(super) const EMPTY: FeatureDelta = FeatureDelta {
        off: List::EMPTY,
        on: List::EMPTY,
    };

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.off.length = 0;
        self.on.length = 0;
    }

    /// Adds a feature to one of the lists.
    ///
    /// Branchless, since the choice is unpredictable: the feature is written to both lists and only one
    /// length grows.
    #[inline(always)]
    pub(super) fn push(&mut self, feature: u16, is_on: bool) {
        debug_assert!(self.off.length.max(self.on.length) < ROOM);
        self.off.features[self.off.length % ROOM] = feature;
        self.on.features[self.on.length % ROOM] = feature;
        self.off.length += usize::from(!is_on);
        self.on.length += usize::from(is_on);
    }

    /// The removed features.
    #[inline(always)]
    pub(super) fn off(&self) -> &[u16] {
        self.off.as_slice()
    }

    /// The added features.
    #[inline(always)]
    pub(super) fn on(&self) -> &[u16] {
        self.on.as_slice()
    }

    /// Turns the changes as one side sees them into those that the other sees.
    #[inline(always)]
    pub(super) fn swap(&mut self, set: FeatureSet) {
        for list in [&mut self.off, &mut self.on] {
            let length = list.length.min(ROOM);
            for feature in &mut list.features[..length] {
                *feature = set.swapped(*feature);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Position, Side};
    use crate::rules::{Game, Rules, has_capture, legal_moves};

    /// Positions of a game in which the moves are chosen without plan.
    fn positions() -> Vec<Position> {
        let mut game = Game::new(Rules::STANDARD);
        let mut positions = vec![*game.position()];
        for ply in 0..60_usize {
            let moves = legal_moves(&Rules::STANDARD, game.position());
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play(moves[ply * 7 % moves.len()]).expect("legal");
            positions.push(*game.position());
        }
        positions
    }

    fn active(set: FeatureSet, seen: Seen) -> BTreeSet<u16> {
        let mut features = BTreeSet::new();
        seen.for_each_active(set, |feature| {
            assert!(features.insert(feature), "{feature} twice")
        });
        features
    }

    fn check(set: FeatureSet) {
        let positions = positions();
        assert!(positions.len() > 20);
        let seen = |position: &Position| {
            let [white, black] = Side::BOTH.map(|side| position.stones(side));
            Seen::new(set, white, black)
        };
        for old in &positions {
            for new in &positions {
                let (old, new) = (seen(old), seen(new));
                let mut features = active(set, old);
                let mut delta = FeatureDelta::EMPTY;
                old.add_delta(set, new, &mut delta);
                let count = delta.off().len() + delta.on().len();
                for feature in delta.off() {
                    assert!(features.remove(feature), "{feature} was not on");
                }
                for &feature in delta.on() {
                    assert!(features.insert(feature), "{feature} was on");
                }
                assert_eq!(features, active(set, new));
                assert!(features.len() <= MOST_ACTIVE && count <= MOST_ACTIVE);
                assert!(
                    features
                        .iter()
                        .all(|&feature| usize::from(feature) < set.count())
                );
                let difference = old.difference(set, new) as usize;
                assert!(count <= 2 * difference && difference <= 5 * count);
            }
        }
        check_groups(
            set,
            positions.iter().map(|position| active(set, seen(position))),
        );
        for position in &positions {
            let [white, black] = Side::BOTH.map(|side| position.stones(side));
            let features = active(set, Seen::new(set, white, black)).into_iter();
            let swapped: BTreeSet<u16> = features.map(|feature| set.swapped(feature)).collect();
            assert_eq!(swapped, active(set, Seen::new(set, black, white)));
            let mut list = Active::new();
            set.active(white, black, &mut list);
            let list: BTreeSet<u16> = list.into_iter().collect();
            assert_eq!(list, active(set, seen(position)));
        }
    }

    /// Every feature is in one group, and of each group at most one is on, or exactly one.
    fn check_groups(set: FeatureSet, seen: impl Iterator<Item = BTreeSet<u16>>) {
        let groups = set.groups();
        let mut features: Vec<u16> = groups
            .iter()
            .flat_map(|group| group.features.clone())
            .collect();
        features.sort_unstable();
        assert!(features.into_iter().eq(0..set.count() as u16));
        for active in seen {
            for group in &groups {
                let on = group
                    .features
                    .iter()
                    .filter(|feature| active.contains(feature))
                    .count();
                assert!(on == 1 || on == 0 && group.can_be_off, "{group:?}: {on}");
            }
        }
    }

    #[test]
    fn deltas_lead_from_one_set_of_features_to_the_other() {
        for (set, count) in std::iter::zip(FeatureSet::ALL, [90, 180, 2_592, 2_682]) {
            assert_eq!(set.count(), count);
            check(set);
        }
    }

    #[test]
    fn there_are_victims_where_there_is_a_capture() {
        let threatened = 45..90;
        let taken = 135..180;
        for position in positions() {
            let mut features = Active::new();
            FeatureSet::Threats.active(position.own(), position.enemy(), &mut features);
            let can_capture = features.iter().any(|feature| taken.contains(feature));
            assert_eq!(can_capture, has_capture(&Rules::STANDARD, &position));
            let other = Position::new(
                Side::BOTH.map(|side| position.stones(side)),
                !position.side(),
                0,
                2,
            );
            let is_threatened = features.iter().any(|feature| threatened.contains(feature));
            assert_eq!(is_threatened, has_capture(&Rules::STANDARD, &other));
            // The patterns have the same, own ones first.
            let victims: BTreeSet<u16> = features
                .iter()
                .filter_map(|&feature| match feature {
                    45..90 => Some(feature - 45),
                    135..180 => Some(feature - 90),
                    _ => None,
                })
                .collect();
            FeatureSet::Patterns.active(position.own(), position.enemy(), &mut features);
            let first = FeatureSet::Tuples.count() as u16;
            let of_patterns = features
                .iter()
                .filter_map(|feature| feature.checked_sub(first));
            assert_eq!(of_patterns.collect::<BTreeSet<u16>>(), victims);
        }
    }
}
