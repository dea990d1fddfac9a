//! Sets of points as inputs: one feature for each point of each plane.

use super::{Changes, Group, Inputs};
use crate::board::{Bitboard, DIAGONALS, shift};

/// Points of a plane.
const POINTS: usize = 45;

/// Sets of points: the first half of the planes belongs to the own side, the second to the other. Each
/// half begins with the side's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planes<const N: usize>([u64; N]);

impl<const N: usize> Planes<N> {
    /// Planes of these points.
    #[inline(always)]
    pub(super) const fn of_bits(bits: [u64; N]) -> Planes<N> {
        Planes(bits)
    }
}

/// The number of a point, from 0 to 44, row by row.
#[inline(always)]
fn point_number(bit: u32) -> u32 {
    // Ten bits a row, of which nine are points.
    bit - bit / 10
}

#[inline(always)]
fn feature(plane: usize, bit: u32) -> u16 {
    plane as u16 * POINTS as u16 + point_number(bit) as u16
}

/// An own and another stone exclude each other on every point; all else can be on at the same time.
fn groups(planes: usize) -> Vec<Group> {
    let stones = [0, planes / 2];
    let feature = |plane: usize, point: usize| (plane * POINTS + point) as u16;
    let mut groups = Vec::new();
    for point in 0..POINTS {
        let others = (0..planes).filter(|plane| !stones.contains(plane));
        groups.push(stones.map(|plane| feature(plane, point)).to_vec());
        groups.extend(others.map(|plane| vec![feature(plane, point)]));
    }
    groups
        .into_iter()
        .map(|features| Group {
            features,
            can_be_off: true,
        })
        .collect()
}

// Loops over indices: iterators over arrays by value go through memory, which costs more than all
// else.
macro_rules! inputs {
    ($planes:literal, $seen:expr) => {
        impl Inputs for Planes<$planes> {
            const COUNT: usize = $planes * POINTS;

            #[inline(always)]
            fn seen(own: Bitboard, other: Bitboard) -> Self {
                Planes($seen(own, other))
            }

            #[inline(always)]
            fn swapped_feature(feature: u16) -> u16 {
                const HALF: u16 = $planes / 2 * POINTS as u16;
                if feature < HALF {
                    feature + HALF
                } else {
                    feature - HALF
                }
            }

            #[inline(always)]
            fn difference(self, new: Self) -> u32 {
                let mut difference = 0;
                for plane in 0..$planes {
                    difference += (self.0[plane] ^ new.0[plane]).count_ones();
                }
                difference
            }

            #[inline(always)]
            fn difference_from_nothing(self) -> u32 {
                self.0.iter().map(|bits| bits.count_ones()).sum()
            }

            fn groups() -> Vec<Group> {
                groups($planes)
            }

            #[inline(always)]
            fn for_each_active(self, mut active: impl FnMut(u16)) {
                for plane in 0..$planes {
                    let mut bits = self.0[plane];
                    while bits != 0 {
                        active(feature(plane, bits.trailing_zeros()));
                        bits &= bits - 1;
                    }
                }
            }

            #[inline(always)]
            fn add_changes(self, new: Self, changes: &mut Changes) {
                for plane in 0..$planes {
                    let (old, new) = (self.0[plane], new.0[plane]);
                    let mut changed = old ^ new;
                    while changed != 0 {
                        let bit = changed.trailing_zeros();
                        changes.push(feature(plane, bit), new >> bit & 1 != 0);
                        changed &= changed - 1;
                    }
                }
            }
        }
    };
}

inputs!(2, |own: Bitboard, other: Bitboard| [
    own.bits(),
    other.bits()
]);

inputs!(4, |own: Bitboard, other: Bitboard| {
    let [own_victims, other_victims] = victims(own.bits(), other.bits());
    [own.bits(), own_victims, other.bits(), other_victims]
});

/// The stones of each side that a capturing first step of the other takes first, by the standard
/// movement: those ahead of the point that a stone steps to, and those behind the point that it leaves.
#[inline(always)]
pub(super) fn victims(own: u64, other: u64) -> [u64; 2] {
    let empty = Bitboard::LATTICE.bits() & !(own | other);
    let sides = [own, other];
    // Only stones on strong points move along diagonals.
    let strong = sides.map(|side| side & Bitboard::STRONG.bits());
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

/// Adds the points on which the movers of each side would take a stone that lies next to them, or to the
/// point that they step to, in the direction with index `D`.
#[inline(always)]
fn along<const D: usize>(movers: [u64; 2], empty: u64, taken: &mut [u64; 2]) {
    let behind = shift::<D>(empty);
    for (movers, taken) in std::iter::zip(movers, taken) {
        // Those that have stepped in this direction, and those that can step the other way.
        let ahead = shift::<D>(movers) & empty;
        *taken |= shift::<D>(ahead | movers & behind);
    }
}

const _: () = assert!(DIAGONALS == 0b1010_0101, "see `victims`");
