//! How a match, or other long work, is asked to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A wish to end, shared by everything that runs. It can only grow.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicU8>);

/// What a thread does at its end, whatever the reason. If that is a panic, everything ends: what waits for
/// the thread would wait for ever.
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
    /// A signal that nobody has given.
    #[must_use]
    pub fn new() -> StopSignal {
        StopSignal::default()
    }

    /// No further game is begun; those that run are finished.
    pub fn after_running_games(&self) {
        self.0.fetch_max(AFTER_RUNNING_GAMES, Ordering::Relaxed);
    }

    /// Everything ends now; games that run are lost, and played again when the match goes on.
    pub fn now(&self) {
        self.0.fetch_max(NOW, Ordering::Relaxed);
    }

    /// As long as the guard lives, a panic of this thread ends everything; then `at_end` is called, as it
    /// is without one.
    pub fn exit_guard<F: FnMut()>(&self, at_end: F) -> ExitGuard<'_, F> {
        ExitGuard { stop: self, at_end }
    }

    /// Whether no further game is to begin.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether running games are to be broken off.
    #[must_use]
    pub fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) == NOW
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_gives_the_signal() {
        for panics in [false, true] {
            let stop = StopSignal::new();
            let ended = thread::scope(|scope| {
                let guarded = || {
                    let _guard = stop.exit_guard(|| ());
                    assert!(!panics, "as it was to be");
                };
                scope.spawn(guarded).join()
            });
            assert_eq!((ended.is_err(), stop.is_now()), (panics, panics));
        }
    }
}
