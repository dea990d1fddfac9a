//! What a build takes, said beforehand.

use std::path::Path;

use indicatif::BinaryBytes;
use sysinfo::{DiskRefreshKind, Disks};

use super::knowledge::Knowledge;
use crate::memory;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::index::Indices;
use crate::tablebase::slice::Slice;

/// Bits on disk that are reckoned with for each number, outcome and distance together. On the standard
/// board tables of up to seven stones take less.
const DISK_BITS: u64 = 2;

/// Bytes that a thread may need for each number of the block that it is at: those decided in the same
/// number of plies, as places and as sets of points.
const SCRATCH_BYTES: u64 = 16;

/// Memory that is reckoned with for all but the values: threads, compression, the program.
const OTHER_BYTES: u64 = 128 << 20;

/// What a build will do and need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The slices to be solved, one of each pair of twins, in this order.
    pub slices: Vec<Slice>,
    /// The numbers of positions to be solved, twins together.
    pub entries: u64,
    /// All that there is to do: to look at each position, to follow it back, and to write it.
    pub work: u64,
    /// The most memory that will be used, in bytes.
    pub memory: u64,
    /// The slice that needs it.
    pub largest: Option<Slice>,
    /// About how much will be written, in bytes; usually less.
    pub disk: u64,
}

impl Plan {
    /// The plan for solving `slices`, all of whose smaller ones are there or among them.
    pub(super) fn new(indices: &Indices, stones: u32, slices: Vec<Slice>, threads: usize) -> Plan {
        let entries_of = |slice: Slice| {
            let own: Vec<u64> = slice
                .with_twin()
                .filter_map(|slice| Some(indices.slice(slice)?.entries()))
                .collect();
            own.iter().sum::<u64>()
        };
        let mut plan = Plan {
            entries: slices.iter().map(|&slice| entries_of(slice)).sum(),
            work: 0,
            slices,
            memory: 0,
            largest: None,
            disk: 0,
        };
        plan.disk = plan.entries * DISK_BITS / 8;
        let mut known = 0;
        for slice in Slice::twins_up_to(stones, indices.size()) {
            let entries = entries_of(slice);
            // The largest slices are not needed for any others.
            let outcomes = match slice.stones() < stones {
                true => Knowledge::bytes(entries),
                false => 0,
            };
            if plan.slices.contains(&slice) {
                // A byte for each number with either group to move, also where both are as many.
                let cells = match slice.twin() == slice {
                    true => 2 * entries,
                    false => entries,
                };
                plan.work += Plan::WORK * cells;
                let scratch = indices.slice(slice).map_or(0, |index| {
                    let blocks = index.entries() / index.block().max(1);
                    SCRATCH_BYTES * index.block() * blocks.min(threads as u64)
                });
                let memory = OTHER_BYTES + known + cells + outcomes + scratch;
                if memory > plan.memory {
                    plan.memory = memory;
                    plan.largest = Some(slice);
                }
            }
            known += outcomes;
        }
        plan
    }

    /// What is done for each cell.
    pub const WORK: u64 = 3;

    /// The part of the work that is done when one of these twins, with so many numbers, is written.
    pub(super) fn work_of_writing(twins: Slice, entries: u64) -> u64 {
        match twins.twin() == twins {
            true => 2 * entries,
            false => entries,
        }
    }

    /// Stops what cannot end well.
    pub(super) fn check(&self, folder: &Path, limit: Option<u64>) -> Result<(), TablebaseError> {
        let in_words = |bytes: u64| BinaryBytes(bytes).to_string();
        let available = limit.unwrap_or_else(memory::available);
        if let Some(slice) = self.largest
            && self.memory > available
        {
            return Err(TablebaseError::Memory {
                slice,
                needed: in_words(self.memory),
                available: in_words(available),
            });
        }
        if let Some(free) = free_disk(folder)
            && self.disk > free
        {
            return Err(TablebaseError::Disk {
                path: folder.to_owned(),
                needed: in_words(self.disk),
                available: in_words(free),
            });
        }
        Ok(())
    }
}

/// Free bytes where `folder` is; `None` if the system does not say.
fn free_disk(folder: &Path) -> Option<u64> {
    let folder = folder.canonicalize().ok()?;
    let kind = DiskRefreshKind::nothing().with_storage();
    Disks::new_with_refreshed_list_specifics(kind)
        .iter()
        .filter(|disk| folder.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().as_os_str().len())
        .map(|disk| disk.available_space())
}
