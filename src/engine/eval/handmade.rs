//! The hand-made evaluation: stones by region, mobility, threats and tempo, each weighted by the number
//! of stones on the board.

use super::Evaluator;
use crate::board::{Bitboard, BoardSize, Position};
use crate::rules::{Rules, Variant, capturing_first_steps, steps_to_empty_points, with_variant};

// The weights, in centi-stones, were chosen by hand after a logistic regression on 53,000 positions of the engine's own
// games at 30,000 nodes a move, towards a blend of result and search score. Few of those positions have many stones, so
// the weights for many stones are set by hand: about 100 per stone, little for its region.

/// A weight with all stones of the start position, and with none; in between, it is interpolated.
type Weight = (i32, i32);

/// A stone by region: rows from the edge to the middle rank, columns from the edge to the middle file.
const STONE: [Weight; REGIONS] = [
    (70, 74),
    (78, 76),
    (72, 83),
    (76, 81),
    (80, 83),
    //
    (88, 82),
    (80, 80),
    (82, 92),
    (82, 86),
    (92, 86),
    //
    (94, 92),
    (104, 96),
    (94, 93),
    (104, 100),
    (100, 92),
];

/// Tempo: bonus for the side to move.
const TEMPO: Weight = (2, 2);

/// Mobility: each possible step to an empty point.
const MOBILITY: Weight = (-2, 8);

/// Each capturing first step of the side to move.
const CAPTURE: Weight = (46, 62);

/// Bonus if it has any.
const CAN_CAPTURE: Weight = (10, 20);

/// Each capturing first step of the opponent if it were to move, where the side to move has none.
const THREAT: Weight = (-6, -22);

/// Bonus if there is any such step.
const THREATENED: Weight = (-5, -17);

/// Each capturing first step that the opponent would have, where the side to move has one too.
const COUNTER_THREAT: Weight = (-33, -30);

/// Number of regions along the longer side, from the edge to the middle.
const LONG: usize = 5;
/// Number of regions along the shorter side.
const SHORT: usize = 3;
const REGIONS: usize = LONG * SHORT;

/// The points of each region. On 9x5 a region is the orbit of one point (at most four points). Smaller
/// boards use the regions nearest to the middle, and the edge regions for their edges.
type Regions = [Bitboard; REGIONS];

pub(crate) struct HandMade<V> {
    variant: V,
    regions: Regions,
    stones_at_start: i32,
}

impl<V: Variant> HandMade<V> {
    pub(crate) fn new(rules: &Rules, variant: V) -> HandMade<V> {
        HandMade {
            variant,
            regions: regions(rules.board),
            stones_at_start: rules.start().occupied().count() as i32,
        }
    }

    /// Calls `add` with the name of every term, its count and its weight.
    #[inline(always)]
    fn terms(&self, position: &Position, mut add: impl FnMut(&'static str, i32, Weight)) {
        let (own, enemy) = (position.own(), position.enemy());
        for (&region, &weight) in self.regions.iter().zip(&STONE) {
            let count = (own & region).count() as i32 - (enemy & region).count() as i32;
            add("stones", count, weight);
        }
        let own_turn = self.variant.turn(position);
        let enemy_turn = self.variant.turn_of(position, !position.side());
        let steps = steps_to_empty_points(own_turn, own, enemy) as i32
            - steps_to_empty_points(enemy_turn, enemy, own) as i32;
        add("mobility", steps, MOBILITY);
        let captures = capturing_first_steps(own_turn, own, enemy) as i32;
        let threats = capturing_first_steps(enemy_turn, enemy, own) as i32;
        let can_capture = captures > 0;
        add("captures", captures, CAPTURE);
        add("captures", i32::from(can_capture), CAN_CAPTURE);
        let threat = if can_capture { COUNTER_THREAT } else { THREAT };
        add("threats", threats, threat);
        let is_threatened = threats > 0 && !can_capture;
        add("threats", i32::from(is_threatened), THREATENED);
        add("tempo", 1, TEMPO);
    }
}

impl<V: Variant> Evaluator for HandMade<V> {
    #[inline]
    fn evaluate(&mut self, position: &Position, _ply: usize) -> i32 {
        let (mut full, mut bare) = (0, 0);
        self.terms(position, |_, count, weight| {
            full += count * weight.0;
            bare += count * weight.1;
        });
        let stones = position.occupied().count() as i32;
        let all = self.stones_at_start;
        bare + (full - bare) * stones.min(all) / all
    }
}

/// The hand-made evaluation of a position in which both sides have stones.
pub(super) fn evaluate(rules: &Rules, position: &Position) -> i32 {
    with_variant!(rules, |variant| HandMade::new(rules, variant)
        .evaluate(position, 0))
}

/// The terms of a position's evaluation, by name, in stones, from the view of the side to move.
pub(super) fn terms(rules: &Rules, position: &Position) -> Vec<(&'static str, f64)> {
    let evaluation = HandMade::new(rules, *rules);
    let all = f64::from(evaluation.stones_at_start);
    let phase = f64::from(position.occupied().count()).min(all) / all;
    let mut sums: Vec<(&str, f64)> = Vec::new();
    evaluation.terms(position, |name, count, (full, bare)| {
        let (full, bare) = (f64::from(full), f64::from(bare));
        let value = f64::from(count) * (bare + (full - bare) * phase) / 100.0;
        match sums.last_mut() {
            Some((last, sum)) if *last == name => *sum += value,
            _ => sums.push((name, value)),
        }
    });
    sums
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
            let regions = regions(size);
            let union = regions
                .iter()
                .fold(Bitboard::EMPTY, |all, &region| all | region);
            let total: u32 = regions.iter().map(|region| region.count()).sum();
            assert_eq!((union, total), (size.points(), size.points().count()));
        }
    }
}
