//! How much less deep late moves are searched.

use once_cell::sync::Lazy;

use super::parameters::{REDUCTION_BASE, REDUCTION_FACTOR};

const SIZE: usize = 64;

static TABLE: Lazy<[[i8; SIZE]; SIZE]> = Lazy::new(|| {
    let mut table = [[0; SIZE]; SIZE];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *reduction = (REDUCTION_BASE + product * REDUCTION_FACTOR) as i8;
        }
    }
    table
});

/// The reduction, in plies, of the move with this index at a node of this depth.
#[inline]
pub(super) fn reduction(depth: i32, index: usize) -> i32 {
    let depth = (depth.max(0) as usize).min(SIZE - 1);
    i32::from(TABLE[depth][index.min(SIZE - 1)])
}
