//! The index: a number for every position of a slice.
//!
//! The *small group* of a slice is the group of stones (own or other) with fewer stones, the own one
//! if equal; the *large group* is the other one. Placements of the small group that are
//! images of each other under the symmetries of the board form a *class*; positions are transformed so
//! that the small group is the representative of its class. The placements of the large group on the
//! remaining points are numbered by the combinatorial number system (`rank`).
//! A position's number is
//!
//! ```text
//! class of the small group * placements of the large group + number of the large group's placement
//! ```
//!
//! so the positions of a class form a *block* of consecutive numbers. If the representative is
//! itself symmetric, some positions have several numbers, with the same value; these are 1 to 6 % of
//! the numbers (1 to 4 small stones on the standard board) and save a second look-up.
//!
//! The numbers are part of the file format: they never change within a version.

use std::sync::{Arc, OnceLock};

use super::slice::{MAX_STONES, Slice};
use crate::board::{Bitboard, BoardSize, Shape, Symmetry};

/// Points of the largest board.
const POINTS: usize = 45;

/// `CHOOSE[k][n]` is the binomial coefficient of `n` over `k`; saturated at `u32::MAX`.
/// Power-of-two dimensions let a mask replace the bounds check.
static CHOOSE: [[u32; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut n = 0;
    while n <= POINTS {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_STONES as usize && n > 0 {
            table[k][n] = u32::saturating_add(table[k][n - 1], table[k - 1][n - 1]);
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of sets of `k` among `n` points (`n` at most 45); saturated at `u32::MAX`.
pub fn choose(n: u32, k: u32) -> u64 {
    u64::from(CHOOSE[k as usize][n as usize])
}

/// The rank of `set` among the equally large subsets of `free`.
///
/// A set of points `p1 < p2 < … < pk`, counted from 0 among the free ones, has the number
/// `C(p1, 1) + C(p2, 2) + … + C(pk, k)` (Lehmer; Knuth, TAOCP 7.2.1.3, theorem L).
#[inline(always)]
pub(super) fn rank(set: u64, free: u64) -> u64 {
    debug_assert!(set & !free == 0);
    let mut rest = set;
    let mut number = 0;
    let mut k = 1;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        rest &= rest - 1;
        let place = (free & below).count_ones() as usize;
        number += u64::from(CHOOSE[k & 31][place & 63]);
        k += 1;
    }
    number
}

/// The subset of `k` points of `free` with this rank.
pub fn unrank(mut number: u64, k: u32, free: u64) -> u64 {
    let mut set = 0;
    let mut points = free;
    let mut place = free.count_ones();
    for k in (1..=k as usize).rev() {
        // The highest place whose coefficient is not above the number.
        while place > 0 {
            place -= 1;
            let top = 1 << (63 - points.leading_zeros());
            points ^= top;
            let coefficient = u64::from(CHOOSE[k][place as usize]);
            if coefficient <= number {
                number -= coefficient;
                set |= top;
                break;
            }
        }
    }
    set
}

/// The points of a set as single bits, in ascending order.
pub(super) fn single_points(set: u64) -> Vec<u64> {
    let points = Bitboard::from_bits(set).into_iter();
    points.map(|point| Bitboard::from(point).bits()).collect()
}

/// Calls `each` with `chosen` and every `k` of the single bits `points`, which are sorted; in the order
/// of [`rank`].
pub(super) fn for_each_combination(
    points: &[u64],
    k: u32,
    chosen: u64,
    each: &mut impl FnMut(u64),
) {
    match k {
        0 => each(chosen),
        1 => {
            for &point in points {
                each(chosen | point);
            }
        }
        _ => {
            for largest in k as usize - 1..points.len() {
                for_each_combination(&points[..largest], k - 1, chosen | points[largest], each);
            }
        }
    }
}

/// All placements of a small group, in symmetry classes.
#[derive(Debug)]
pub struct Placements {
    /// By number of the placement: the class, and in the lowest three bits the symmetry that maps it
    /// to the representative.
    folds: Vec<u32>,
    /// By class.
    pub representatives: Vec<u64>,
    /// The number of placements of each class.
    pub images: Vec<u8>,
}

const SYMMETRY_BITS: u32 = 3;
const UNSEEN: u32 = u32::MAX;

impl Placements {
    fn new(board: BoardSize, stones: u32) -> Placements {
        let points = board.points();
        let mut placements = Placements {
            folds: vec![UNSEEN; choose(points.count(), stones) as usize],
            representatives: Vec::new(),
            images: Vec::new(),
        };
        let mut number = 0;
        for_each_combination(&single_points(points.bits()), stones, 0, &mut |set| {
            if placements.folds[number] == UNSEEN {
                placements.add_class(board, set);
            }
            number += 1;
        });
        placements
    }

    /// Adds the class of a placement, the first one of it that is met.
    fn add_class(&mut self, board: BoardSize, representative: u64) {
        let class = self.representatives.len() as u32;
        let (shape, points) = (Shape::of(board), board.points().bits());
        let mut images = 0;
        for symmetry in Symmetry::of(board) {
            let image = symmetry.bits(&shape, representative);
            let fold = &mut self.folds[rank(image, points) as usize];
            if *fold == UNSEEN {
                *fold = class << SYMMETRY_BITS | u32::from(symmetry.inverse().0);
                images += 1;
            }
        }
        self.representatives.push(representative);
        self.images.push(images);
    }
}

/// The numbers of all slices of a board.
#[derive(Debug)]
pub struct Indices {
    /// The board.
    pub board: BoardSize,
    /// By number of stones; created on first use.
    placements: [OnceLock<Arc<Placements>>; MAX_STONES as usize / 2 + 1],
}

impl Indices {
    /// Those of a board.
    pub fn new(board: BoardSize) -> Indices {
        Indices {
            board,
            placements: [const { OnceLock::new() }; MAX_STONES as usize / 2 + 1],
        }
    }

    /// The numbers of one slice; `None` if the board has too few points for it.
    pub fn slice(&self, slice: Slice) -> Option<SliceIndex> {
        let points = self.board.points();
        if slice.stones() > points.count() {
            return None;
        }
        let small = slice.own().min(slice.other());
        let placements = self.placements[small as usize]
            .get_or_init(|| Arc::new(Placements::new(self.board, small)));
        Some(SliceIndex {
            board: self.board,
            shape: Shape::of(self.board),
            points: points.bits(),
            placements: Arc::clone(placements),
            slice,
            block: choose(points.count() - small, slice.stones() - small),
        })
    }
}

/// The numbers of the positions of a slice.
#[derive(Clone, Debug)]
pub struct SliceIndex {
    /// The board.
    pub board: BoardSize,
    pub(super) shape: Shape,
    points: u64,
    /// The placements of the small group.
    pub placements: Arc<Placements>,
    /// The slice.
    pub slice: Slice,
    /// Placements of the large group for each class of the small one.
    pub block: u64,
}

impl SliceIndex {
    /// The number of values.
    pub fn entries(&self) -> u64 {
        self.block * self.placements.representatives.len() as u64
    }

    /// The points that are free for the large group when the small one is the representative of `class`.
    #[inline(always)]
    pub(super) fn free(&self, class: u32) -> u64 {
        self.points & !self.placements.representatives[class as usize]
    }

    /// The class of a placement of the small group, and a symmetry that maps it to the class's representative.
    #[inline(always)]
    pub(super) fn class(&self, small: u64) -> (u32, Symmetry) {
        let fold = self.placements.folds[rank(small, self.points) as usize];
        let symmetry = Symmetry((fold & ((1 << SYMMETRY_BITS) - 1)) as u8);
        (fold >> SYMMETRY_BITS, symmetry)
    }

    /// Exchanges small and large group with own and other stones.
    #[inline(always)]
    fn ordered(&self, (first, second): (u64, u64)) -> (u64, u64) {
        match self.slice.own() <= self.slice.other() {
            true => (first, second),
            false => (second, first),
        }
    }

    /// The number of a position of this slice, given by the stones of the side to move and the others.
    #[inline]
    pub(super) fn number(&self, own: u64, other: u64) -> u64 {
        let (small, large) = self.ordered((own, other));
        let (class, fold) = self.class(small);
        let large = fold.bits(&self.shape, large);
        u64::from(class) * self.block + rank(large, self.free(class))
    }

    /// A position with this number: the stones of the side to move, and the others.
    pub fn stones(&self, number: u64) -> (Bitboard, Bitboard) {
        let class = (number / self.block) as u32;
        let large_stones = self.slice.own().max(self.slice.other());
        let large = unrank(number % self.block, large_stones, self.free(class));
        let small = self.placements.representatives[class as usize];
        let (own, other) = self.ordered((small, large));
        (Bitboard::from_bits(own), Bitboard::from_bits(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards and numbers of stones small enough for exhaustive tests.
    fn small_cases() -> impl Iterator<Item = (BoardSize, SliceIndex)> {
        let cases = [(9, 5, 4), (5, 9, 3), (5, 5, 5), (3, 3, 9), (7, 3, 5)];
        cases.into_iter().flat_map(|(columns, rows, stones)| {
            let size = BoardSize::new(columns, rows).expect("a board");
            let indices = Indices::new(size);
            Slice::all_up_to(stones, size)
                .filter_map(move |slice| Some((size, indices.slice(slice)?)))
                .collect::<Vec<_>>()
        })
    }

    #[test]
    fn numbers_round_trip() {
        for (size, index) in small_cases() {
            for number in 0..index.entries() {
                let (own, other) = index.stones(number);
                let (own, other) = (own.bits(), other.bits());
                assert_eq!(own & other, 0);
                assert_eq!(own.count_ones(), index.slice.own());
                assert_eq!(other.count_ones(), index.slice.other());
                assert_eq!(index.number(own, other), number, "{size} {}", index.slice);
            }
        }
    }

    #[test]
    fn every_image_has_a_number_of_the_same_position() {
        for (size, index) in small_cases() {
            let step = 1 + index.entries() / 5_000;
            for number in (0..index.entries()).step_by(step as usize) {
                let (own, other) = index.stones(number);
                let images = Symmetry::of(size).iter();
                let images = images.map(|image| (image.set(size, own), image.set(size, other)));
                let images: Vec<_> = images.collect();
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
            let placements = &index.placements;
            let classes = 0..placements.representatives.len();
            let positions = classes.map(|class| u64::from(placements.images[class]) * index.block);
            assert_eq!(positions.sum::<u64>(), index.slice.positions(size));
        }
    }
}
