//! Which processors a process may run on.

use std::io;

/// The processors that this process may use, ascending.
///
/// # Errors
///
/// If the system does not tell, or has no such thing.
#[cfg(target_os = "linux")]
pub(in crate::tournament) fn available() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    Ok((0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect())
}

/// Binds this thread, and what it starts, to the processors named.
///
/// # Errors
///
/// If the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn pin_this_thread(cpus: &[usize]) -> io::Result<()> {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// The processors that this process may use.
///
/// # Errors
///
/// Always: only Linux is supported.
#[cfg(not(target_os = "linux"))]
pub(in crate::tournament) fn available() -> io::Result<Vec<usize>> {
    Err(unsupported())
}

/// Binds this thread to processors.
///
/// # Errors
///
/// Always: only Linux is supported.
#[cfg(not(target_os = "linux"))]
pub(super) fn pin_this_thread(_cpus: &[usize]) -> io::Result<()> {
    Err(unsupported())
}

#[cfg(not(target_os = "linux"))]
fn unsupported() -> io::Error {
    io::Error::new(
        io::ErrorKind::Unsupported,
        "engines can be bound to processors on Linux only",
    )
}
