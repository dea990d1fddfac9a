//! The weights of the hand-made evaluation, in centi-stones.
//!
//! Chosen by hand after a logistic regression on 53,000 positions of the engine's own games at 30,000
//! nodes a move, towards a blend of result and search score. Few of those positions have many stones,
//! so the weights for many stones are set by hand: about 100 per stone, little for its region.

use super::regions::REGIONS;

/// A weight that depends on the number of stones on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    /// With all stones of the start position.
    pub(super) full: i32,
    /// With no stones; in between, interpolated.
    pub(super) bare: i32,
}

const fn weight(full: i32, bare: i32) -> Weight {
    Weight { full, bare }
}

/// A stone by region: rows from the edge to the middle rank, columns from the edge to the middle file.
pub(super) const STONE: [Weight; REGIONS] = [
    weight(70, 74),
    weight(78, 76),
    weight(72, 83),
    weight(76, 81),
    weight(80, 83),
    //
    weight(88, 82),
    weight(80, 80),
    weight(82, 92),
    weight(82, 86),
    weight(92, 86),
    //
    weight(94, 92),
    weight(104, 96),
    weight(94, 93),
    weight(104, 100),
    weight(100, 92),
];

/// Tempo: bonus for the side to move.
pub(super) const TEMPO: Weight = weight(2, 2);

/// Mobility: each possible step to an empty point.
pub(super) const MOBILITY: Weight = weight(-2, 8);

/// Each capturing first step of the side to move.
pub(super) const CAPTURE: Weight = weight(46, 62);

/// Bonus if it has any.
pub(super) const CAN_CAPTURE: Weight = weight(10, 20);

/// Each capturing first step that the opponent would have if it were to move, where the side to move has
/// none.
pub(super) const THREAT: Weight = weight(-6, -22);

/// Bonus if there is any such step.
pub(super) const THREATENED: Weight = weight(-5, -17);

/// Each capturing first step that the opponent would have, where the side to move has one too.
pub(super) const COUNTER_THREAT: Weight = weight(-33, -30);
