//! Mirror images of training positions: the 9x5 board has four symmetries, and each position is shown
//! in a different one from epoch to epoch.

use vato_engine::board::Bitboard;
use vato_engine::random::split_mix;

/// Points of the lowest row.
const ROW: u64 = 0x1ff;
/// Bits from one row to the next.
const STRIDE: u32 = 10;

/// The number, 0 to 3, of the symmetry in which an example is seen: bit 0 is a half turn, bit 1
/// changes top and bottom.
#[inline(always)]
pub(super) fn symmetry_number(seed: u64, epoch: u32, index: u32) -> u64 {
    split_mix(split_mix(seed) ^ (u64::from(epoch) << 32 | u64::from(index))) >> 62
}

/// The image of a set of points under the symmetry with this number.
#[inline(always)]
pub(super) fn image(set: Bitboard, symmetry: u64) -> Bitboard {
    let bits = set.bits();
    let bits = if symmetry & 1 != 0 {
        half_turn(bits)
    } else {
        bits
    };
    let bits = if symmetry & 2 != 0 {
        mirror_ranks(bits)
    } else {
        bits
    };
    Bitboard::from_bits(bits)
}

/// Swaps point 0 with point 48, the last of the lattice.
#[inline(always)]
const fn half_turn(bits: u64) -> u64 {
    bits.reverse_bits() >> 15
}

#[inline(always)]
const fn mirror_ranks(bits: u64) -> u64 {
    (bits & ROW) << (4 * STRIDE)
        | (bits & ROW << STRIDE) << (2 * STRIDE)
        | bits & ROW << (2 * STRIDE)
        | bits >> (2 * STRIDE) & ROW << STRIDE
        | bits >> (4 * STRIDE) & ROW
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::board::{BoardSize, Symmetry};

    #[test]
    fn images_are_those_of_the_board() {
        let of_number = [
            Symmetry::Identity,
            Symmetry::HalfTurn,
            Symmetry::MirrorRanks,
            Symmetry::MirrorFiles,
        ];
        let mut set = 1;
        for _ in 0..200 {
            set = split_mix(set);
            let points = Bitboard::from_bits(set);
            for (number, symmetry) in of_number.into_iter().enumerate() {
                let wanted = symmetry.set(BoardSize::STANDARD, points);
                assert_eq!(image(points, number as u64), wanted, "{symmetry:?}");
            }
        }
    }

    #[test]
    fn all_symmetries_come_up_and_change_from_epoch_to_epoch() {
        let mut counts = [0; 4];
        let mut changed = 0;
        for index in 0..4_000 {
            let number = symmetry_number(7, 0, index);
            counts[number as usize] += 1;
            changed += u32::from(number != symmetry_number(7, 1, index));
        }
        assert!(counts.iter().all(|&count| (900..1_100).contains(&count)));
        assert!((2_850..3_150).contains(&changed), "{changed}");
    }
}
