//! How long engines are waited for.

use std::time::Duration;

use super::MatchSettings;

/// How long engines are waited for.
#[derive(Clone, Copy, Debug)]
pub(in crate::tournament) struct Timeouts {
    /// For the start of a process, and for its preparation for a game.
    pub(in crate::tournament) start: Duration,
    /// For an answer that is due.
    pub(in crate::tournament) hang: Duration,
    /// For a move that no time limits.
    pub(in crate::tournament) long_move: Duration,
}

impl MatchSettings {
    pub(in crate::tournament) fn timeouts(&self) -> Timeouts {
        Timeouts {
            start: Duration::from_secs_f64(self.start_timeout),
            hang: Duration::from_secs_f64(self.hang_timeout),
            long_move: Duration::from_secs_f64(self.move_timeout),
        }
    }
}
