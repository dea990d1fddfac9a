//! Limits of a search, and the control that stops it from outside.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::Duration;

use super::Strength;
use crate::board::Move;
use crate::instant::Instant;
use crate::memory::lock;
use crate::text::counted;

/// What a clock shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The maximum depth of an iteration, in plies.
pub const MAX_DEPTH: u32 = 200;

/// The limits of a search; the first one reached ends it. Without any, the search runs until [`Control::stop`].
///
/// There is always a move and a score: if no iteration is completed, the first move in the search
/// order, with the static evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth, in plies (clamped to 1 to [`MAX_DEPTH`]).
    pub depth: Option<u32>,
    /// Node limit, exact with one thread.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when a win or loss within this many plies is found, or proved not to exist
    /// ([`Report::NoMate`](super::Report::NoMate)); values above 999 count as 999.
    pub mate: Option<u32>,
    /// Hold the result back until [`Control::stop`], even if the search is complete.
    pub infinite: bool,
    /// Search during the opponent's time: hold the result back, without any time limit, until
    /// [`Control::ponderhit`] or [`Control::stop`].
    pub ponder: bool,
    /// Moves to search; empty means all. Illegal moves are ignored.
    pub searchmoves: Vec<Move>,
    /// Number of best moves to search and report; 0 counts as 1. A search of limited strength reports one.
    pub multipv: usize,
    /// Playing strength. Applies in addition to the other limits.
    pub strength: Strength,
    /// What each stone on the board, of the first 20, is worth to the side to move at the root beyond its value, in
    /// hundredths of a stone (clamped to ±[`Limits::MAX_CONTEMPT`]): more than 0 avoids exchanges, and so early draws.
    /// Drawn games stay worth 0.
    pub contempt: i32,
    /// Time lost between the engine and the clock, subtracted from every time limit.
    pub move_overhead: Duration,
    /// Analysis: never stop early because the move is forced or the game is decided.
    pub analyse: bool,
    /// When the time for this move started; `None` if it starts with the search.
    pub started: Option<Instant>,
}

impl Limits {
    /// The largest contempt, in hundredths of a stone for each stone.
    pub const MAX_CONTEMPT: i32 = 100;

    /// Keeps the moves that `searchmoves` allows; all if there is none of them.
    pub(super) fn retain_searchmoves<T>(&self, moves: &mut Vec<T>, mv: impl Fn(&T) -> Move) {
        let is_wanted = |item: &T| self.searchmoves.contains(&mv(item));
        if moves.iter().any(is_wanted) {
            moves.retain(is_wanted);
        }
    }

    /// What [`Report::NoMate`](super::Report::NoMate) says of a search with these limits.
    pub fn no_mate(&self, plies: u32) -> String {
        let plies = counted(u64::from(plies), "ply", "plies");
        let by_what = match self.searchmoves.is_empty() {
            true => "",
            false => " by the moves searched",
        };
        format!("no win and no loss in at most {plies}{by_what}")
    }
}

/// One limit of a search, as people give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// To this depth, in plies.
    Depth(u32),
    /// This many nodes.
    Nodes(u64),
    /// This many milliseconds. The result depends on the machine.
    Movetime(u64),
}

impl SearchLimit {
    /// The first of these limits that is given.
    pub fn of(depth: Option<u32>, nodes: Option<u64>, time: Option<Duration>) -> Option<Self> {
        let movetime = |time: Duration| SearchLimit::Movetime(time.as_millis() as u64);
        let limit = depth.map(SearchLimit::Depth);
        limit
            .or(nodes.map(SearchLimit::Nodes))
            .or(time.map(movetime))
    }
}

impl From<SearchLimit> for Limits {
    fn from(limit: SearchLimit) -> Limits {
        let mut limits = Limits::default();
        match limit {
            SearchLimit::Depth(depth) => limits.depth = Some(depth),
            SearchLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            SearchLimit::Movetime(time) => limits.movetime = Some(Duration::from_millis(time)),
        }
        limits
    }
}

impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchLimit::Depth(depth) => write!(f, "depth {depth}"),
            SearchLimit::Nodes(nodes) => f.write_str(&counted(*nodes, "node", "nodes")),
            SearchLimit::Movetime(time) => write!(f, "{time} ms"),
        }
    }
}

/// Stops a running search, or signals a ponderhit. One `Control` per search.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    ponderhit: OnceLock<Instant>,
    /// Protects no data; used for waiting only.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// A control for a new search.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as it has a move.
    pub fn stop(&self) {
        self.change(|| self.stopped.store(true, Ordering::Relaxed));
    }

    /// The move pondered on was played: time limits start at that time.
    pub fn ponderhit(&self, at: Instant) {
        let _first = self.change(|| self.ponderhit.set(at));
    }

    /// Whether [`Control::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag behind [`Control::is_stopped`], for callees that take an `AtomicBool`.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The time that [`Control::ponderhit`] was first given, if it was called.
    pub fn ponderhit_at(&self) -> Option<Instant> {
        self.ponderhit.get().copied()
    }

    /// Blocks until `ready` returns true; it is called again after each [`Control::stop`] and
    /// [`Control::ponderhit`].
    pub(super) fn wait_until(&self, mut ready: impl FnMut(&Control) -> bool) {
        // There without threads, nobody would call them.
        if cfg!(target_arch = "wasm32") {
            return;
        }
        drop(self.changed.wait_while(lock(&self.lock), |()| !ready(self)));
    }

    fn change<T>(&self, change: impl FnOnce() -> T) -> T {
        let guard = lock(&self.lock);
        let changed = change();
        drop(guard);
        self.changed.notify_all();
        changed
    }
}
