//! The signal that stops a match or other long work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A shared stop level, which is only ever raised.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicU8>);

/// Runs `at_end` when its thread ends. If that is by a panic, it also raises the stop level to [`StopSignal::now`], as
/// others would wait for the thread for ever.
pub struct ExitGuard<'a, F: FnMut()> {
    stop: &'a StopSignal,
    at_end: F,
}

impl<F: FnMut()> Drop for ExitGuard<'_, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.now();
        }
        (self.at_end)();
    }
}

const AFTER_RUNNING_GAMES: u8 = 1;
const NOW: u8 = 2;

impl StopSignal {
    /// A signal that is not given.
    pub fn new() -> StopSignal {
        StopSignal::default()
    }

    /// Stops after the running games.
    pub fn after_running_games(&self) {
        self.0.fetch_max(AFTER_RUNNING_GAMES, Ordering::Relaxed);
    }

    /// Stops now. Running games are discarded, and played again when the match is resumed.
    pub fn now(&self) {
        self.0.fetch_max(NOW, Ordering::Relaxed);
    }

    /// A guard for the current thread.
    pub fn exit_guard<F: FnMut()>(&self, at_end: F) -> ExitGuard<'_, F> {
        ExitGuard { stop: self, at_end }
    }

    /// Whether no further game may begin.
    pub fn is_given(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether running games are to be aborted.
    pub fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) == NOW
    }
}
