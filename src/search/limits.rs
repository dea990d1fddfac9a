//! What ends a search: its limits, and the control that stops it from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Strength;
use crate::board::Move;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 200;

/// What ends a search; whichever limit is reached first. Without any the search runs until
/// [`Control::stop`].
///
/// Whatever the limits, there is a move and a score; if they leave no time for a single iteration, the
/// first move that the search would have tried, with the static evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, in plies (0 counts as 1, more than [`MAX_DEPTH`] as that).
    pub depth: Option<u32>,
    /// Number of nodes, kept exactly with one thread (unless the search ends before).
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when the end of the game, won or lost, is proved to be at most so many plies away.
    pub mate: Option<u32>,
    /// Hold the result back until [`Control::stop`], even if the search has
    /// nothing left to do.
    pub infinite: bool,
    /// The opponent is to move in fact: hold the result back, and let no time limit end the search,
    /// until [`Control::ponderhit`] or
    /// [`Control::stop`].
    pub ponder: bool,
    /// Moves to search; empty means all. Moves that are not legal are ignored.
    pub searchmoves: Vec<Move>,
    /// How many of the best moves to search and report; 0 counts as 1. A search of limited strength
    /// reports one.
    pub multipv: usize,
    /// How strong the search is to be. What else is said here holds beside it: whichever limit is
    /// reached first.
    pub strength: Strength,
    /// Time that is lost between the engine and the clock, kept back from every time limit.
    pub move_overhead: Duration,
    /// Analysis: never stop early because the move is forced or the game is decided.
    pub analyse: bool,
    /// When the time of this move began to run; `None` if it begins with the search.
    pub started: Option<Instant>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the rest of the game must be played in the time
    /// left.
    pub moves_to_go: Option<u32>,
}

/// Stops a running search, or tells it that the expected move was played. One search, one `Control`.
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
