//! A schedule that several places take their games from.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::fixture::Fixture;
use super::schedule::Next;
use super::{Asking, Schedule};
use crate::stop::StopSignal;

/// How often somebody who waits looks whether everything is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Who meets in so many bouts cannot be told, though all games before them have been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournament) struct NobodyToPair(pub(in crate::tournament) usize);

/// A schedule for several threads.
#[derive(Debug)]
pub(in crate::tournament) struct SharedSchedule {
    schedule: Mutex<Schedule>,
    changed: Condvar,
}

impl SharedSchedule {
    pub(in crate::tournament) fn new(schedule: Schedule) -> SharedSchedule {
        SharedSchedule {
            schedule: Mutex::new(schedule),
            changed: Condvar::new(),
        }
    }

    /// The schedule itself. A thread that has panicked has ended the match; what it left is in order,
    /// as nothing here panics half way.
    pub(in crate::tournament) fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who wait that results have changed.
    pub(in crate::tournament) fn notify(&self) {
        self.changed.notify_all();
    }

    /// The next game for a place, as soon as it is known; `None` if there is none any more, or
    /// everything is to stop.
    ///
    /// # Errors
    ///
    /// If games are left that will never be known.
    pub(in crate::tournament) fn next(
        &self,
        asking: Asking<'_>,
        stop: &StopSignal,
    ) -> Result<Option<Fixture>, NobodyToPair> {
        let mut schedule = self.lock();
        while !stop.is_given() {
            match schedule.next_game(asking) {
                Next::Game(fixture) => return Ok(Some(fixture)),
                Next::Finished => return Ok(None),
                Next::NobodyToPair(bouts) => return Err(NobodyToPair(bouts)),
                Next::Wait => {
                    let waited = self.changed.wait_timeout(schedule, LOOK);
                    schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        Ok(None)
    }
}
