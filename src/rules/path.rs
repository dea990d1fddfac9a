//! Paths: whole turns step by step, as they are played and written.

use arrayvec::ArrayVec;

use crate::board::Point;

/// How a step captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capture {
    /// The stone moves towards the stones it takes (`A`).
    Approach,
    /// The stone moves away from the stones it takes (`W`).
    Withdrawal,
}

/// One step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The point that the stone lands on.
    pub to: Point,
    /// How the step captures; `None` for a paika.
    pub capture: Option<Capture>,
}

/// The most steps that a turn can have.
///
/// A stone never lands on its origin nor twice on a point, and the largest board has 45 points.
pub const MAX_STEPS: usize = 44;

/// A turn step by step: the stone's origin and every step in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Where the stone comes from.
    pub from: Point,
    /// The steps in order, at least one.
    pub steps: ArrayVec<Step, MAX_STEPS>,
}

impl Path {
    /// Where the stone ends (its origin, if there is no step).
    #[must_use]
    pub fn to(&self) -> Point {
        self.steps.last().map_or(self.from, |step| step.to)
    }
}
