//! How a match is asked to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A wish to end, shared by everything that runs. It can only grow.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicU8>);

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
