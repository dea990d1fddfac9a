//! The board of an index: points, and fast symmetries of sets of points.

use crate::board::{BoardSize, Symmetry};

/// Bits from one row of the lattice of points to the next.
const STRIDE: u32 = 10;
/// All bits of the first row.
const ROW: u64 = 0x3ff;

/// A symmetry as a map of sets of points.
#[derive(Clone, Debug)]
enum Map {
    Identity,
    FlipRows,
    FlipColumns,
    /// All points in reverse order.
    HalfTurn,
    /// Point by point: the diagonals of square boards.
    Pointwise(Box<[u8; 64]>),
}

/// The five rows of the lattice in reverse order.
#[inline(always)]
const fn flip_rows(bits: u64) -> u64 {
    bits & ROW << (2 * STRIDE)
        | (bits & ROW) << (4 * STRIDE)
        | (bits & ROW << STRIDE) << (2 * STRIDE)
        | (bits & ROW << (3 * STRIDE)) >> (2 * STRIDE)
        | (bits & ROW << (4 * STRIDE)) >> (4 * STRIDE)
}

/// A board: its points, and its symmetries by number, the identity first.
#[derive(Debug)]
pub(super) struct Geometry {
    size: BoardSize,
    points: u64,
    /// Bits above the last point.
    spare: u32,
    /// Bits of the rows that the board lacks to five.
    missing: u32,
    maps: Vec<Map>,
    /// Compositions, by first and second symmetry.
    products: Vec<Vec<u8>>,
}

impl Geometry {
    pub(super) fn new(size: BoardSize) -> Geometry {
        let points = size.points().bits();
        let last = points.ilog2();
        let mut geometry = Geometry {
            size,
            points,
            spare: 63 - last,
            missing: STRIDE * (4 - last / STRIDE),
            maps: Vec::new(),
            products: Vec::new(),
        };
        geometry.maps = Symmetry::of(size)
            .iter()
            .map(|&symmetry| geometry.map(symmetry))
            .collect();
        let single = Geometry::single_points(points);
        let product = |first: u8, second: u8| {
            let is_product = |&both: &u8| {
                let image = |set| geometry.image(second, geometry.image(first, set));
                single.iter().all(|&p| geometry.image(both, p) == image(p))
            };
            let both = geometry.symmetries().find(is_product);
            both.expect("symmetries form a group")
        };
        let all = geometry.symmetries();
        geometry.products = all
            .clone()
            .map(|first| all.clone().map(|second| product(first, second)).collect())
            .collect();
        geometry
    }

    /// The fastest map equal to `symmetry`.
    fn map(&self, symmetry: Symmetry) -> Map {
        let mut table = [0; 64];
        for point in self.size.points() {
            table[point.index()] = symmetry.point(self.size, point).index() as u8;
        }
        let pointwise = Map::Pointwise(Box::new(table));
        let is_right = |map: &Map| {
            let mut points = Geometry::single_points(self.points).into_iter();
            points.all(|point| self.apply(map, point) == self.apply(&pointwise, point))
        };
        let quick = [
            Map::Identity,
            Map::FlipRows,
            Map::FlipColumns,
            Map::HalfTurn,
        ];
        quick.into_iter().find(is_right).unwrap_or(pointwise)
    }

    #[inline(always)]
    fn apply(&self, map: &Map, set: u64) -> u64 {
        match map {
            Map::Identity => set,
            Map::FlipRows => flip_rows(set) >> self.missing,
            Map::HalfTurn => set.reverse_bits() >> self.spare,
            Map::FlipColumns => flip_rows(set.reverse_bits() >> self.spare) >> self.missing,
            Map::Pointwise(points) => {
                let mut rest = set;
                let mut image = 0;
                while rest != 0 {
                    image |= 1 << points[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
                image
            }
        }
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// The points of the board.
    #[inline]
    pub(super) fn points(&self) -> u64 {
        self.points
    }

    /// The number of points.
    pub(super) fn count(&self) -> u32 {
        self.points.count_ones()
    }

    /// The points of a set as single bits, in ascending order.
    pub(super) fn single_points(of: u64) -> Vec<u64> {
        let mut rest = of;
        std::iter::from_fn(|| {
            let point = rest & rest.wrapping_neg();
            rest ^= point;
            (point != 0).then_some(point)
        })
        .collect()
    }

    /// The numbers of the symmetries.
    pub(super) fn symmetries(&self) -> std::ops::Range<u8> {
        0..self.maps.len() as u8
    }

    /// The inverse of the symmetry with this number.
    pub(super) fn inverse(&self, symmetry: u8) -> u8 {
        let products = &self.products[usize::from(symmetry)];
        let identity = products.iter().position(|&product| product == 0);
        identity.expect("symmetries form a group") as u8
    }

    /// The composition: `second` after `first`.
    pub(super) fn compose(&self, second: u8, first: u8) -> u8 {
        self.products[usize::from(first)][usize::from(second)]
    }

    /// The image of a set of points of the board under a symmetry.
    #[inline(always)]
    pub(super) fn image(&self, symmetry: u8, set: u64) -> u64 {
        self.apply(&self.maps[usize::from(symmetry)], set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn maps_do_what_symmetries_do() {
        for size in BoardSize::ALL {
            let geometry = Geometry::new(size);
            let set = Bitboard::from_bits(0x1_5a3c_96f0_7b2d) & size.points();
            let mut quick = 0;
            for number in geometry.symmetries() {
                let symmetry = Symmetry::of(size)[usize::from(number)];
                let image = geometry.image(number, set.bits());
                assert_eq!(image, symmetry.set(size, set).bits(), "{size} {symmetry:?}");
                let back = geometry.image(geometry.inverse(number), image);
                assert_eq!(back, set.bits());
                let map = &geometry.maps[usize::from(number)];
                quick += u32::from(!matches!(map, Map::Pointwise(_)));
            }
            assert_eq!(quick, 4, "{size}");
        }
    }
}
