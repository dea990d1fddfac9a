//! Stones that could be captured next as inputs.

use super::planes::{Planes, victims};
use super::{Changes, Group, Inputs};
use crate::board::Bitboard;

/// The stones that a capturing first step of the other side would take first: first the own, then the
/// other's. It is for use beside inputs that say where the stones are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Victims(Planes<2>);

impl Inputs for Victims {
    const COUNT: usize = Planes::<2>::COUNT;

    #[inline(always)]
    fn seen(own: Bitboard, other: Bitboard) -> Victims {
        Victims(Planes::of_bits(victims(own.bits(), other.bits())))
    }

    #[inline(always)]
    fn swapped_feature(feature: u16) -> u16 {
        Planes::<2>::swapped_feature(feature)
    }

    #[inline(always)]
    fn difference(self, new: Victims) -> u32 {
        self.0.difference(new.0)
    }

    #[inline(always)]
    fn difference_from_nothing(self) -> u32 {
        self.0.difference_from_nothing()
    }

    fn groups() -> Vec<Group> {
        // As with stones, a point holds an own victim, another's, or none.
        Planes::<2>::groups()
    }

    #[inline(always)]
    fn for_each_active(self, active: impl FnMut(u16)) {
        self.0.for_each_active(active);
    }

    #[inline(always)]
    fn add_changes(self, new: Victims, changes: &mut Changes) {
        self.0.add_changes(new.0, changes);
    }
}
