//! What the transposition table keeps of a position, and how it fits into one word.

use crate::board::Move;

/// Which side of the true score a stored one lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum StoredBound {
    /// The score is at most this (no move reached alpha).
    Upper = 1,
    /// The score is at least this (a move reached beta).
    Lower = 2,
    /// The score itself.
    Exact = 3,
}

impl StoredBound {
    /// What a score proves that was found in the window from `alpha` to `beta`.
    #[inline]
    pub(super) const fn of(score: i32, alpha: i32, beta: i32) -> StoredBound {
        if score >= beta {
            StoredBound::Lower
        } else if score > alpha {
            StoredBound::Exact
        } else {
            StoredBound::Upper
        }
    }

    const fn unpack(bits: u64) -> StoredBound {
        match bits & 3 {
            1 => StoredBound::Upper,
            2 => StoredBound::Lower,
            _ => StoredBound::Exact,
        }
    }
}

/// A move in 20 bits: origin, end point and eight bits that tell captured sets apart. 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveSignature(u32);

impl MoveSignature {
    /// The signature of a move.
    #[inline]
    pub(super) fn of(mv: Move) -> MoveSignature {
        let captured = mv.captured().bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        MoveSignature(
            mv.from().index() as u32 | (mv.to().index() as u32) << 6 | (captured as u32) << 12,
        )
    }

    /// Whether it is the signature of `mv`.
    #[inline]
    pub(super) fn is_of(self, mv: Move) -> bool {
        let ends = mv.from().index() as u32 | (mv.to().index() as u32) << 6;
        ends == self.0 & 0xfff && self == MoveSignature::of(mv)
    }

    /// Whether there is a move at all.
    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// The best move found, or the one that refuted.
    pub(super) best: MoveSignature,
    /// The score. (Within the table decided ones count from the position itself.)
    pub(super) score: i32,
    /// The static evaluation, if the search had a use for it.
    pub(super) evaluation: Option<i32>,
    /// The depth searched, in plies; 0 for quiescence.
    pub(super) depth: i32,
    /// How to read `score`.
    pub(super) bound: StoredBound,
}

/// What stands for no evaluation: none is so low.
const NO_EVALUATION: i32 = i16::MIN as i32;

impl Stored {
    /// Whether the score settles a node with the window from `alpha` to `beta`.
    #[inline]
    pub(super) const fn settles(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            StoredBound::Lower => self.score >= beta,
            StoredBound::Upper => self.score <= alpha,
            StoredBound::Exact => true,
        }
    }

    /// All of it in one word, never 0.
    pub(super) fn pack(self) -> u64 {
        debug_assert!(self.evaluation != Some(NO_EVALUATION));
        u64::from(self.best.0)
            | u64::from(self.score as i16 as u16) << 20
            | u64::from(self.evaluation.unwrap_or(NO_EVALUATION) as i16 as u16) << 36
            | u64::from(self.depth.clamp(0, 255) as u8) << 52
            | (self.bound as u64) << 60
    }

    /// From the word that [`Stored::pack`] made.
    pub(super) fn unpack(data: u64) -> Stored {
        let evaluation = i32::from((data >> 36) as u16 as i16);
        Stored {
            best: MoveSignature((data & 0xf_ffff) as u32),
            score: i32::from((data >> 20) as u16 as i16),
            evaluation: (evaluation != NO_EVALUATION).then_some(evaluation),
            depth: i32::from((data >> 52) as u8),
            bound: StoredBound::unpack(data >> 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_come_back_and_so_does_that_there_is_none() {
        for evaluation in [None, Some(0), Some(-1), Some(20_000), Some(-20_000)] {
            let stored = Stored {
                best: MoveSignature(5),
                score: -321,
                evaluation,
                depth: 7,
                bound: StoredBound::Lower,
            };
            assert_eq!(Stored::unpack(stored.pack()), stored);
        }
    }
}
