//! The outcomes of all smaller slices, in memory: what captures lead to.

use std::sync::Arc;

use crate::tablebase::index::{Indices, SliceIndex};
use crate::tablebase::packing::{self, PackedWdl};
use crate::tablebase::slice::Slice;
use crate::tablebase::value::Wdl;

/// What is known so far. Two bits for a position.
#[derive(Debug)]
pub(in crate::tablebase) struct Knowledge {
    indices: Arc<Indices>,
    slices: Vec<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    index: SliceIndex,
    outcomes: PackedWdl,
}

impl Knowledge {
    pub(in crate::tablebase) fn new(indices: Arc<Indices>) -> Knowledge {
        let mut slices = Vec::new();
        slices.resize_with(Slice::NUMBERS, || None);
        Knowledge { indices, slices }
    }

    pub(super) fn indices(&self) -> &Arc<Indices> {
        &self.indices
    }

    /// Adds what is known of a slice, or replaces it.
    pub(in crate::tablebase) fn add(&mut self, index: SliceIndex, outcomes: PackedWdl) {
        let number = index.slice().number();
        self.slices[number] = Some(Known { index, outcomes });
    }

    /// Bytes that a slice with so many numbers takes.
    pub(super) fn bytes(entries: u64) -> u64 {
        packing::packed_bytes(entries)
    }

    /// The outcome of a position for the side with the stones `own`, which is to move; a draw where
    /// nothing is known.
    ///
    /// Both sides have stones.
    #[inline]
    pub(super) fn outcome(&self, own: u64, other: u64) -> Wdl {
        let known = Slice::new(own.count_ones(), other.count_ones())
            .and_then(|slice| self.slices[slice.number()].as_ref());
        match known {
            Some(known) => known.outcomes.get(known.index.number(own, other)),
            None => Wdl::Draw,
        }
    }
}
