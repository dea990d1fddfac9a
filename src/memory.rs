//! How much memory there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Memory that can be taken without the system running out, in bytes.
pub(crate) fn available() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let available = system.available_memory();
    let available = match system.cgroup_limits() {
        Some(limits) => available.min(limits.free_memory),
        None => available,
    };
    // A system that tells nothing is left to refuse the allocation itself.
    if available == 0 { u64::MAX } else { available }
}
