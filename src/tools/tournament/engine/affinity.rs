//! Which processors a process may run on: on Linux only.

use std::io;

/// The processors that this process may use, ascending.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    let all = 0..rustix::thread::CpuSet::MAX_CPU;
    Ok(all.filter(|&cpu| set.is_set(cpu)).collect())
}

/// Binds this thread, and what it starts, to the processors named.
#[cfg(target_os = "linux")]
pub(super) fn pin_this_thread(cpus: &[usize]) -> io::Result<()> {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn available() -> io::Result<Vec<usize>> {
    let what = "engines can be bound to processors on Linux only";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin_this_thread(_cpus: &[usize]) -> io::Result<()> {
    available().map(drop)
}
