//! What a table says of a position.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

/// The outcome of a position under best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Wdl {
    /// The side to move loses.
    Loss = 0,
    /// Neither side can win.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Wdl {
    /// All three, the worst for the side to move first.
    pub const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    /// The outcome with this number; every number but 0 and 2 is a draw.
    #[inline]
    pub(super) const fn from_code(code: u8) -> Wdl {
        match code {
            0 => Wdl::Loss,
            2 => Wdl::Win,
            _ => Wdl::Draw,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }
}

/// The same outcome from the other side's view.
impl Neg for Wdl {
    type Output = Wdl;

    #[inline]
    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The outcome of a position with its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The outcome.
    pub wdl: Wdl,
    /// Plies to the next conversion, the ply that captures or ends the game counted; 0 for a draw and
    /// for a game that is over.
    pub plies: u32,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value {
        wdl: Wdl::Draw,
        plies: 0,
    };

    /// Whether a decided position may miss its conversion: `quiet_plies` plies have been played
    /// without a capture, and after `limit` of them (0 = never) the game is drawn.
    #[must_use]
    pub const fn exceeds_limit(&self, quiet_plies: u16, limit: u16) -> bool {
        !matches!(self.wdl, Wdl::Draw)
            && limit != 0
            && self.plies + quiet_plies as u32 > limit as u32
    }
}
