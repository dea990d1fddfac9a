//! Outcomes and distances, and outcomes packed four to a byte.

use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::text::named_enum;

named_enum! {
    /// The outcome of a position under best play, for the side to move.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[repr(u8)]
    pub enum Wdl {
        /// The side to move loses.
        Loss = "loss",
        /// Neither side can win.
        Draw = "draw",
        /// The side to move wins.
        Win = "win",
    }
}

/// The same outcome for the other side.
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

/// The outcome of a position with its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The outcome.
    pub wdl: Wdl,
    /// The distance: plies to the next conversion, including the converting ply; 0 for a draw and if the game is over.
    pub plies: u32,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value::new(Wdl::Draw, 0);

    /// An outcome with its distance.
    pub const fn new(wdl: Wdl, plies: u32) -> Value {
        Value { wdl, plies }
    }

    /// Whether a decided position is a draw by the no-capture limit: `halfmove_clock` plies have been played without a
    /// capture, and after `limit` of them (0 = never) the game is drawn.
    pub const fn exceeds_limit(&self, halfmove_clock: u16, limit: u16) -> bool {
        !matches!(self.wdl, Wdl::Draw)
            && limit != 0
            && self.plies + halfmove_clock as u32 > limit as u32
    }

    /// The value, for the mover, of a move that leads to a position with this value. `converts`: it
    /// captures or ends the game.
    pub const fn before(self, converts: bool) -> Value {
        match self.wdl {
            Wdl::Draw => Value::DRAW,
            Wdl::Win if converts => Value::new(Wdl::Loss, 1),
            Wdl::Loss if converts => Value::new(Wdl::Win, 1),
            Wdl::Win => Value::new(Wdl::Loss, self.plies + 1),
            Wdl::Loss => Value::new(Wdl::Win, self.plies + 1),
        }
    }
}

/// A kind of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Section {
    /// Outcomes.
    Outcomes,
    /// Distances.
    Distances,
}

impl Section {
    pub(super) const ALL: [Section; 2] = [Section::Outcomes, Section::Distances];
}

/// Outcomes packed into a byte.
pub const PER_BYTE: u64 = 4;

/// Packs outcomes, the first into the lowest bits. `packed` must fit them exactly.
pub fn pack(outcomes: &[Wdl], packed: &mut [u8]) {
    for (byte, four) in packed.iter_mut().zip(outcomes.chunks(PER_BYTE as usize)) {
        let outcomes = four.iter().rev();
        *byte = outcomes.fold(0, |byte, &outcome| byte << 2 | outcome as u8);
    }
}

/// The packed outcome at `place`. Panics if out of range.
#[inline(always)]
pub fn unpack(packed: &[u8], place: usize) -> Wdl {
    match packed[place / PER_BYTE as usize] >> (2 * (place % PER_BYTE as usize)) & 3 {
        0 => Wdl::Loss,
        2 => Wdl::Win,
        _ => Wdl::Draw,
    }
}
