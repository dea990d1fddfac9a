//! The part of a rule set that affects tables.

use std::fmt;

use thiserror::Error;

use crate::board::{Bitboard, Position, Side};
use crate::rules::{CaptureRule, OpeningRule, Rules, Tie, Variant, Vela};

/// Rules supported by tablebases, as in a table's header.
///
/// Parameters that do not affect tables have their defaults: special first turns (`opening`; `capture=opening` is
/// `free` after the first turn), `repeat` and `limit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRules(Rules);

/// Why there are no tables for some rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnsupportedRules {
    /// Ties are won by the side with more stones.
    #[error("there are no tablebases for tie=count: repeated positions do not draw")]
    CountedTies,
    /// The revenge game.
    #[error("there are no tablebases for the vela: the sides play by different rules")]
    Vela,
}

impl TableRules {
    /// The table rules of a game's rules.
    ///
    /// # Errors
    ///
    /// If there are no tables for them.
    pub fn of(rules: &Rules) -> Result<TableRules, UnsupportedRules> {
        if rules.vela != Vela::Off {
            return Err(UnsupportedRules::Vela);
        }
        if rules.tie == Tie::Count {
            return Err(UnsupportedRules::CountedTies);
        }
        Ok(TableRules(Rules {
            capture: match rules.capture {
                CaptureRule::Forced => CaptureRule::Forced,
                CaptureRule::Opening | CaptureRule::Free => CaptureRule::Free,
            },
            opening: OpeningRule::Free,
            repeat: Rules::STANDARD.repeat,
            limit: Rules::STANDARD.limit,
            ..*rules
        }))
    }

    /// The rules themselves.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.0
    }

    /// Whether a side that can capture must: then tables do not store the value of such a position,
    /// which follows from those after its captures.
    #[must_use]
    pub fn captures_are_forced(&self) -> bool {
        self.0.capture == CaptureRule::Forced
    }

    /// The position with these stones, `own` to move, as tables see it: White moves, and no turn is
    /// the first one.
    #[must_use]
    pub fn position(own: Bitboard, other: Bitboard) -> Position {
        Position::new([own, other], Side::White, 0, 2)
    }

    /// The rules of every turn in a table.
    pub(super) fn turn<V: Variant>(variant: &V) -> V::Turn {
        variant.turn(&TableRules::position(Bitboard::EMPTY, Bitboard::EMPTY))
    }
}

impl fmt::Display for TableRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All parameters, also those that have their defaults.
        write!(f, "{:#}", self.0)
    }
}
