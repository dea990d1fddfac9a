//! What the machine has: available memory, processors, and threads, whose stacks take memory, with their locks.

use std::error::Error as StdError;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

/// Memory or threads that there are not.
#[derive(Debug, Error)]
pub enum ResourceError {
    /// No memory for a table of so many MiB.
    #[error("no memory for a table of {0} MiB")]
    Memory(usize),
    /// The threads could not be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, Box<dyn StdError + Send + Sync>),
}

/// What a search takes besides its table, in bytes: an allocation that fails there would end the process.
pub(crate) const RESERVE: u64 = 8 << 20;

/// Address space that an allocator may reserve for one thread, in bytes: glibc does, wherever it finds as much.
pub const ARENA: u64 = 64 << 20;

/// Available memory in bytes: what the system has, within the limit of each control group that this process is in. What
/// can be reclaimed, such as the page cache, counts as available.
pub fn available() -> u64 {
    let figures = left_in_system()
        .into_iter()
        .chain(left_in_groups(Path::new("/")));
    // If the system gives no figure, the allocation itself may fail.
    figures.min().unwrap_or(u64::MAX)
}

#[cfg(target_os = "linux")]
fn left_in_system() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    Some(number_after(&text, "MemAvailable:")? << 10)
}

#[cfg(not(target_os = "linux"))]
fn left_in_system() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    Some(System::new_with_specifics(ram).available_memory()).filter(|&bytes| bytes > 0)
}

/// The same for this process, which may have less address space, of which threads that are started later need some.
pub fn available_here() -> u64 {
    address_space().saturating_sub(ARENA).min(available())
}

/// The address space left to this process, in bytes, where the system limits it (`ulimit -v`).
pub fn address_space() -> u64 {
    left_of_address_space(Path::new("/")).unwrap_or(u64::MAX)
}

/// An error if this process has too little address space for so many threads: an allocation that finds no room ends the
/// process, and threads reserve much.
///
/// # Errors
///
/// The message.
pub fn require_space(threads: usize) -> Result<(), String> {
    match address_space() < 2 * ARENA * threads as u64 {
        true => Err(format!(
            "too little address space (ulimit -v) for {threads} threads"
        )),
        false => Ok(()),
    }
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "env")]
// SAFETY: whoever instantiates the module provides this function, of this type.
unsafe extern "C" {
    /// 1 where there can be no threads.
    #[link_name = "processors"]
    safe fn processors_of_host() -> usize;
}

/// Number of threads that can run at once.
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    #[cfg(target_arch = "wasm32")]
    let count = || processors_of_host();
    #[cfg(not(target_arch = "wasm32"))]
    let count = || std::thread::available_parallelism().map_or(1, usize::from);
    *PROCESSORS.get_or_init(count)
}

/// A pool of so many threads, at least one, with `name` in their names; of stacks of so many bytes, or as the system has
/// them.
pub fn thread_pool(
    threads: usize,
    name: &'static str,
    stack_bytes: Option<usize>,
) -> Result<ThreadPool, ResourceError> {
    let threads = threads.max(1);
    let mut pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |index| format!("{name}-{index}"));
    if let Some(bytes) = stack_bytes {
        pool = pool.stack_size(bytes);
    }
    pool.build()
        .map_err(|error| ResourceError::Threads(threads, error.into()))
}

/// Locks also after a panic elsewhere: what locks protect is valid at every moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn left_of_address_space(root: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(root.join("proc/self").join(name)).ok();
    let limit = number_after(&read("limits")?, "Max address space")?;
    Some(limit.saturating_sub(number_after(&read("status")?, "VmSize:")? << 10))
}

/// The number after the first words of a line.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The least that a control group of this process, or one above it, leaves; `None` if none has a limit. Both versions,
/// <https://docs.kernel.org/admin-guide/cgroup-v2.html> and `cgroup-v1/memory.html`, below `root`.
fn left_in_groups(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    // NUMBER:CONTROLLERS:PATH
    let left = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let top = match controllers {
            "" => root.join("sys/fs/cgroup"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                root.join("sys/fs/cgroup/memory")
            }
            _ => return None,
        };
        // A container may see its own group at the top, and not where the path says.
        let group = top.join(path.trim_start_matches('/'));
        let above = group
            .ancestors()
            .take_while(|above| above.starts_with(&top));
        above.filter_map(left_in_group).min()
    };
    groups.lines().filter_map(left).min()
}

/// What the limit of a control group leaves, if it has one.
fn left_in_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"];
    let limit = limits.into_iter().filter_map(number).min()?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let statistics = read("memory.stat").unwrap_or_default();
    let sum = |scope: &str| -> u64 {
        let names = ["active_file ", "inactive_file ", "slab_reclaimable "];
        let number = |name| number_after(&statistics, &format!("{scope}{name}"));
        names.into_iter().filter_map(number).sum()
    };
    // In version 1 the first are those of the group itself, without the groups below.
    let reclaimable = sum("").max(sum("total_"));
    Some(limit.saturating_sub(used.saturating_sub(reclaimable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// The files of a system, as that of the name has them.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
            fs::write(path, text).expect("there is room");
        }
        root
    }

    fn left(files: &[(&str, &str)]) -> Option<u64> {
        left_in_groups(root(files).path())
    }

    /// A container (version 2, a namespace of its own) whose limit is filled by the page cache.
    #[test]
    fn the_page_cache_is_free_memory() {
        let statistics = "anon 41943040\nfile 891289600\nkernel 6291456\nshmem 10485760\n\
                          inactive_anon 0\nactive_anon 52428800\ninactive_file 838860800\n\
                          active_file 41943040\nunevictable 0\nslab_reclaimable 4194304\n";
        let files = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/memory.high", "max\n"),
            ("sys/fs/cgroup/memory.current", "1073741824\n"),
            ("sys/fs/cgroup/memory.stat", statistics),
        ];
        assert_eq!(left(&files), Some((800 + 40 + 4) * MIB));
        assert_eq!(left(&files[..1]), None);
        assert_eq!(left(&[]), None);
    }

    #[test]
    fn the_tightest_group_above_counts() {
        let group = "sys/fs/cgroup/user.slice/a.slice/b.scope";
        let [max0, used0] = ["max", "current"].map(|name| format!("{group}/memory.{name}"));
        let above = "sys/fs/cgroup/user.slice/a.slice";
        let [max1, high1, used1, stat1] =
            ["max", "high", "current", "stat"].map(|name| format!("{above}/memory.{name}"));
        let statistics = "inactive_file 100\nactive_file 20\ninactive_file_x 1000\n";
        let mut files = vec![
            ("proc/self/cgroup", "0::/user.slice/a.slice/b.scope\n"),
            (&max0, "max\n"),
            (&used0, "1000\n"),
            (&max1, "9000\n"),
            (&high1, "8000\n"),
            (&used1, "7000\n"),
            (&stat1, statistics),
        ];
        assert_eq!(left(&files), Some(1_120));
        files[1].1 = "1100\n";
        assert_eq!(left(&files), Some(100));
        // More is used than the limit was lowered to.
        files[1].1 = "5\n";
        assert_eq!(left(&files), Some(0));
    }

    /// Version 1, of which a container sees its own part only; version 2 is there as well, without limits.
    #[test]
    fn version_1_beside_version_2() {
        let groups = "11:cpu,cpuacct:/docker/ab12\n4:memory:/docker/ab12\n1:name=systemd:/docker/ab12\n0::/docker/ab12\n";
        let statistics = "cache 500\ninactive_file 30\nactive_file 10\nhierarchical_memory_limit 1000\n\
                          total_cache 700\ntotal_inactive_file 300\ntotal_active_file 200\n";
        let mut files = vec![
            ("proc/self/cgroup", groups),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "900\n"),
            ("sys/fs/cgroup/memory/memory.stat", statistics),
        ];
        assert_eq!(left(&files), Some(600));
        // Seen from outside its namespace.
        files[0].1 = "4:memory:/../ab12\n";
        assert_eq!(left(&files), Some(600));
        files[1].1 = "9223372036854771712\n";
        assert!(left(&files) > Some(1 << 62));
        files[0].1 = "no such line\n";
        assert_eq!(left(&files), None);
    }

    #[test]
    fn the_address_space_may_be_limited() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         4096000              unlimited            bytes     \n";
        let status =
            "Name:\tvato\nVmPeak:\t  3000 kB\nVmSize:\t    2000 kB\nVmData:\t     100 kB\n";
        let left = |limits: &str| {
            let files = [("proc/self/limits", limits), ("proc/self/status", status)];
            left_of_address_space(root(&files).path())
        };
        assert_eq!(left(limits), Some(4_096_000 - 2_000 * 1024));
        assert_eq!(left(&limits.replace("4096000  ", "unlimited")), None);
        assert_eq!(left_of_address_space(root(&[]).path()), None);
    }

    #[test]
    fn there_is_some() {
        assert!(available() > 0 && available_here() > 0);
        assert!(crate::buckets::Buckets::new(1).is_some());
    }
}
