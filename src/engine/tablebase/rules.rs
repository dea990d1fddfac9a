//! The part of a rule set that affects tables.

use std::fmt;

use thiserror::Error;

use crate::board::{Bitboard, Position, Side};
use crate::rules::{Blocked, CaptureRule, OpeningRule, Preset, Rules, Tie, Variant, Vela};

/// The rules of tables, as in the header of a file.
///
/// Parameters that do not affect tables have their defaults: special first turns (`opening`; `capture=opening` is
/// `free` after the first turn), `repeat`, `limit`, and without a vela `eating`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRules(Rules);

/// Why there are no tables for some rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are no tablebases for {0}")]
pub struct UnsupportedRules(&'static str);

impl TableRules {
    /// The table rules of a game's rules.
    ///
    /// # Errors
    ///
    /// If there are no tables for them.
    pub fn of(rules: &Rules) -> Result<TableRules, UnsupportedRules> {
        let what = if rules.vela != Vela::Off {
            "the vela: the sides play by different rules"
        } else if rules.tie == Tie::Count {
            "tie=count: repeated positions do not draw"
        } else if rules.blocked == Blocked::Pass {
            "blocked=pass: a turn may leave the stones as they are"
        } else if rules.repeat == 1 {
            "repeat=1: every position ends the game"
        } else {
            return Ok(TableRules(Rules {
                capture: match rules.capture {
                    CaptureRule::Forced => CaptureRule::Forced,
                    CaptureRule::Opening | CaptureRule::Free => CaptureRule::Free,
                },
                opening: OpeningRule::Free,
                repeat: Rules::STANDARD.repeat,
                limit: Rules::STANDARD.limit,
                ..*rules
            }));
        };
        Err(UnsupportedRules(what))
    }

    /// The rules themselves.
    pub const fn rules(&self) -> &Rules {
        &self.0
    }

    /// The first preset with the same tables.
    pub(super) fn preset(&self) -> Option<Preset> {
        let is_same = |preset: &Preset| {
            let rules = preset.rules();
            rules.is_some_and(|rules| TableRules::of(&rules) == Ok(*self))
        };
        Preset::ALL.into_iter().find(is_same)
    }

    /// Whether captures are forced. Then the value of a position with a capture is not stored: it follows from those
    /// after its captures.
    pub fn captures_are_forced(&self) -> bool {
        self.0.capture == CaptureRule::Forced
    }

    /// The position of a table with these stones: White has `own` and is to move, and it is not the first turn.
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
        write!(f, "{:#}", self.0)
    }
}
