//! The index: every position of a slice has a number.
//!
//! The *small group* of a slice is the group of stones (own or other) with fewer stones, the own one
//! if both are as many; the *large group* is the other one. Placements of the small group that are
//! images of each other under a symmetry of the board count as one, a *class*; positions are turned so
//! that the small group stands as the representative of its class does. What remains is to number the
//! placements of the large group on the other points, which the combinatorial number system does
//! ([`binomial`]). A position's number is
//!
//! ```text
//! class of the small group * placements of the large group + number of the large group's placement
//! ```
//!
//! so the positions of a class form a *block* of consecutive numbers. Where the representative is
//! itself symmetric some positions have several numbers, with the same value; that costs 1 to 6 % of
//! the numbers (1 to 4 small stones on the standard board) and saves a second look-up.
//!
//! The numbers are part of the file format: they never change under a version of it.

mod binomial;
mod combinations;
mod geometry;
mod placements;

use std::sync::{Arc, OnceLock};

pub(super) use self::binomial::{rank, unrank};
pub(super) use self::combinations::for_each_combination;
pub(super) use self::geometry::Geometry;
pub(super) use self::placements::Placements;
use super::slice::{MAX_STONES, Slice};
use crate::board::{Bitboard, BoardSize};

/// The numbers of all slices of a board.
#[derive(Debug)]
pub(super) struct Indices {
    geometry: Arc<Geometry>,
    /// By number of stones, made when first needed.
    placements: [OnceLock<Arc<Placements>>; MAX_STONES as usize / 2 + 1],
}

impl Indices {
    pub(super) fn new(size: BoardSize) -> Indices {
        Indices {
            geometry: Arc::new(Geometry::new(size)),
            placements: [const { OnceLock::new() }; MAX_STONES as usize / 2 + 1],
        }
    }

    pub(super) fn size(&self) -> BoardSize {
        self.geometry.size()
    }

    /// The numbers of one slice; `None` if the board has too few points for it.
    pub(super) fn slice(&self, slice: Slice) -> Option<SliceIndex> {
        if slice.stones() > self.geometry.count() {
            return None;
        }
        let small = slice.own().min(slice.other());
        let large = slice.own().max(slice.other());
        let placements = self.placements[small as usize]
            .get_or_init(|| Arc::new(Placements::new(&self.geometry, small)));
        let block = binomial::choose(self.geometry.count() - small, large);
        Some(SliceIndex {
            geometry: Arc::clone(&self.geometry),
            placements: Arc::clone(placements),
            slice,
            own_is_small: slice.own() <= slice.other(),
            block,
        })
    }
}

/// The numbers of one slice.
#[derive(Clone, Debug)]
pub(super) struct SliceIndex {
    geometry: Arc<Geometry>,
    placements: Arc<Placements>,
    slice: Slice,
    own_is_small: bool,
    /// Placements of the large group for each class of the small one.
    block: u64,
}

impl SliceIndex {
    pub(super) fn slice(&self) -> Slice {
        self.slice
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(super) fn placements(&self) -> &Placements {
        &self.placements
    }

    /// Numbers of each class.
    pub(super) fn block(&self) -> u64 {
        self.block
    }

    /// How many numbers there are.
    pub(super) fn entries(&self) -> u64 {
        self.block * self.placements.classes() as u64
    }

    /// The number of a position of this slice, given by the stones of the side to move and the others.
    #[inline]
    pub(super) fn number(&self, own: u64, other: u64) -> u64 {
        let (small, large) = if self.own_is_small {
            (own, other)
        } else {
            (other, own)
        };
        let (class, fold) = self.placements.class(&self.geometry, small);
        let free = self.geometry.points() & !self.placements.representative(class);
        u64::from(class) * self.block + rank(self.geometry.image(fold, large), free)
    }

    /// A position with this number: the stones of the side to move, and the others.
    pub(super) fn position(&self, number: u64) -> (u64, u64) {
        let class = (number / self.block) as u32;
        let small = self.placements.representative(class);
        let free = self.geometry.points() & !small;
        let large_stones = self.slice.own().max(self.slice.other());
        let large = unrank(number % self.block, large_stones, free);
        if self.own_is_small {
            (small, large)
        } else {
            (large, small)
        }
    }

    /// [`SliceIndex::position`] as sets of points.
    pub(super) fn stones(&self, number: u64) -> (Bitboard, Bitboard) {
        let (own, other) = self.position(number);
        (Bitboard::from_bits(own), Bitboard::from_bits(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    /// Boards and numbers of stones that are soon gone through.
    fn small_cases() -> impl Iterator<Item = (BoardSize, SliceIndex)> {
        let cases = [(9, 5, 4), (5, 9, 3), (5, 5, 5), (3, 3, 9), (7, 3, 5)];
        cases.into_iter().flat_map(|(columns, rows, stones)| {
            let size = BoardSize::new(columns, rows).expect("a board");
            let indices = Indices::new(size);
            Slice::twins_up_to(stones, size)
                .flat_map(Slice::with_twin)
                .filter_map(move |slice| Some((size, indices.slice(slice)?)))
                .collect::<Vec<_>>()
        })
    }

    #[test]
    fn numbers_round_trip() {
        for (size, index) in small_cases() {
            for number in 0..index.entries() {
                let (own, other) = index.position(number);
                assert_eq!(own & other, 0);
                assert_eq!(own.count_ones(), index.slice().own());
                assert_eq!(other.count_ones(), index.slice().other());
                assert_eq!(index.number(own, other), number, "{size} {}", index.slice());
            }
        }
    }

    #[test]
    fn every_image_has_a_number_of_the_same_position() {
        for (size, index) in small_cases() {
            let step = 1 + index.entries() / 5_000;
            for number in (0..index.entries()).step_by(step as usize) {
                let (own, other) = index.stones(number);
                let images: Vec<_> = Symmetry::of(size)
                    .iter()
                    .map(|symmetry| (symmetry.set(size, own), symmetry.set(size, other)))
                    .collect();
                for &(own, other) in &images {
                    let found = index.number(own.bits(), other.bits());
                    assert!(images.contains(&index.stones(found)), "{size} {number}");
                }
            }
        }
    }

    #[test]
    fn classes_weigh_what_they_stand_for() {
        for (size, index) in small_cases() {
            let placements = index.placements();
            let positions: u64 = (0..placements.classes() as u32)
                .map(|class| u64::from(placements.images(class)) * index.block())
                .sum();
            assert_eq!(positions, index.slice().positions(size));
        }
    }
}
