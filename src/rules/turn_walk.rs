//! A turn played step by step, one stone at a time: plain and checked, for paths that come from
//! outside and for finding the path of a move. The generator has its own, faster ways.

use arrayvec::ArrayVec;
use thiserror::Error;

use super::turn_rules::{ResolvedTurn, Taking, TurnRules, Variant};
use super::{Capture, ChainRule, Path, Rules, Step};
use crate::board::{Bitboard, Direction, Move, Point, Position};

/// Why a turn is illegal. Steps count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum IllegalTurn {
    /// One side has lost all its stones.
    #[error("the game is over: a side has no stones")]
    GameOver,
    /// The origin holds no stone of the side to move.
    #[error("no stone of {side}'s on {point}")]
    NoStone {
        side: crate::board::Side,
        point: String,
    },
    /// The two points are not neighbours on a line.
    #[error("step {step}: no line from {from} to its neighbour {to}")]
    NoLine {
        step: usize,
        from: String,
        to: String,
    },
    /// The landing point holds a stone.
    #[error("step {step}: {to} is not empty")]
    Occupied { step: usize, to: String },
    /// The stone has been on the landing point in this turn.
    #[error("step {step}: the stone was on {to} before in this turn")]
    Returned { step: usize, to: String },
    /// The step goes the way of the step before.
    #[error("step {step}: goes in the direction of the step before")]
    SameDirection { step: usize },
    /// No enemy stone ahead (approach) or behind (withdrawal).
    #[error("step {step}: nothing to capture by {how} from {from} to {to}")]
    NothingToCapture {
        step: usize,
        how: &'static str,
        from: String,
        to: String,
    },
    /// The giver of a vela may not capture.
    #[error("step {step}: the giver of the vela plays paikas only")]
    GiverCaptures { step: usize },
    /// A paika although a capture exists.
    #[error("a capture exists, so the turn must capture")]
    MustCapture,
    /// A step without letter that lines up with enemy stones.
    #[error("step {step}: captures, so it needs its letter, A or W")]
    LetterMissing { step: usize },
    /// A paika among other steps.
    #[error("step {step}: a step that captures nothing is a turn of its own")]
    PaikaInChain { step: usize },
    /// More than one step where the turn is a single one.
    #[error("step {step}: this turn is a single step")]
    SingleStep { step: usize },
    /// The turn ends although the stone can capture again.
    #[error("the stone has another capturing step and must go on")]
    MustGoOn,
    /// A path without steps.
    #[error("the turn has no step")]
    NoStep,
}

/// The move that `path` makes at `position`.
///
/// # Errors
///
/// Names the first step that is illegal, and why.
pub fn follow(rules: &Rules, position: &Position, path: &Path) -> Result<Move, IllegalTurn> {
    if position.own().is_empty() || position.enemy().is_empty() {
        return Err(IllegalTurn::GameOver);
    }
    let name = |point| rules.board.name(point);
    let mut walk = TurnWalk::new(rules, position, path.from).ok_or(IllegalTurn::NoStone {
        side: position.side(),
        point: name(path.from),
    })?;
    for (index, &step) in path.steps.iter().enumerate() {
        let number = index + 1;
        if index > 0 && walk.captured().is_empty() {
            return Err(IllegalTurn::PaikaInChain { step: 1 });
        }
        if index > 0 && walk.turn.chain() == ChainRule::Single {
            return Err(IllegalTurn::SingleStep { step: number });
        }
        walk = walk.checked_step(rules, position, number, step)?;
    }
    if path.steps.is_empty() {
        return Err(IllegalTurn::NoStep);
    }
    if walk.captured().is_empty() {
        if walk.turn.compulsory() && super::has_capture(rules, position) {
            return Err(IllegalTurn::MustCapture);
        }
    } else if walk.must_go_on() {
        return Err(IllegalTurn::MustGoOn);
    }
    Ok(Move::new(path.from, walk.at, walk.captured()))
}

/// A turn under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnWalk {
    turn: ResolvedTurn,
    /// Where the turn began.
    origin: Point,
    /// Where the stone stands.
    at: Point,
    last: Option<Direction>,
    /// Empty points that the stone has not been on.
    free: Bitboard,
    enemy: Bitboard,
    captured: Bitboard,
}

/// A capturing step that a turn can take next.
pub(super) struct Candidate {
    pub(super) step: Step,
    pub(super) after: TurnWalk,
}

impl TurnWalk {
    /// A turn of the stone on `from`; `None` if the side to move has none there.
    pub(super) fn new(rules: &Rules, position: &Position, from: Point) -> Option<TurnWalk> {
        position.own().contains(from).then(|| TurnWalk {
            turn: rules.turn(position),
            origin: from,
            at: from,
            last: None,
            free: rules.board.points() - position.occupied(),
            enemy: position.enemy(),
            captured: Bitboard::EMPTY,
        })
    }

    /// Where the stone stands.
    pub(super) fn at(&self) -> Point {
        self.at
    }

    /// What the turn has removed.
    pub(super) fn captured(&self) -> Bitboard {
        self.captured
    }

    /// Whether the turn may have another step at all.
    pub(super) fn may_go_on(&self) -> bool {
        self.last.is_none() || self.turn.chain() != ChainRule::Single
    }

    /// Whether the turn may not end here because the stone can capture again.
    pub(super) fn must_go_on(&self) -> bool {
        self.turn.chain() == ChainRule::Full && !self.capturing_steps().is_empty()
    }

    /// Every capturing step that the stone can take next.
    pub(super) fn capturing_steps(&self) -> ArrayVec<Candidate, 16> {
        let mut candidates = ArrayVec::new();
        for direction in Direction::ALL {
            let repeated = self.last == Some(direction) && !self.turn.any_direction();
            let Some(to) = self.landing(direction).filter(|_| !repeated) else {
                continue;
            };
            for capture in [Capture::Approach, Capture::Withdrawal] {
                let after = self.capturing(direction, to, capture);
                if after.captured != self.captured {
                    let step = Step {
                        to,
                        capture: Some(capture),
                    };
                    candidates.push(Candidate { step, after });
                }
            }
        }
        candidates
    }

    /// Whether a step to `to` from here would be a paika that these rules allow, were there no
    /// capture elsewhere.
    pub(super) fn is_paika(&self, to: Point) -> bool {
        Direction::ALL
            .into_iter()
            .any(|direction| self.landing(direction) == Some(to))
            && !self
                .capturing_steps()
                .iter()
                .any(|candidate| candidate.step.to == to)
    }

    /// The points that a paika may lead to, were there no capture elsewhere.
    pub(super) fn paika_targets(&self) -> Bitboard {
        Direction::ALL
            .into_iter()
            .filter_map(|direction| self.landing(direction))
            .filter(|&to| self.is_paika(to))
            .collect()
    }

    /// The turn after a paika, which is its end.
    pub(super) fn after_paika(&self, to: Point) -> TurnWalk {
        TurnWalk { at: to, ..*self }
    }

    /// Whether the turn may be a paika only if no capture exists.
    pub(super) fn is_compulsory(&self) -> bool {
        self.turn.compulsory()
    }

    /// Where a step in `direction` lands, if there is a line and the point is free.
    fn landing(&self, direction: Direction) -> Option<Point> {
        self.neighbour(direction)
            .filter(|&to| self.free.contains(to))
    }

    fn neighbour(&self, direction: Direction) -> Option<Point> {
        if direction.is_diagonal() && !self.at.is_strong() {
            return None;
        }
        let next = Bitboard::from(self.at).shifted(direction) & self.turn.board();
        next.first()
    }

    /// The turn after a capturing step; it removes nothing if there is nothing to capture.
    fn capturing(&self, direction: Direction, to: Point, capture: Capture) -> TurnWalk {
        let (near, away) = match capture {
            Capture::Approach => (to, direction),
            Capture::Withdrawal => (self.at, direction.opposite()),
        };
        let mut taken = Bitboard::EMPTY;
        let mut next = Bitboard::from(near).shifted(away) & self.enemy;
        if self.turn.taking() == Taking::Nothing {
            next = Bitboard::EMPTY;
        }
        while !next.is_empty() {
            taken |= next;
            next = next.shifted(away) & self.enemy;
            if self.turn.taking() == Taking::OneStone {
                break;
            }
        }
        TurnWalk {
            turn: self.turn,
            origin: self.origin,
            at: to,
            last: Some(direction),
            free: (self.free - to.into()) | taken,
            enemy: self.enemy - taken,
            captured: self.captured | taken,
        }
    }

    fn checked_step(
        &self,
        rules: &Rules,
        position: &Position,
        number: usize,
        step: Step,
    ) -> Result<TurnWalk, IllegalTurn> {
        let name = |point| rules.board.name(point);
        let to = step.to;
        let direction = Direction::ALL
            .into_iter()
            .find(|&direction| self.neighbour(direction) == Some(to))
            .ok_or_else(|| IllegalTurn::NoLine {
                step: number,
                from: name(self.at),
                to: name(to),
            })?;
        if !self.free.contains(to) {
            let step = number;
            let to_name = name(to);
            // The origin still holds the stone in `position`, and every other point that it has
            // been on is empty there or held a stone that this turn has removed.
            let others = position.occupied() - self.captured - self.origin.into();
            return Err(if others.contains(to) {
                IllegalTurn::Occupied { step, to: to_name }
            } else {
                IllegalTurn::Returned { step, to: to_name }
            });
        }
        if self.last == Some(direction) && !self.turn.any_direction() {
            return Err(IllegalTurn::SameDirection { step: number });
        }
        let Some(capture) = step.capture else {
            return if self.last.is_some() {
                Err(IllegalTurn::PaikaInChain { step: number })
            } else if self.is_paika(to) {
                Ok(self.after_paika(to))
            } else {
                Err(IllegalTurn::LetterMissing { step: number })
            };
        };
        if self.turn.taking() == Taking::Nothing {
            return Err(IllegalTurn::GiverCaptures { step: number });
        }
        let after = self.capturing(direction, to, capture);
        if after.captured == self.captured {
            return Err(IllegalTurn::NothingToCapture {
                step: number,
                how: match capture {
                    Capture::Approach => "approach",
                    Capture::Withdrawal => "withdrawal",
                },
                from: name(self.at),
                to: name(to),
            });
        }
        Ok(after)
    }
}
