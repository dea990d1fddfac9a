//! A solved slice.

use rayon::prelude::*;

use super::cell::{self, Late};
use crate::tablebase::index::SliceIndex;
use crate::tablebase::value::{PER_BYTE, Value, pack};

/// The values of all positions of a slice.
#[derive(Debug)]
pub struct SolvedSlice {
    /// The numbers of the positions.
    pub index: SliceIndex,
    cells: Vec<u8>,
    /// By class, sorted by place.
    late: Vec<Vec<Late>>,
}

impl SolvedSlice {
    /// From the cells of all numbers and the late positions of each class, in any order.
    pub(super) fn new(index: SliceIndex, cells: Vec<u8>, mut late: Vec<Vec<Late>>) -> SolvedSlice {
        for late in &mut late {
            late.sort_unstable_by_key(|late| late.place);
        }
        SolvedSlice { index, cells, late }
    }

    /// The value of a number.
    #[inline]
    pub fn value(&self, number: u64) -> Value {
        let cell = self.cells[number as usize];
        if cell::is_late(cell) {
            self.late_value(number, cell)
        } else {
            cell::value(cell)
        }
    }

    #[cold]
    fn late_value(&self, number: u64, cell: u8) -> Value {
        let (class, place) = (number / self.index.block, number % self.index.block);
        let late = &self.late[class as usize];
        let found = late.binary_search_by_key(&(place as u32), |late| late.place);
        let plies = found.map_or(0, |found| late[found].plies);
        Value::new(cell::value(cell).wdl, plies)
    }

    /// Whether the value of a number is stored, as that of a forced capture is not.
    #[inline]
    pub fn is_stored(&self, number: u64) -> bool {
        !cell::is_decided_by_capture(self.cells[number as usize])
    }

    /// All outcomes, packed.
    pub fn outcomes(&self) -> Vec<u8> {
        const CHUNK: usize = 1 << 16;
        let mut bytes = vec![0; (self.cells.len() as u64).div_ceil(PER_BYTE) as usize];
        bytes
            .par_chunks_mut(CHUNK / PER_BYTE as usize)
            .zip(self.cells.par_chunks(CHUNK))
            .for_each(|(bytes, cells)| {
                let outcomes: Vec<_> = cells.iter().map(|&cell| cell::value(cell).wdl).collect();
                pack(&outcomes, bytes);
            });
        bytes
    }
}
