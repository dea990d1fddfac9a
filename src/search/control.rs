//! Stopping a search from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The strings by which a running search is held: stop it, or tell it that the expected move was
/// played. One search, one `Control`.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    ponderhit: AtomicBool,
    /// Guards nothing but the sleep of a search that has finished and must not answer yet.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// A control for a new search.
    #[must_use]
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as it has a move to give.
    pub fn stop(&self) {
        self.set(&self.stopped);
    }

    /// The opponent has played the move that the search ponders on: time limits count from now on.
    pub fn ponderhit(&self) {
        self.set(&self.ponderhit);
    }

    /// Whether [`Control::stop`] was called.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag behind [`Control::is_stopped`], for work that takes a plain one.
    #[must_use]
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Whether [`Control::ponderhit`] was called.
    #[inline]
    #[must_use]
    pub fn is_ponderhit(&self) -> bool {
        self.ponderhit.load(Ordering::Relaxed)
    }

    /// Sleeps until `ready` says so; it is asked again after each call of [`Control::stop`] and
    /// [`Control::ponderhit`].
    pub(super) fn wait_until(&self, mut ready: impl FnMut(&Control) -> bool) {
        let mut guard = self.lock();
        while !ready(self) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, flag: &AtomicBool) {
        let guard = self.lock();
        flag.store(true, Ordering::Relaxed);
        drop(guard);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
