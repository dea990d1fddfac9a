//! The stone that a person has taken up, and what may be done with it.

use crate::board::{Bitboard, Point};
use crate::rules::{Capture, NextStep, TurnUnderWay};

/// The stone that a person has taken up: its turn so far, and the question that may be open.
#[derive(Clone, Debug)]
pub struct Hand {
    pub(super) turn: TurnUnderWay,
    pub(super) asking: Option<Point>,
}

/// What a step to a point would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A step that captures nothing.
    Paika,
    /// A capture of one kind.
    Capture(Capture),
    /// A capture of either kind; the person is asked which.
    Either,
}

impl Hand {
    pub(super) fn new(turn: TurnUnderWay) -> Hand {
        Hand { turn, asking: None }
    }

    /// The turn so far.
    #[must_use]
    pub fn turn(&self) -> &TurnUnderWay {
        &self.turn
    }

    /// The point to which a step of either kind is wanted, while it is open which.
    #[must_use]
    pub fn asking(&self) -> Option<Point> {
        self.asking
    }

    /// The steps to a point.
    pub(super) fn steps_to(&self, point: Point) -> Vec<NextStep> {
        let mut steps = self.turn.next_steps();
        steps.retain(|next| next.step.to == point);
        steps
    }

    /// The points that the stone may go to next, and what a step there would be.
    #[must_use]
    pub fn targets(&self) -> Vec<(Point, Target)> {
        let mut targets: Vec<(Point, Target)> = Vec::new();
        for next in self.turn.next_steps() {
            let target = match next.step.capture {
                None => Target::Paika,
                Some(capture) => Target::Capture(capture),
            };
            match targets.iter_mut().find(|(to, _)| *to == next.step.to) {
                Some((_, known)) => *known = Target::Either,
                None => targets.push((next.step.to, target)),
            }
        }
        targets
    }

    /// The stones that a step to `point` of this kind would take.
    #[must_use]
    pub fn would_capture(&self, point: Point, capture: Capture) -> Bitboard {
        self.steps_to(point)
            .into_iter()
            .filter(|next| next.step.capture == Some(capture))
            .map(|next| next.captured)
            .fold(Bitboard::EMPTY, |all, one| all | one)
    }
}
