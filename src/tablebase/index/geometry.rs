//! Boards as the index sees them: points and symmetries on the lattice.

use crate::board::{BoardSize, Point, Symmetry};

/// Bits of a row of the lattice, and of the whole.
const ROW: u64 = 0x3ff;
const STRIDE: u32 = 10;

/// A symmetry as a map of sets of lattice points.
#[derive(Clone, Debug)]
enum Map {
    Identity,
    /// The rows in reverse order; the board has so many fewer than five.
    FlipRows {
        missing: u32,
    },
    FlipColumns {
        missing: u32,
        spare: u32,
    },
    /// All points in reverse order; there are so many bits above the last point.
    HalfTurn {
        spare: u32,
    },
    /// Point by point: the diagonals of square boards.
    Pointwise(Box<[u8; 64]>),
}

impl Map {
    #[inline(always)]
    fn image(&self, bits: u64) -> u64 {
        match *self {
            Map::Identity => bits,
            Map::FlipRows { missing } => flip_rows(bits) >> (STRIDE * missing),
            Map::HalfTurn { spare } => bits.reverse_bits() >> spare,
            Map::FlipColumns { missing, spare } => {
                flip_rows(bits.reverse_bits() >> spare) >> (STRIDE * missing)
            }
            Map::Pointwise(ref points) => {
                let mut rest = bits;
                let mut image = 0;
                while rest != 0 {
                    image |= 1 << points[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
                image
            }
        }
    }
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
pub(in crate::tablebase) struct Geometry {
    size: BoardSize,
    points: u64,
    maps: Vec<Map>,
    inverses: Vec<u8>,
    /// By first and second symmetry: the one that does what both do.
    products: Vec<Vec<u8>>,
}

impl Geometry {
    pub(in crate::tablebase) fn new(size: BoardSize) -> Geometry {
        let symmetries = Symmetry::of(size);
        let points = size.points();
        let image = |symmetry: Symmetry, point: Point| symmetry.point(size, point);
        let undoes = |a: Symmetry, b: Symmetry| {
            points
                .into_iter()
                .all(|point| image(b, image(a, point)) == point)
        };
        let inverses = symmetries
            .iter()
            .map(|&a| {
                let inverse = symmetries.iter().position(|&b| undoes(a, b));
                inverse.expect("symmetries form a group") as u8
            })
            .collect();
        let does_both = |a: Symmetry, b: Symmetry, both: Symmetry| {
            points
                .into_iter()
                .all(|point| image(b, image(a, point)) == image(both, point))
        };
        let product = |a: Symmetry, b: Symmetry| {
            let both = symmetries.iter().position(|&both| does_both(a, b, both));
            both.expect("symmetries form a group") as u8
        };
        let products = symmetries
            .iter()
            .map(|&a| symmetries.iter().map(|&b| product(a, b)).collect())
            .collect();
        Geometry {
            size,
            products,
            points: points.bits(),
            maps: symmetries
                .iter()
                .map(|&symmetry| map(size, symmetry))
                .collect(),
            inverses,
        }
    }

    pub(in crate::tablebase) fn size(&self) -> BoardSize {
        self.size
    }

    /// The points of the board.
    #[inline]
    pub(in crate::tablebase) fn points(&self) -> u64 {
        self.points
    }

    /// How many points there are.
    pub(in crate::tablebase) fn count(&self) -> u32 {
        self.points.count_ones()
    }

    /// The points as single bits, in order.
    pub(in crate::tablebase) fn single_points(of: u64) -> Vec<u64> {
        let mut rest = of;
        std::iter::from_fn(|| {
            let point = rest & rest.wrapping_neg();
            rest ^= point;
            (point != 0).then_some(point)
        })
        .collect()
    }

    /// The numbers of the symmetries.
    pub(in crate::tablebase) fn symmetries(&self) -> std::ops::Range<u8> {
        0..self.maps.len() as u8
    }

    /// The symmetry that takes back the one with this number.
    pub(in crate::tablebase) fn inverse(&self, symmetry: u8) -> u8 {
        self.inverses[usize::from(symmetry)]
    }

    /// The symmetry that does what `second` does after `first`.
    pub(in crate::tablebase) fn compose(&self, second: u8, first: u8) -> u8 {
        self.products[usize::from(first)][usize::from(second)]
    }

    /// The image of a set of points of the board under a symmetry.
    #[inline(always)]
    pub(in crate::tablebase) fn image(&self, symmetry: u8, set: u64) -> u64 {
        self.maps[usize::from(symmetry)].image(set)
    }
}

/// The quickest map that does what `symmetry` does.
fn map(size: BoardSize, symmetry: Symmetry) -> Map {
    let last = size.points().bits().ilog2();
    let spare = 63 - last;
    let missing = 4 - last / STRIDE;
    let mut table = [0; 64];
    for point in size.points() {
        table[point.index()] = symmetry.point(size, point).index() as u8;
    }
    let pointwise = Map::Pointwise(Box::new(table));
    [
        Map::Identity,
        Map::FlipRows { missing },
        Map::FlipColumns { missing, spare },
        Map::HalfTurn { spare },
    ]
    .into_iter()
    .find(|candidate| {
        size.points().into_iter().all(|point| {
            let bit = 1 << point.index();
            candidate.image(bit) == pointwise.image(bit)
        })
    })
    .unwrap_or(pointwise)
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
