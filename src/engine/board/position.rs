//! A position: stones, side to move, the two counters, and its Zobrist key (A. L. Zobrist, *A New Hashing
//! Method with Application for Game Playing*, 1970). Keys are made at compile time from a fixed seed, so that
//! they are the same in every build.

use std::fmt;
use std::ops::{Neg, Not};

use serde::Serialize;

use super::{Bitboard, Move};
use crate::random::{SPLIT_MIX_STEP, split_mix};

/// One of the two players, named by the colour of the stones. White moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Side {
    /// Starts on the low ranks and moves first; player 1 of UGI.
    White = 0,
    /// Starts on the high ranks; player 2 of UGI.
    Black = 1,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black: the index into arrays with one entry per side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A score of this side from White's view.
    #[inline]
    pub fn for_white<Score: Neg<Output = Score>>(self, score: Score) -> Score {
        match self {
            Side::White => score,
            Side::Black => -score,
        }
    }

    /// The letter of this side in FENs: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// Stones, side to move, plies since the last capture, move number, and the incremental hash key.
///
/// Small and `Copy`: playing a move returns the next position, and there is no undo. The board's size is
/// not part of it; it belongs to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [Bitboard; 2],
    key: u64,
    move_number: u32,
    halfmove_clock: u16,
    side: Side,
}

const _: () = assert!(size_of::<Position>() == 32);

impl Position {
    /// A position from its parts.
    ///
    /// `stones` are White's and Black's; where the two overlap, White's count. `halfmove_clock` is the
    /// number of plies since the last capture; `move_number` starts at 1 and goes up after Black's move.
    pub fn new(
        stones: [Bitboard; 2],
        side: Side,
        halfmove_clock: u16,
        move_number: u32,
    ) -> Position {
        let stones = [stones[0], stones[1] - stones[0]];
        let mut position = Position {
            stones,
            key: 0,
            move_number,
            halfmove_clock,
            side,
        };
        position.key = position.recomputed_key();
        position
    }

    /// The stones of one side.
    #[inline]
    pub const fn stones(&self, side: Side) -> Bitboard {
        self.stones[side.index()]
    }

    /// The stones of the side to move.
    #[inline]
    pub const fn own(&self) -> Bitboard {
        self.stones[self.side.index()]
    }

    /// The stones of the opponent of the side to move.
    #[inline]
    pub fn enemy(&self) -> Bitboard {
        self.stones[(!self.side).index()]
    }

    /// All stones.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.stones[0] | self.stones[1]
    }

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The halfmove clock: plies since the last capture (or since the position was set up), at most 65,535.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The move number, from 1; goes up after Black's move.
    #[inline]
    pub const fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The Zobrist key of stones and side to move, updated by [`Position::play`].
    ///
    /// Rules under which more than that decides the legal moves (special first turns) add to it: see
    /// [`Rules::key`](crate::rules::Rules::key).
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// [`Position::key`] computed from scratch.
    pub fn recomputed_key(&self) -> u64 {
        let mut key = match self.side {
            Side::White => 0,
            Side::Black => BLACK_TO_MOVE,
        };
        for side in Side::BOTH {
            for point in self.stones(side) {
                key ^= STONES[side.index()][point.index()];
            }
        }
        key
    }

    /// The position after `mv`, which must be a move of this position (it is carried out unchecked).
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        let side = self.side;
        let other = !side;
        let (from, to, captured) = (mv.from(), mv.to(), mv.captured());
        let mut next = *self;
        // Nothing changes where the two are the same: a pass.
        next.stones[side.index()] ^= Bitboard::from(from) ^ Bitboard::from(to);
        next.stones[other.index()] ^= captured;
        next.key ^=
            BLACK_TO_MOVE ^ STONES[side.index()][from.index()] ^ STONES[side.index()][to.index()];
        for point in captured {
            next.key ^= STONES[other.index()][point.index()];
        }
        next.halfmove_clock = if captured.is_empty() {
            self.halfmove_clock.saturating_add(1)
        } else {
            0
        };
        next.move_number = self.move_number.saturating_add(side.index() as u32);
        next.side = other;
        next
    }
}

/// Keys of stones: `[side][lattice index]`. 64 entries per side avoid bounds checks.
const STONES: [[u64; 64]; 2] = {
    let mut stones = [[0; 64]; 2];
    let mut number = 0;
    while number < 128 {
        stones[number / 64][number % 64] = key(number as u64);
        number += 1;
    }
    stones
};
/// Added when Black is to move.
const BLACK_TO_MOVE: u64 = key(128);
/// Added on a first turn whose moves differ from those of the same stones later in the game.
pub const FIRST_TURN_KEY: u64 = key(129);

const fn key(number: u64) -> u64 {
    const SEED: u64 = 0x5661_746f; // "Vato"
    split_mix(SEED.wrapping_add(number.wrapping_mul(SPLIT_MIX_STEP)))
}
