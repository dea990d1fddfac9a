//! Available memory.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Available memory in bytes.
pub(crate) fn available() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let available = system.available_memory();
    let available = match system.cgroup_limits() {
        Some(limits) => available.min(limits.free_memory),
        None => available,
    };
    // If the system gives no figure, the allocation itself may fail.
    if available == 0 { u64::MAX } else { available }
}
