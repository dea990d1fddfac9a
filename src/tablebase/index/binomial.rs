//! The combinatorial number system: sets of equally many points, numbered.
//!
//! A set of `k` points `p1 < p2 < … < pk`, counted from 0 among the free points, has the number
//! `C(p1, 1) + C(p2, 2) + … + C(pk, k)` (Lehmer; Knuth, TAOCP 7.2.1.3, theorem L). Sets sorted by
//! their largest point, then the second largest and so on, have numbers in order.

use crate::tablebase::slice::MAX_STONES;

/// Points of the largest board.
const POINTS: usize = 45;

/// `CHOOSE[k][n]` is the binomial coefficient of `n` over `k`; too large ones are `u32::MAX`. With
/// powers of two as dimensions a mask serves as bounds check.
static CHOOSE: [[u32; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut n = 0;
    while n <= POINTS {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_STONES as usize && n > 0 {
            table[k][n] = u32::saturating_add(table[k][n - 1], table[k - 1][n - 1]);
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of sets of `k` among `n` points (`n` at most 45), as long as it fits into 32 bits.
pub(super) fn choose(n: u32, k: u32) -> u64 {
    u64::from(CHOOSE[k as usize][n as usize])
}

/// The number of `set` among the sets of as many points of `free`, of which it is a part.
#[inline(always)]
pub(in crate::tablebase) fn rank(set: u64, free: u64) -> u64 {
    debug_assert!(set & !free == 0);
    let mut rest = set;
    let mut number = 0;
    let mut k = 1;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        rest &= rest - 1;
        let place = (free & below).count_ones() as usize;
        number += u64::from(CHOOSE[k & 31][place & 63]);
        k += 1;
    }
    number
}

/// The set of `k` points of `free` that has this number.
pub(in crate::tablebase) fn unrank(mut number: u64, k: u32, free: u64) -> u64 {
    let mut set = 0;
    let mut points = free;
    let mut place = free.count_ones();
    for k in (1..=k as usize).rev() {
        // The highest place whose coefficient is not above the number.
        while place > 0 {
            place -= 1;
            let top = 1 << (63 - points.leading_zeros());
            points ^= top;
            let coefficient = u64::from(CHOOSE[k][place as usize]);
            if coefficient <= number {
                number -= coefficient;
                set |= top;
                break;
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients() {
        assert_eq!(choose(45, 7), 45_379_620);
        assert_eq!(choose(44, 6), 7_059_052);
        assert_eq!(choose(3, 4), 0);
        assert_eq!(choose(0, 0), 1);
    }

    #[test]
    fn numbers_are_in_order() {
        let free = 0b1011_0110_1101;
        let mut sets: Vec<u64> = (0..4096).filter(|set: &u64| set & !free == 0).collect();
        sets.retain(|set| set.count_ones() == 3);
        for (number, &set) in sets.iter().enumerate() {
            assert_eq!(rank(set, free), number as u64);
            assert_eq!(unrank(number as u64, 3, free), set);
        }
        assert_eq!(sets.len() as u64, choose(8, 3));
    }
}
