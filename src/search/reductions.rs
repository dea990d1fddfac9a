//! How much less deep late moves are searched.

use super::Parameters;

const SIZE: usize = 64;

/// Reductions by depth and number of the move, in hundredths of a ply.
#[derive(Clone, Debug)]
pub(super) struct Reductions([[i16; SIZE]; SIZE]);

impl Reductions {
    /// The reductions that these parameters give.
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let mut table = [[0; SIZE]; SIZE];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                let factor = f64::from(parameters.reduction_factor);
                *reduction = (f64::from(parameters.reduction_base) + product * factor) as i16;
            }
        }
        Reductions(table)
    }

    /// The reduction, in hundredths of a ply, of the move with this index at a node of this depth.
    #[inline]
    pub(super) fn get(&self, depth: i32, index: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(SIZE - 1);
        i32::from(self.0[depth][index.min(SIZE - 1)])
    }
}
