//! Work, memory and disk space of a build.

use std::path::Path;

use vato_engine::memory;
use vato_engine::tablebase::index::Indices;
use vato_engine::tablebase::{PER_BYTE, Slice, TablebaseError};
use vato_engine::text::binary_bytes;

/// Bytes of a file besides its numbers, at most.
const FILE_BYTES: u64 = 1024;

/// Estimated bits on disk per number, outcome and distance together; an upper bound for up to seven
/// stones on the standard board.
const DISK_BITS: u64 = 2;

/// Bytes that a thread may need for each position of its current block: positions decided in the same
/// number of plies, as places and as sets of points.
const SCRATCH_BYTES: u64 = 16;

/// Estimated memory besides the values: threads, compression, the program.
const OTHER_BYTES: u64 = 128 << 20;

/// The work of a build, and the resources it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The slices to be solved, one of each colour-swapped pair, in this order.
    pub slices: Vec<Slice>,
    /// The number of values to be solved, of both slices of each pair.
    pub entries: u64,
    /// Total work: initialising, propagating and writing each position.
    pub work: u64,
    /// The most memory that will be used, in bytes.
    pub memory: u64,
    /// The slice that needs the most memory.
    pub largest: Option<Slice>,
    /// Estimated bytes on disk, usually too high.
    pub disk: u64,
}

impl Plan {
    /// The work for each cell; there are two for each number, one with either group to move.
    pub const WORK: u64 = 3;

    /// The plan for solving `missing`, a part of `all`, the slices of the finished set.
    pub(super) fn new(
        indices: &Indices,
        all: &[Slice],
        missing: Vec<Slice>,
        threads: usize,
    ) -> Plan {
        let most = all.last().map_or(0, |slice| slice.stones());
        let mut plan = Plan {
            slices: missing,
            ..Plan::default()
        };
        let mut known = 0;
        for &slice in all {
            let Some(index) = indices.slice(slice) else {
                continue;
            };
            let entries = index.entries() * slice.pair().count() as u64;
            // No other slice needs those with the most stones.
            let outcomes = match slice.stones() < most {
                true => entries.div_ceil(PER_BYTE),
                false => 0,
            };
            if plan.slices.contains(&slice) {
                let cells = 2 * index.entries();
                plan.entries += entries;
                plan.work += Plan::WORK * cells;
                let blocks = index.entries() / index.block.max(1);
                let scratch = SCRATCH_BYTES * index.block * blocks.min(threads as u64);
                let memory = OTHER_BYTES + known + cells + outcomes + scratch;
                if memory > plan.memory {
                    plan.memory = memory;
                    plan.largest = Some(slice);
                }
            }
            known += outcomes;
        }
        // Of each slice and its mirror image a file with a header, and a line of the manifest.
        plan.disk = plan.entries * DISK_BITS / 8 + 2 * FILE_BYTES * plan.slices.len() as u64;
        plan
    }

    pub(super) fn check(&self, folder: &Path, limit: Option<u64>) -> Result<(), TablebaseError> {
        let available = limit.unwrap_or_else(memory::available_here);
        if let Some(slice) = self.largest
            && self.memory > available
        {
            return Err(TablebaseError::Resources(format!(
                "the slice {slice} needs {} of memory, but only {} is available \
                 (fewer stones need less; --memory LIMIT sets how much may be used)",
                binary_bytes(self.memory),
                binary_bytes(available)
            )));
        }
        let room = usize::try_from(self.memory).unwrap_or(usize::MAX);
        if Vec::<u8>::new().try_reserve_exact(room).is_err() {
            return Err(TablebaseError::Resources(format!(
                "{} of memory are needed, more than the system allows this process",
                binary_bytes(self.memory)
            )));
        }
        if let Some(free) = free_disk(folder)
            && self.disk > free
        {
            return Err(TablebaseError::Resources(format!(
                "{}: about {} will be written, but only {} is free",
                folder.display(),
                binary_bytes(self.disk),
                binary_bytes(free)
            )));
        }
        Ok(())
    }
}

/// Free bytes of the file system of `folder`; `None` if unknown.
#[cfg(unix)]
fn free_disk(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    // Some file systems tell nothing.
    (system.f_blocks > 0).then_some(system.f_bavail * system.f_frsize)
}

#[cfg(not(unix))]
fn free_disk(folder: &Path) -> Option<u64> {
    use sysinfo::{DiskRefreshKind, Disks};
    let folder = folder.canonicalize().ok()?;
    let kind = DiskRefreshKind::nothing().with_storage();
    Disks::new_with_refreshed_list_specifics(kind)
        .iter()
        .filter(|disk| folder.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().as_os_str().len())
        .map(|disk| disk.available_space())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_room_of_a_file_system_in_memory_is_known() {
        assert!(free_disk(Path::new("/dev/shm")).is_some());
    }
}
