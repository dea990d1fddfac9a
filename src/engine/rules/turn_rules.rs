//! The rules of one turn, in the form that the move generator is compiled for.
//!
//! The generator never looks at [`Rules`]: first turns, the vela and the other parameters are resolved
//! here into a few simple answers. For the standard game all of them are constants, so its generator is
//! compiled without the variants.

use super::{Blocked, CaptureRule, ChainRule, DirectionRule, OpeningRule, Rules};
use crate::board::{Bitboard, BoardSize, Position, Side};

/// The stones captured by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taking {
    /// The whole unbroken line.
    Line,
    /// Only the stone next to the mover (the receiver of a vela).
    OneStone,
    /// None: every step is a paika (the giver of a vela).
    Nothing,
}

/// The rules of one turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolvedTurn {
    pub(crate) board: Bitboard,
    pub(crate) compulsory: bool,
    pub(crate) chain: ChainRule,
    pub(crate) any_direction: bool,
    pub(crate) taking: Taking,
    /// Whether every turn captures.
    pub(crate) must_eat: bool,
    /// Whether a player without a step passes.
    pub(crate) passes: bool,
}

/// What knows the rules of a turn: their values, or a type for which they are constants.
pub(crate) trait TurnRules: Copy {
    fn rules(self) -> ResolvedTurn;
}

impl TurnRules for ResolvedTurn {
    #[inline(always)]
    fn rules(self) -> ResolvedTurn {
        self
    }
}

/// A game's rules as the generator and the search use them.
pub(crate) trait Variant: Copy + Send + Sync {
    type Turn: TurnRules;
    /// The rules of the turn of `side` at `position`: of this turn if it is the side to move, else of the
    /// next one with the stones unchanged.
    fn turn_of(&self, position: &Position, side: Side) -> Self::Turn;
    #[inline(always)]
    fn turn(&self, position: &Position) -> Self::Turn {
        self.turn_of(position, position.side())
    }
    /// See [`Rules::key`].
    fn key(&self, position: &Position) -> u64;
}

/// The movement of the standard game, all constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandardMovement;

impl TurnRules for StandardMovement {
    #[inline(always)]
    fn rules(self) -> ResolvedTurn {
        ResolvedTurn {
            board: const { BoardSize::STANDARD.points() },
            compulsory: true,
            chain: ChainRule::Free,
            any_direction: false,
            taking: Taking::Line,
            must_eat: false,
            passes: false,
        }
    }
}

impl Variant for StandardMovement {
    type Turn = StandardMovement;
    #[inline(always)]
    fn turn_of(&self, _position: &Position, _side: Side) -> StandardMovement {
        StandardMovement
    }
    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }
}

impl Variant for Rules {
    type Turn = ResolvedTurn;

    #[inline]
    fn turn_of(&self, position: &Position, side: Side) -> ResolvedTurn {
        // After Black's first turn comes White's second.
        let white_is_next = side != position.side() && side == Side::White;
        let first_turn = position.move_number() == 1 && !white_is_next;
        let opens_game = first_turn && side == Side::White;
        let single_step = match self.opening {
            OpeningRule::Free => false,
            OpeningRule::First => opens_game,
            OpeningRule::Both => first_turn,
        };
        let mut turn = ResolvedTurn {
            board: self.board.points(),
            compulsory: match self.capture {
                CaptureRule::Forced => true,
                CaptureRule::Opening => opens_game,
                CaptureRule::Free => false,
            },
            chain: if single_step {
                ChainRule::Single
            } else {
                self.chain
            },
            any_direction: self.direction == DirectionRule::Any,
            taking: Taking::Line,
            must_eat: self.must_eat(position, side),
            passes: self.blocked == Blocked::Pass,
        };
        if let Some(giver) = self.vela_giver(position) {
            if giver == side {
                turn.taking = Taking::Nothing;
            } else {
                turn.taking = Taking::OneStone;
                turn.chain = ChainRule::Single;
            }
        }
        turn
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        Rules::key(self, position)
    }
}

/// Evaluates an expression with `$variant` bound to the cheapest [`Variant`] that implements `$rules`.
macro_rules! with_variant {
    ($rules:expr, |$variant:ident| $body:expr) => {{
        let rules: &$crate::rules::Rules = $rules;
        if rules.has_standard_movement() {
            let $variant = $crate::rules::StandardMovement;
            $body
        } else {
            let $variant = *rules;
            $body
        }
    }};
}
pub(crate) use with_variant;
