//! Threads that a page lends: WebAssembly cannot start any, but its memory may be shared by workers of the page.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::memory::lock;

/// Whether helpers run on threads that are lent.
pub(super) const ARE_LENT: bool = cfg!(all(target_arch = "wasm32", target_feature = "atomics"));

type Job = Box<dyn FnOnce() + Send>;

/// What no thread has begun yet.
static JOBS: Mutex<Vec<Job>> = Mutex::new(Vec::new());
static LEFT: Condvar = Condvar::new();

/// Leaves jobs to the threads that are lent, in place of those that none of them has begun.
pub(super) fn leave(jobs: impl Iterator<Item = Job>) {
    let jobs = jobs.collect();
    *lock(&JOBS) = jobs;
    LEFT.notify_all();
}

/// Lends the calling thread to the helpers of searches, for ever. Only in WebAssembly with threads does anybody use it.
pub fn lend_thread() -> ! {
    loop {
        let jobs = LEFT.wait_while(lock(&JOBS), |jobs| jobs.is_empty());
        let job = jobs.unwrap_or_else(PoisonError::into_inner).pop();
        job.into_iter().for_each(|job| job());
    }
}
