//! Moves: the effect of a whole turn in one 64-bit value.

use std::fmt;
use std::num::NonZeroU64;

use super::{Bitboard, Point};

const CAPTURED_BITS: u32 = 49;
const FROM_SHIFT: u32 = CAPTURED_BITS;
const TO_SHIFT: u32 = FROM_SHIFT + 6;
const CAPTURED_MASK: u64 = (1 << CAPTURED_BITS) - 1;

/// The effect of a turn: the stone's origin, its end point and the set of captured stones.
///
/// Paths with the same effect are the same move. Bits 0–48 hold the captured set, 49–54 the
/// origin, 55–60 the end point. Origin and end point differ, except in [`Move::PASS`], so the value is never zero
/// and `Option<Move>` is as small as `Move`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU64);

const _: () = assert!(size_of::<Option<Move>>() == 8);

impl Move {
    /// The turn of a blocked player that passes: no stone moves. Its origin and end are the same point, whatever the
    /// board.
    pub const PASS: Move = Move::from_single_bits(1 << 1, 1 << 1, 0);

    /// The move of a stone from `from` to `to` that captures `captured`.
    ///
    /// # Panics
    ///
    /// If `from` and `to` are the same point: no turn ends where it began.
    pub const fn new(from: Point, to: Point, captured: Bitboard) -> Move {
        assert!(
            from.index() != to.index(),
            "a turn never ends where it began"
        );
        Move::from_single_bits(1 << from.index(), 1 << to.index(), captured.bits())
    }

    /// [`Move::new`] from single-bit sets, for the generator.
    #[inline(always)]
    pub(crate) const fn from_single_bits(from: u64, to: u64, captured: u64) -> Move {
        debug_assert!(from.is_power_of_two() && to.is_power_of_two());
        debug_assert!(from != to || captured == 0);
        let bits = captured
            | (from.trailing_zeros() as u64) << FROM_SHIFT
            | (to.trailing_zeros() as u64) << TO_SHIFT;
        match NonZeroU64::new(bits) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// The stone's origin.
    #[inline]
    pub const fn from(self) -> Point {
        Point::from_bit_index((self.0.get() >> FROM_SHIFT) as u32 & 63)
    }

    /// The stone's end point.
    #[inline]
    pub const fn to(self) -> Point {
        Point::from_bit_index((self.0.get() >> TO_SHIFT) as u32)
    }

    /// The captured stones; empty for a paika and a pass.
    #[inline]
    pub const fn captured(self) -> Bitboard {
        Bitboard(self.0.get() & CAPTURED_MASK)
    }

    /// Whether the move captures.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() & CAPTURED_MASK != 0
    }

    /// The 64-bit value; unique to the move.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}->{:?} x {:?}",
            self.from(),
            self.to(),
            self.captured()
        )
    }
}
