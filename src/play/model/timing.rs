//! The clocks.

use std::time::Duration;

use super::Model;
use crate::board::Side;
use crate::play::Ending;
use crate::search::Clock;

impl Model {
    /// Time went by.
    pub(super) fn elapse(&mut self, time: Duration) {
        let side = self.side();
        if self.paused || self.ending().is_some() {
            return;
        }
        self.spent += time;
        let Some(clocks) = &self.clocks else {
            return;
        };
        if clocks[side.index()]
            .allowance()
            .is_some_and(|most| self.spent > most)
        {
            self.declared = Some(Ending::TimeUp(side));
            self.mark_changed();
            self.hand = None;
            self.stop_thinking();
        }
    }

    /// How long it takes until the side to move has no time left, should it not move before; `None` where
    /// no clock runs.
    #[must_use]
    pub fn time_to_flag(&self) -> Option<Duration> {
        if self.paused || self.ending().is_some() {
            return None;
        }
        let most = self.clocks.as_ref()?[self.side().index()].allowance()?;
        // The last moment still counts.
        Some(most.saturating_sub(self.spent) + Duration::from_nanos(1))
    }

    /// What is left on the clock of `side`; `None` without clocks.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let (remaining, _) = self.clocks.as_ref()?[side.index()].clock()?;
        let spent = match side == self.side() {
            true => self.spent,
            false => Duration::ZERO,
        };
        Some(remaining.saturating_sub(spent))
    }

    /// The clock of the side to move, as a search wants it.
    pub(super) fn search_clock(&self) -> Option<Clock> {
        let clock = &self.clocks.as_ref()?[self.side().index()];
        let (remaining, increment) = clock.clock()?;
        Some(Clock {
            remaining: remaining.saturating_sub(self.spent),
            increment,
            moves_to_go: clock.moves_to_go(),
        })
    }
}
