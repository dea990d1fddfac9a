//! Threads of a search: the helper pool, which persists between searches, the exchange of results, and the vote.
//!
//! Every thread searches the whole tree and shares the transposition table (*Lazy SMP*). Threads start
//! at different depths; when one completes an iteration, those still at that depth or a lesser one
//! abort theirs and continue from its result. `bench/RESULTS.md` has the gain of each of these. The
//! exchange happens once per iteration; on hot paths threads share only the table.

use std::io;
use std::iter::repeat_with;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::worker::{Shared, ThreadData, search_on_this_thread};
use super::{Limits, Line, STACK_BYTES, Score, lent};
use crate::memory::{self, lock};
use crate::text::panic_message;

/// Memory of a thread besides its stack, about.
const DATA_BYTES: u64 = 2 << 20;

/// Data of all threads, and the helper threads. The main thread of a search is the calling thread.
pub(super) struct ThreadPool {
    pub(super) main: ThreadData,
    helpers: Vec<Helper>,
    signals: Arc<Signals>,
}

struct Helper {
    /// Locked by the helper while it is searching.
    data: Arc<Mutex<ThreadData>>,
    /// None where threads are lent.
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Signals {
    state: Mutex<State>,
    /// A search has started, or the helpers are to quit.
    wake: Condvar,
    /// No helper is searching.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    /// The current search, for helpers that have not joined it yet.
    search: Option<Arc<Shared>>,
    /// Number of searches started.
    begun: u64,
    /// Number of helpers searching.
    busy: usize,
    quit: bool,
}

impl ThreadPool {
    /// A pool for searches with `threads` threads, the calling thread included.
    pub(super) fn new(threads: usize) -> io::Result<ThreadPool> {
        // Refused before an allocation of the many fails, which would end the process.
        let stacks = threads as u64 * STACK_BYTES as u64;
        let space = memory::address_space().saturating_sub(stacks);
        if threads > 1 && space.min(memory::available()) < threads as u64 * DATA_BYTES {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let mut pool = ThreadPool {
            main: ThreadData::new(),
            helpers: Vec::with_capacity(threads.saturating_sub(1)),
            signals: Arc::default(),
        };
        for index in 1..threads {
            let data = Arc::new(Mutex::new(ThreadData::new()));
            let mut helper = Helper { data, thread: None };
            if !lent::ARE_LENT {
                let builder = thread::Builder::new().name(format!("search-{index}"));
                let help = pool.help(index, &helper);
                helper.thread = Some(builder.stack_size(STACK_BYTES).spawn(help)?);
            }
            pool.helpers.push(helper);
        }
        Ok(pool)
    }

    fn help(&self, index: usize, helper: &Helper) -> impl FnOnce() + Send + 'static {
        let (signals, data) = (Arc::clone(&self.signals), Arc::clone(&helper.data));
        move || signals.help(index, &data)
    }

    /// Number of threads of a search, the calling thread included.
    pub(super) fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Waits until all helpers have stopped, then applies `act` to the data of every thread.
    pub(super) fn with_data(&mut self, mut act: impl FnMut(&mut ThreadData)) {
        self.signals.wait_until_idle();
        act(&mut self.main);
        for helper in &self.helpers {
            act(&mut lock(&helper.data));
        }
    }

    /// Wakes the helpers for this search, after those of the last one have stopped. Returns a guard
    /// that stops them when dropped, and the main thread's data.
    pub(super) fn start(&mut self, search: &Arc<Shared>) -> (Running, &mut ThreadData) {
        self.signals.wait_until_idle();
        if search.results.found.len() > 1 {
            let mut state = lock(&self.signals.state);
            state.search = Some(Arc::clone(search));
            state.begun += 1;
            drop(state);
            self.signals.wake.notify_all();
            if lent::ARE_LENT {
                let helpers = (1..).zip(&self.helpers);
                lent::leave(helpers.map(|(index, helper)| Box::new(self.help(index, helper)) as _));
            }
        }
        let running = Running {
            signals: Arc::clone(&self.signals),
            search: Arc::clone(search),
        };
        (running, &mut self.main)
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        lock(&self.signals.state).quit = true;
        self.signals.wake.notify_all();
        for helper in self.helpers.drain(..) {
            // A helper catches its panics.
            let _ = helper.thread.map(JoinHandle::join);
        }
    }
}

/// Stops the helpers when dropped, without waiting for them.
pub(super) struct Running {
    signals: Arc<Signals>,
    search: Arc<Shared>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.search.stop.store(true, Ordering::Relaxed);
        lock(&self.signals.state).search = None;
    }
}

impl Signals {
    /// A helper's main loop: joins each search until told to quit; one search on a thread that is lent.
    fn help(&self, index: usize, data: &Mutex<ThreadData>) {
        let mut last = 0;
        while let Some(search) = self.join(&mut last) {
            let searched = catch_unwind(AssertUnwindSafe(|| {
                search_on_this_thread(&search, index, None, &mut lock(data));
            }));
            if let Err(panic) = searched {
                log::error!("search thread {index}: {}", panic_message(panic.as_ref()));
                *lock(data) = ThreadData::new();
            }
            drop(search);
            let mut state = lock(&self.state);
            state.busy -= 1;
            if state.busy == 0 {
                self.idle.notify_all();
            }
            if lent::ARE_LENT {
                return;
            }
        }
    }

    /// The next search after number `last`; `None` if the helpers are to quit, or this one has come too late.
    fn join(&self, last: &mut u64) -> Option<Arc<Shared>> {
        let mut state = lock(&self.state);
        while !state.quit {
            if state.begun != *last
                && let Some(search) = state.search.clone()
            {
                *last = state.begun;
                state.busy += 1;
                return Some(search);
            }
            if lent::ARE_LENT {
                break;
            }
            state = (self.wake.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn wait_until_idle(&self) {
        let state = lock(&self.state);
        drop(self.idle.wait_while(state, |state| state.busy > 0));
    }
}

/// Results exchanged by the threads of a search.
#[derive(Debug)]
pub(super) struct ThreadResults {
    /// The deepest iteration completed by any thread, in plies.
    completed: AtomicI32,
    /// Each thread's result of its last iteration. Locked only while a pointer is copied.
    found: Vec<Mutex<Option<Arc<[Line]>>>>,
    /// Whether threads adopt each other's results. False with MultiPV: the lines belong together.
    pub(super) takes_over: bool,
}

impl ThreadResults {
    pub(super) fn new(threads: usize, multipv: usize) -> ThreadResults {
        ThreadResults {
            completed: AtomicI32::new(0),
            found: repeat_with(Mutex::default).take(threads).collect(),
            takes_over: threads > 1 && multipv <= 1,
        }
    }

    /// Whether an iteration of `depth` plies is already completed by another thread.
    #[inline]
    pub(super) fn is_overtaken(&self, depth: i32) -> bool {
        self.takes_over && self.completed() >= depth
    }

    /// The deepest iteration completed by any thread, in plies.
    #[inline]
    pub(super) fn completed(&self) -> i32 {
        // Relaxed: the result itself is behind a lock.
        self.completed.load(Ordering::Relaxed)
    }

    /// Depth of the next iteration of thread `index`, after one of `own` plies.
    pub(super) fn next_depth(&self, index: usize, own: i32) -> i32 {
        // 0, 1, 0, 2, 0, 1, 0, 3, ...: half of the threads search the next depth, a quarter one ply
        // deeper, and so on.
        let ahead = index.trailing_ones() as i32;
        (self.completed() + 1 + ahead).max(own + 1)
    }

    /// Publishes the result of thread `index` after a completed iteration.
    pub(super) fn publish(&self, index: usize, found: &[Line]) {
        if !self.takes_over {
            return;
        }
        let found: Arc<[Line]> = found.into();
        let depth = found[0].depth as i32;
        if let Ok(mut place) = self.found[index].lock() {
            *place = Some(found);
        }
        self.completed.fetch_max(depth, Ordering::Relaxed);
    }

    /// The deepest result of a thread other than `index`, at `depth` or deeper.
    pub(super) fn found_at(&self, index: usize, depth: i32) -> Option<Arc<[Line]>> {
        self.others(index)
            .filter(|found| found[0].depth as i32 >= depth)
            .max_by_key(|found| found[0].depth)
    }

    /// Results of the threads other than `index`, but for one that is locked: its thread may have no processor.
    pub(super) fn others(&self, index: usize) -> impl Iterator<Item = Arc<[Line]>> {
        let others = self.found.iter().enumerate();
        others
            .filter(move |(other, _)| *other != index)
            .filter_map(|(_, found)| found.try_lock().ok()?.clone())
    }
}

/// Weight of the vote with the lowest score.
const VOTE_FLOOR: i32 = 100;

/// Maximum bonus for a better score, in units of the search: less than a ply is worth. A shallower
/// result is older, and its high score may have been refuted by the deeper one.
const VOTE_MOST: i32 = 99;

/// Vote weight factor for each ply less of depth.
const VOTE_PER_PLY: f64 = 0.5;

/// The result that wins the vote. Each thread votes for its move, weighted by depth and score (after
/// Stockfish); of those with the winning move, the deepest is returned. What is proved takes precedence.
///
/// `all` has at least one result; the first is that of the main thread, which wins ties, and is
/// returned with MultiPV.
pub(super) fn vote<'a>(all: &'a [Arc<[Line]>], limits: &Limits) -> &'a [Line] {
    if all.len() == 1 || limits.multipv > 1 {
        return &all[0];
    }
    let lines = || all.iter().map(|found| &found[0]);
    let lowest = lines().map(|line| line.score.raw()).min().unwrap_or(0);
    let deepest = lines().map(|line| line.depth).max().unwrap_or(0);
    let votes = |found: &[Line]| -> f64 {
        let choice = found[0].pv.first();
        lines()
            .filter(|line| line.pv.first() == choice)
            .map(|line| {
                f64::from(VOTE_FLOOR + (line.score.raw() - lowest).min(VOTE_MOST))
                    * VOTE_PER_PLY.powi((deepest - line.depth) as i32)
            })
            .sum()
    };
    let standing = |found: &[Line]| {
        let line = &found[0];
        let proved = line.score.counts_plies();
        // A requested depth is returned exactly.
        let depth = limits.depth.map(|_| line.depth);
        let win = proved.then(|| line.score.max(Score::DRAW));
        (depth, proved, win, votes(found), line.depth)
    };
    let mut best: &[Line] = &all[0];
    for found in &all[1..] {
        if standing(found) > standing(best) {
            best = found;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Move, Point};

    fn found(depth: u32) -> Vec<Line> {
        vec![Line {
            depth,
            ..Line::of(Vec::new(), Score::DRAW)
        }]
    }

    #[test]
    fn threads_keep_apart_and_catch_up() {
        let threads = ThreadResults::new(4, 1);
        let next: Vec<i32> = (0..4).map(|index| threads.next_depth(index, 0)).collect();
        assert_eq!(next, [1, 2, 1, 3]);
        threads.publish(1, &found(2));
        assert_eq!(threads.completed(), 2);
        assert_eq!(threads.next_depth(0, 1), 3);
        assert_eq!(threads.next_depth(1, 2), 4);
        // A thread that is ahead continues.
        assert_eq!(threads.next_depth(3, 7), 8);
        threads.publish(0, &found(1));
        assert_eq!(threads.completed(), 2);
    }

    #[test]
    fn the_deepest_is_taken_over() {
        let threads = ThreadResults::new(3, 1);
        threads.publish(0, &found(4));
        threads.publish(2, &found(6));
        let depth = |least| threads.found_at(1, least).map(|found| found[0].depth);
        assert_eq!(depth(5), Some(6));
        assert_eq!(depth(7), None);
        assert_eq!(threads.others(0).count(), 1);
    }

    #[test]
    fn several_lines_are_not_taken_over() {
        let threads = ThreadResults::new(2, 3);
        threads.publish(1, &found(4));
        assert!(!threads.is_overtaken(1));
        assert_eq!(threads.others(0).count(), 0);
        let threads = ThreadResults::new(2, 1);
        threads.publish(1, &found(4));
        assert!(threads.is_overtaken(4) && !threads.is_overtaken(5));
        // One alone tells nobody.
        let alone = ThreadResults::new(1, 1);
        alone.publish(0, &found(4));
        assert_eq!((alone.next_depth(0, 4), alone.others(1).count()), (5, 0));
    }

    fn choice(to: u8, score: i32, depth: u32) -> Arc<[Line]> {
        let point = |column: u8, row: u8| Point::at(column, row).expect("a point");
        let mv = Move::new(point(0, 0), point(to, 1), Bitboard::EMPTY);
        Arc::from([Line {
            depth,
            ..Line::of(vec![mv], Score::from_raw(score))
        }])
    }

    /// What each thread has found (move, score, depth), and who is believed.
    #[test]
    fn the_deeper_of_two_speaks_unless_more_is_known() {
        let (any, mut to_depth, mut several) =
            (Limits::default(), Limits::default(), Limits::default());
        to_depth.depth = Some(10);
        several.multipv = 2;
        let (win, loss) = (Score::win_in(11).raw(), Score::loss_in(8).raw());
        type Found<'a> = &'a [(u8, i32, u32)];
        let cases: [(&Limits, Found, usize); 9] = [
            (&any, &[(1, 30, 9), (2, 0, 10)], 1),
            (&any, &[(1, 30, 9), (1, 0, 10)], 1),
            // The deeper one has refuted the move of the other.
            (&any, &[(1, 130, 9), (2, 0, 10)], 1),
            (&any, &[(1, 50, 9), (1, loss, 10)], 1),
            (&any, &[(1, 0, 9), (2, 0, 9)], 0),
            // Many outvote one; a win goes before everything.
            (&any, &[(1, 0, 10), (2, 10, 10), (2, 0, 10), (1, 0, 7)], 1),
            (&any, &[(1, 80, 12), (1, 80, 12), (2, win, 4)], 2),
            // What was asked for is given.
            (&to_depth, &[(2, win, 9), (1, 0, 10)], 1),
            (&several, &[(2, 0, 9), (1, 50, 10)], 0),
        ];
        for (limits, found, wanted) in cases {
            let all: Vec<_> = found
                .iter()
                .map(|&(to, score, depth)| choice(to, score, depth))
                .collect();
            let best = vote(&all, limits);
            assert!(std::ptr::eq(&*all[wanted], best), "{found:?}");
        }
    }
}
