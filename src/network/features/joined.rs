//! Two sets of features as one.

use super::{Changes, Group, Inputs};
use crate::board::Bitboard;

/// The features of `A`, and after them those of `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joined<A, B>(A, B);

impl<A: Inputs, B: Inputs> Inputs for Joined<A, B> {
    const COUNT: usize = A::COUNT + B::COUNT;

    #[inline(always)]
    fn seen(own: Bitboard, other: Bitboard) -> Self {
        Joined(A::seen(own, other), B::seen(own, other))
    }

    #[inline(always)]
    fn swapped_feature(feature: u16) -> u16 {
        let first = A::COUNT as u16;
        if feature < first {
            A::swapped_feature(feature)
        } else {
            first + B::swapped_feature(feature - first)
        }
    }

    #[inline(always)]
    fn difference(self, new: Self) -> u32 {
        self.0.difference(new.0) + self.1.difference(new.1)
    }

    #[inline(always)]
    fn difference_from_nothing(self) -> u32 {
        self.0.difference_from_nothing() + self.1.difference_from_nothing()
    }

    fn groups() -> Vec<Group> {
        let mut groups = A::groups();
        groups.extend(B::groups().into_iter().map(|mut group| {
            for feature in &mut group.features {
                *feature += A::COUNT as u16;
            }
            group
        }));
        groups
    }

    #[inline(always)]
    fn for_each_active(self, mut active: impl FnMut(u16)) {
        self.0.for_each_active(&mut active);
        self.1
            .for_each_active(|feature| active(A::COUNT as u16 + feature));
    }

    #[inline(always)]
    fn add_changes(self, new: Self, changes: &mut Changes) {
        debug_assert!(changes.is_empty(), "what is there would be shifted");
        self.1.add_changes(new.1, changes);
        changes.map(|feature| A::COUNT as u16 + feature);
        self.0.add_changes(new.0, changes);
    }
}
