//! Every position of a slice, enumerated without the tables' own numbers.

use vato_engine::board::{Bitboard, Point, Position};
use vato_engine::rules::Rules;
use vato_engine::tablebase::{Slice, TableRules};

/// All positions of a slice, symmetric ones as well.
pub fn positions(rules: &Rules, slice: Slice) -> Vec<Position> {
    let points: Vec<Point> = rules.board.points().into_iter().collect();
    let mut found = Vec::new();
    for own in placements(&points, slice.own() as usize) {
        let free: Vec<Point> = points
            .iter()
            .copied()
            .filter(|&p| !own.contains(p))
            .collect();
        for other in placements(&free, slice.other() as usize) {
            found.push(TableRules::position(own, other));
        }
    }
    assert_eq!(found.len() as u64, slice.positions(rules.board));
    found
}

/// All ways to put stones on some of the points.
fn placements(points: &[Point], stones: usize) -> Vec<Bitboard> {
    let Some(fewer) = stones.checked_sub(1) else {
        return vec![Bitboard::EMPTY];
    };
    let mut sets = Vec::new();
    for (place, &point) in points.iter().enumerate() {
        let rest = placements(&points[place + 1..], fewer);
        sets.extend(rest.into_iter().map(|set| set | Bitboard::from(point)));
    }
    sets
}
