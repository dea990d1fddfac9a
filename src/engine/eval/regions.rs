//! Regions: classes of points of a board that are equivalent under its symmetries.

use once_cell::sync::Lazy;

use crate::board::{Bitboard, BoardSize};

/// Number of regions along the longer side, from the edge to the middle.
pub(super) const LONG: usize = 5;
/// Number of regions along the shorter side.
pub(super) const SHORT: usize = 3;
/// Number of regions.
pub(super) const REGIONS: usize = LONG * SHORT;

/// The points of each region. On 9x5 a region is the orbit of one point (at most four points). Smaller
/// boards use the regions nearest to the middle, and the edge regions for their edges.
pub(super) type Regions = [Bitboard; REGIONS];

static ALL: Lazy<Vec<(BoardSize, Regions)>> = Lazy::new(|| {
    BoardSize::ALL
        .into_iter()
        .map(|size| (size, regions(size)))
        .collect()
});

/// The regions of a board of this size.
pub(super) fn of(size: BoardSize) -> &'static Regions {
    ALL.iter()
        .find(|(other, _)| *other == size)
        .map(|(_, regions)| regions)
        .expect("every size is in the list")
}

fn regions(size: BoardSize) -> Regions {
    let mut regions = [Bitboard::EMPTY; REGIONS];
    let long = size.columns().max(size.rows());
    let short = size.columns().min(size.rows());
    for point in size.points() {
        // Edges map to edge regions; other points count from the middle outwards.
        let place = |coordinate: u8, length: u8, classes: usize| {
            let from_edge = usize::from(coordinate.min(length - 1 - coordinate));
            let from_middle = usize::from(length / 2) - from_edge;
            if from_edge == 0 {
                0
            } else {
                classes - 1 - from_middle
            }
        };
        let column = place(point.column(), long, LONG);
        let row = place(point.row(), short, SHORT);
        regions[row * LONG + column] |= point.into();
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_part_every_board() {
        for size in BoardSize::ALL {
            let regions = of(size);
            let union = regions
                .iter()
                .fold(Bitboard::EMPTY, |all, &region| all | region);
            let total: u32 = regions.iter().map(|region| region.count()).sum();
            assert_eq!((union, total), (size.points(), size.points().count()));
        }
    }
}
