//! The inputs of a network: which of its features a set of stones switches on.

mod changes;
mod group;
mod joined;
mod planes;
mod tuples;
mod victims;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

pub(super) use self::changes::Changes;
pub(super) use self::group::Group;
pub(super) use self::planes::Planes;
pub(super) use self::tuples::Tuples;
use self::{joined::Joined, victims::Victims};
use crate::board::Bitboard;

/// The most features that a position switches on, and the most that a change of stones switches on or
/// off.
pub(super) const MOST_ACTIVE: usize = 192;

/// Numbers of features.
pub type Active = ArrayVec<u16, MOST_ACTIVE>;

/// What the first layer of a network sees. Stones are always *own* and *other*, never white and black.
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

/// The inputs of [`FeatureSet::Patterns`].
pub(super) type Patterns = Joined<Tuples, Victims>;

impl FeatureSet {
    /// Every set.
    pub const ALL: [FeatureSet; 4] = [
        FeatureSet::Points,
        FeatureSet::Threats,
        FeatureSet::Tuples,
        FeatureSet::Patterns,
    ];

    /// How many features there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            FeatureSet::Points => <Planes<2> as Inputs>::COUNT,
            FeatureSet::Threats => <Planes<4> as Inputs>::COUNT,
            FeatureSet::Tuples => <Tuples as Inputs>::COUNT,
            FeatureSet::Patterns => <Patterns as Inputs>::COUNT,
        }
    }

    /// The features that are on for these stones, seen by their owner; the list is cleared first.
    pub fn active(self, own: Bitboard, other: Bitboard, active: &mut Active) {
        fn list<I: Inputs>(own: Bitboard, other: Bitboard, active: &mut Active) {
            active.clear();
            I::seen(own, other).for_each_active(|feature| active.push(feature));
        }
        match self {
            FeatureSet::Points => list::<Planes<2>>(own, other, active),
            FeatureSet::Threats => list::<Planes<4>>(own, other, active),
            FeatureSet::Tuples => list::<Tuples>(own, other, active),
            FeatureSet::Patterns => list::<Patterns>(own, other, active),
        }
    }

    /// All features, in groups that exclude each other.
    pub(super) fn groups(self) -> Vec<Group> {
        match self {
            FeatureSet::Points => Planes::<2>::groups(),
            FeatureSet::Threats => Planes::<4>::groups(),
            FeatureSet::Tuples => Tuples::groups(),
            FeatureSet::Patterns => Patterns::groups(),
        }
    }
}

/// What one side sees, from which its active features follow.
pub(super) trait Inputs: Copy + Send + Sync {
    /// How many features there are.
    const COUNT: usize;

    /// What the owner of `own` sees.
    fn seen(own: Bitboard, other: Bitboard) -> Self;

    /// The feature that the other side sees where the owner sees `feature`.
    fn swapped_feature(feature: u16) -> u16;

    /// How much differs between the two, in features, more or less; 0 only if nothing does.
    fn difference(self, new: Self) -> u32;

    /// What starting from no feature at all costs, in the units of [`Inputs::difference`].
    fn difference_from_nothing(self) -> u32;

    /// All features, in groups that exclude each other.
    fn groups() -> Vec<Group>;

    /// Hands every active feature to `active`.
    fn for_each_active(self, active: impl FnMut(u16));

    /// Adds every feature that goes off or comes on from here to `new` to `changes`, which are empty.
    fn add_changes(self, new: Self, changes: &mut Changes);
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

    fn active<I: Inputs>(inputs: I) -> BTreeSet<u16> {
        let mut features = BTreeSet::new();
        inputs.for_each_active(|feature| assert!(features.insert(feature), "{feature} twice"));
        features
    }

    fn check<I: Inputs>(set: FeatureSet) {
        assert_eq!(set.count(), I::COUNT);
        let positions = positions();
        assert!(positions.len() > 20);
        let seen = |position: &Position| {
            I::seen(position.stones(Side::White), position.stones(Side::Black))
        };
        for old in &positions {
            for new in &positions {
                let (old, new) = (seen(old), seen(new));
                let mut features = active(old);
                let mut changes = Changes::default();
                old.add_changes(new, &mut changes);
                let count = changes.off().len() + changes.on().len();
                for feature in changes.off() {
                    assert!(features.remove(feature), "{feature} was not on");
                }
                for &feature in changes.on() {
                    assert!(features.insert(feature), "{feature} was on");
                }
                assert_eq!(features, active(new));
                assert!(features.len() <= MOST_ACTIVE && count <= MOST_ACTIVE);
                assert!(
                    features
                        .iter()
                        .all(|&feature| usize::from(feature) < I::COUNT)
                );
                let difference = old.difference(new) as usize;
                assert!(count <= 2 * difference && difference <= 5 * count);
            }
        }
        check_groups(set, positions.iter().map(seen));
        for position in &positions {
            let [white, black] = Side::BOTH.map(|side| position.stones(side));
            let features = active(I::seen(white, black)).into_iter();
            let swapped: BTreeSet<u16> = features.map(I::swapped_feature).collect();
            assert_eq!(swapped, active(I::seen(black, white)));
            let mut list = Active::new();
            set.active(white, black, &mut list);
            assert_eq!(
                list.into_iter().collect::<BTreeSet<_>>(),
                active(seen(position))
            );
        }
    }

    /// Every feature is in one group, and of each group at most one is on, or exactly one.
    fn check_groups<I: Inputs>(set: FeatureSet, seen: impl Iterator<Item = I>) {
        let groups = set.groups();
        let mut features: Vec<u16> = groups
            .iter()
            .flat_map(|group| group.features.clone())
            .collect();
        features.sort_unstable();
        assert!(features.into_iter().eq(0..set.count() as u16));
        for inputs in seen {
            let active = active(inputs);
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
    fn changes_lead_from_one_set_of_features_to_the_other() {
        check::<Planes<2>>(FeatureSet::Points);
        check::<Planes<4>>(FeatureSet::Threats);
        check::<Tuples>(FeatureSet::Tuples);
        check::<Patterns>(FeatureSet::Patterns);
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
