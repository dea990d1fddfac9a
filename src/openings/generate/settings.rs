//! What positions are wanted.

use crate::board::Side;
use crate::eval::Evaluation;

/// What positions are wanted, and how they are judged.
#[derive(Clone, Debug)]
pub struct GenerateSettings {
    /// Random plies from the start position, at most 200.
    pub plies: u32,
    /// How many positions.
    pub count: usize,
    /// The lowest score, in centi-stones as they are shown, from White's view.
    pub min_score: i32,
    /// The highest score, in centi-stones as they are shown, from White's view.
    pub max_score: i32,
    /// The bounds hold for the side that is better, which by turns is White and Black.
    pub both_sides: bool,
    /// What everything random derives from.
    pub seed: u64,
    /// How far each position is searched.
    pub effort: Effort,
    /// What positions are evaluated with.
    pub evaluation: Evaluation,
    /// Number of threads. The positions do not depend on it.
    pub threads: usize,
}

/// How far a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// To this depth, in plies.
    Depth(u32),
    /// This many nodes.
    Nodes(u64),
}

impl GenerateSettings {
    /// Which side a position with this score, in centi-stones from White's view, is for; `None` if it
    /// is out of bounds. Where the bounds do not hold for the better side, everything is for White.
    pub(super) fn side_for(&self, score: i32) -> Option<Side> {
        let bounds = self.min_score..=self.max_score;
        if bounds.contains(&score) {
            Some(Side::White)
        } else if self.both_sides && bounds.contains(&-score) {
            Some(Side::Black)
        } else {
            None
        }
    }

    /// How many positions are wanted for this side.
    pub(super) fn wanted(&self, side: Side) -> usize {
        match (self.both_sides, side) {
            (false, Side::White) => self.count,
            (false, Side::Black) => 0,
            (true, Side::White) => self.count.div_ceil(2),
            (true, Side::Black) => self.count / 2,
        }
    }

    /// The side for which the position that is given after `given` others is.
    pub(super) fn turn(&self, given: usize) -> Side {
        if self.both_sides && given % 2 == 1 {
            Side::Black
        } else {
            Side::White
        }
    }

    /// By how much a score is out of bounds, in centi-stones; 0 if it is not.
    pub(super) fn excess(&self, score: i32) -> i32 {
        let score = if self.both_sides { score.abs() } else { score };
        let below = self.min_score.saturating_sub(score);
        let above = score.saturating_sub(self.max_score);
        below.max(above).max(0)
    }
}
