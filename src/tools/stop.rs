//! The signal that stops a match or other long work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// A shared stop level, which is only ever raised.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    level: Arc<AtomicU8>,
    is_starting: Arc<AtomicBool>,
}

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
        self.level.fetch_max(AFTER_RUNNING_GAMES, Ordering::Relaxed);
    }

    /// Stops now. Running games are discarded, and played again when the match is resumed.
    pub fn now(&self) {
        self.level.fetch_max(NOW, Ordering::Relaxed);
    }

    /// Says whether what is to run is only being started: there is nothing to finish then.
    pub fn set_starting(&self, is_starting: bool) {
        self.is_starting.store(is_starting, Ordering::Relaxed);
    }

    /// Whether nothing runs yet.
    pub fn is_starting(&self) -> bool {
        self.is_starting.load(Ordering::Relaxed)
    }

    /// A guard for the current thread.
    pub fn exit_guard<F: FnMut()>(&self, at_end: F) -> ExitGuard<'_, F> {
        ExitGuard { stop: self, at_end }
    }

    /// Whether no further game may begin.
    pub fn is_given(&self) -> bool {
        self.level.load(Ordering::Relaxed) != 0
    }

    /// Whether running games are to be aborted.
    pub fn is_now(&self) -> bool {
        self.level.load(Ordering::Relaxed) == NOW
    }
}
