//! Turns step by step: paths as they are played and written, and a plain, checked way to play them. The
//! generator has its own, faster code.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::turn_rules::{ResolvedTurn, Taking, Variant};
use super::{Blocked, ChainRule, Rules, has_capture, legal_moves};
use crate::board::{Bitboard, DIAGONALS, Move, Point, Position, opposite};

const PAIKA_IN_CHAIN: &str = "a step that captures nothing is a turn of its own";

/// How a step captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capture {
    /// Approach: the stone moves towards the stones it captures (`A`).
    Approach,
    /// Withdrawal: the stone moves away from the stones it captures (`W`).
    Withdrawal,
}

/// One step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The landing point.
    pub to: Point,
    /// How the step captures; `None` for a paika.
    pub capture: Option<Capture>,
}

/// The maximum number of steps of a turn.
///
/// A stone never lands on its origin nor twice on the same point, and the largest board has 45 points.
pub const MAX_STEPS: usize = 44;

/// A turn step by step: the stone's origin and every step in order. A pass has no step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The stone's origin.
    pub from: Point,
    /// The steps in order; at least one, except in a pass.
    pub steps: ArrayVec<Step, MAX_STEPS>,
}

impl Path {
    /// A pass.
    pub fn pass() -> Path {
        Path {
            from: Move::PASS.from(),
            steps: ArrayVec::new(),
        }
    }

    /// The stone's end point (its origin if there is no step).
    pub fn to(&self) -> Point {
        self.steps.last().map_or(self.from, |step| step.to)
    }
}

/// The move that `path` makes at `position`.
///
/// # Errors
///
/// Names the first illegal step, counted from 1, and the reason.
pub fn follow(rules: &Rules, position: &Position, path: &Path) -> Result<Move, String> {
    let illegal = |what: &str| Err(what.to_owned());
    if position.own().is_empty() || position.enemy().is_empty() {
        return illegal("the game is over: a side has no stones");
    }
    if path.steps.is_empty() {
        return match (rules.blocked, may_pass(rules, position)) {
            (Blocked::Pass, false) => illegal("only a player that cannot move passes"),
            (_, false) => illegal("these rules have no pass"),
            (_, true) => Ok(Move::PASS),
        };
    }
    let mut walk = TurnWalk::new(rules, position, path.from).ok_or_else(|| {
        let (side, point) = (position.side(), rules.board.name(path.from));
        format!("no stone of {side}'s on {point}")
    })?;
    for (index, &step) in path.steps.iter().enumerate() {
        let number = index + 1;
        if index > 0 && walk.captured.is_empty() {
            return Err(format!("step 1: {PAIKA_IN_CHAIN}"));
        }
        if index > 0 && walk.turn.chain == ChainRule::Single {
            return Err(format!("step {number}: this turn is a single step"));
        }
        let next = walk.checked_step(rules, position, step);
        walk = next.map_err(|what| format!("step {number}: {what}"))?;
    }
    if walk.captured.is_empty() {
        if walk.turn.compulsory && has_capture(rules, position) {
            return illegal("a capture exists, so the turn must capture");
        }
    } else if walk.must_go_on() {
        return illegal("the stone has another capturing step and must go on");
    }
    Ok(Move::new(path.from, walk.at, walk.captured))
}

fn may_pass(rules: &Rules, position: &Position) -> bool {
    legal_moves(rules, position).contains(&Move::PASS)
}

/// A turn of one stone, step by step.
#[derive(Clone, Copy, Debug)]
pub struct TurnWalk {
    turn: ResolvedTurn,
    /// The stone's origin.
    origin: Point,
    /// The stone's current point.
    pub at: Point,
    last: Option<usize>,
    /// Empty points that the stone has not visited in this turn.
    free: Bitboard,
    enemy: Bitboard,
    /// The stones captured.
    pub captured: Bitboard,
}

/// A step that can come next, and the turn after it.
pub struct NextWalk {
    /// The step.
    pub step: Step,
    /// The turn after it.
    pub after: TurnWalk,
}

impl TurnWalk {
    /// A turn of the stone on `from`; `None` if the side to move has no stone there.
    pub fn new(rules: &Rules, position: &Position, from: Point) -> Option<TurnWalk> {
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

    /// Whether captures are compulsory.
    pub fn is_compulsory(&self) -> bool {
        self.turn.compulsory
    }

    /// Whether the rules allow another step in this turn.
    pub fn may_go_on(&self) -> bool {
        self.last.is_none() || self.turn.chain != ChainRule::Single
    }

    /// Whether the turn must go on because the stone can capture again.
    pub fn must_go_on(&self) -> bool {
        self.turn.chain == ChainRule::Full && !self.capturing_steps().is_empty()
    }

    /// Every capturing step that the stone can take next.
    pub fn capturing_steps(&self) -> ArrayVec<NextWalk, 16> {
        let mut candidates = ArrayVec::new();
        for direction in 0..8 {
            let repeated = self.last == Some(direction) && !self.turn.any_direction;
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
                    candidates.push(NextWalk { step, after });
                }
            }
        }
        candidates
    }

    /// Every paika that the stone can play at the start of its turn, captures elsewhere disregarded.
    pub fn paikas(&self) -> impl Iterator<Item = NextWalk> {
        let captures = self.capturing_steps();
        let may_be = !self.turn.must_eat;
        (0..8)
            .filter_map(|direction| self.landing(direction))
            .filter(move |&to| may_be && captures.iter().all(|capture| capture.step.to != to))
            .map(|to| NextWalk {
                step: Step { to, capture: None },
                after: TurnWalk { at: to, ..*self },
            })
    }

    /// The landing point of a step in `direction`, if there is a line and the point is free.
    fn landing(&self, direction: usize) -> Option<Point> {
        self.neighbour(direction)
            .filter(|&to| self.free.contains(to))
    }

    fn neighbour(&self, direction: usize) -> Option<Point> {
        if DIAGONALS >> direction & 1 != 0 && !self.at.is_strong() {
            return None;
        }
        let next = Bitboard::from(self.at).shifted(direction) & self.turn.board;
        next.first()
    }

    /// The turn after a capturing step; it removes nothing if there is nothing to capture.
    fn capturing(&self, direction: usize, to: Point, capture: Capture) -> TurnWalk {
        let (near, away) = match capture {
            Capture::Approach => (to, direction),
            Capture::Withdrawal => (self.at, opposite(direction)),
        };
        let mut taken = Bitboard::EMPTY;
        let mut next = Bitboard::from(near).shifted(away) & self.enemy;
        if self.turn.taking == Taking::Nothing {
            next = Bitboard::EMPTY;
        }
        while !next.is_empty() {
            taken |= next;
            next = next.shifted(away) & self.enemy;
            if self.turn.taking == Taking::OneStone {
                break;
            }
        }
        TurnWalk {
            at: to,
            last: Some(direction),
            free: (self.free - to.into()) | taken,
            enemy: self.enemy - taken,
            captured: self.captured | taken,
            ..*self
        }
    }

    /// The turn after `step`; else why it is illegal.
    fn checked_step(
        &self,
        rules: &Rules,
        position: &Position,
        step: Step,
    ) -> Result<TurnWalk, String> {
        let illegal = |what: &str| Err(what.to_owned());
        let to = step.to;
        let [from_name, to_name] = [self.at, to].map(|point| rules.board.name(point));
        let leads = |&direction: &usize| self.neighbour(direction) == Some(to);
        let Some(direction) = (0..8).find(leads) else {
            return Err(format!(
                "the step from {from_name} to {to_name} does not go along a line to an adjacent point"
            ));
        };
        if !self.free.contains(to) {
            // The origin still holds the stone in `position`; every other visited point is empty there or
            // held a stone captured in this turn.
            let others = position.occupied() - self.captured - self.origin.into();
            return Err(match others.contains(to) {
                true => format!("{to_name} is not empty"),
                false => format!("the stone was on {to_name} before in this turn"),
            });
        }
        if self.last == Some(direction) && !self.turn.any_direction {
            return illegal("goes in the direction of the step before");
        }
        let Some(capture) = step.capture else {
            if self.last.is_some() {
                return illegal(PAIKA_IN_CHAIN);
            }
            if self.turn.must_eat {
                return illegal("the eater of this vela captures in every turn");
            }
            let paika = self.paikas().find(|paika| paika.step == step);
            return match paika {
                Some(paika) => Ok(paika.after),
                None => illegal("captures, so it needs its letter, A or W"),
            };
        };
        if self.turn.taking == Taking::Nothing {
            return illegal("the giver of the vela plays paikas only");
        }
        let after = self.capturing(direction, to, capture);
        if after.captured == self.captured {
            let how = match capture {
                Capture::Approach => "approach",
                Capture::Withdrawal => "withdrawal",
            };
            return Err(format!(
                "nothing to capture by {how} from {from_name} to {to_name}"
            ));
        }
        Ok(after)
    }
}

/// The shortest path that plays `mv` at `position`, the first in the order of the notation among
/// several; `None` if `mv` is not legal there.
pub fn shortest_path(rules: &Rules, position: &Position, mv: Move) -> Option<Path> {
    if position.enemy().is_empty() {
        return None;
    }
    if mv == Move::PASS {
        return may_pass(rules, position).then(Path::pass);
    }
    let walk = TurnWalk::new(rules, position, mv.from())?;
    let mut steps = ArrayVec::new();
    if mv.is_capture() {
        // Every step captures at least one stone.
        let most = (mv.captured().count() as usize).min(MAX_STEPS);
        (1..=most)
            .any(|length| search(rules, mv, &walk, length, &mut steps))
            .then_some(())?;
    } else {
        let forbidden = walk.turn.compulsory && has_capture(rules, position);
        let paika = walk.paikas().find(|paika| paika.step.to == mv.to());
        steps.push(paika.filter(|_| !forbidden)?.step);
    }
    Some(Path {
        from: mv.from(),
        steps,
    })
}

/// Whether exactly `length` further steps from `walk` complete `target`; if so, appends them to
/// `steps`, else leaves it unchanged.
fn search(
    rules: &Rules,
    target: Move,
    walk: &TurnWalk,
    length: usize,
    steps: &mut ArrayVec<Step, MAX_STEPS>,
) -> bool {
    if length == 0 {
        return walk.at == target.to() && walk.captured == target.captured() && !walk.must_go_on();
    }
    if !walk.may_go_on() {
        return false;
    }
    let mut candidates = walk.capturing_steps();
    // A step that captures a stone outside the target cannot complete it.
    candidates.retain(|candidate| candidate.after.captured.is_subset_of(target.captured()));
    candidates.sort_by_key(|candidate| {
        let step = candidate.step;
        Reverse((rules.board.file_and_rank(step.to), step.capture))
    });
    while let Some(candidate) = candidates.pop() {
        steps.push(candidate.step);
        if search(rules, target, &candidate.after, length - 1, steps) {
            return true;
        }
        steps.pop();
    }
    false
}
