//! The threads of a search: the helpers that live on from search to search, what all threads tell each
//! other, and whose result counts.
//!
//! Every thread searches the whole tree and shares the transposition table (*Lazy SMP*). Threads begin
//! their iterations at different depths; when one of them completes an iteration, those that are still
//! at work on that depth or a lesser one give it up and go on from its result. What each of these is
//! worth is in `bench/RESULTS.md`. All of this is touched once an iteration; on hot paths threads share
//! the table and nothing else.

use std::io;
use std::iter::repeat_with;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::root::Found;
use super::worker::{Shared, ThreadData, search_on_this_thread};
use super::{Limits, STACK_BYTES, Score, SearchCounts};
use crate::text::panic_message;

/// Locks, whatever a thread that panicked has left behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The data of all threads, and the helper threads. The main thread of a search is the one that calls it.
pub(super) struct ThreadPool {
    pub(super) main: ThreadData,
    helpers: Vec<Helper>,
    signals: Arc<Signals>,
}

struct Helper {
    /// Locked by the helper while it searches.
    data: Arc<Mutex<ThreadData>>,
    thread: Option<JoinHandle<()>>,
}

/// How the helpers are woken and waited for.
#[derive(Default)]
struct Signals {
    state: Mutex<State>,
    /// A search has begun, or the helpers are to end.
    wake: Condvar,
    /// No helper is at work.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    /// The search under way, for helpers that have not joined it yet.
    search: Option<Arc<Shared>>,
    /// Searches begun.
    begun: u64,
    /// Helpers at work.
    busy: usize,
    quit: bool,
}

impl ThreadPool {
    /// A pool for searches with so many threads, the caller's included: one needs no helpers.
    pub(super) fn new(threads: usize) -> io::Result<ThreadPool> {
        let mut pool = ThreadPool {
            main: ThreadData::new(),
            helpers: Vec::with_capacity(threads.saturating_sub(1)),
            signals: Arc::default(),
        };
        for index in 1..threads {
            let data = Arc::new(Mutex::new(ThreadData::new()));
            let (signals, its_data) = (Arc::clone(&pool.signals), Arc::clone(&data));
            let thread = thread::Builder::new()
                .name(format!("search-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || signals.help(index, &its_data))?;
            pool.helpers.push(Helper {
                data,
                thread: Some(thread),
            });
        }
        Ok(pool)
    }

    /// The threads of a search, the caller's included.
    pub(super) fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Waits for helpers that are still to halt, and does something with the data of every thread.
    pub(super) fn with_data(&mut self, mut act: impl FnMut(&mut ThreadData)) {
        self.signals.wait_until_idle();
        act(&mut self.main);
        for helper in &self.helpers {
            act(&mut lock(&helper.data));
        }
    }

    /// What all threads have counted; `None` without the feature `stats`.
    pub(super) fn counts(&self) -> Option<SearchCounts> {
        self.signals.wait_until_idle();
        let mut sum = self.main.counters.counts()?.clone();
        for helper in &self.helpers {
            sum.add(lock(&helper.data).counters.counts()?);
        }
        Some(sum)
    }

    /// Wakes the helpers for this search; waits for those that are still to halt after the last one.
    /// Returns what stops them when it is dropped, and the main thread's data.
    pub(super) fn start(&mut self, search: &Arc<Shared>) -> (Running, &mut ThreadData) {
        self.signals.wait_until_idle();
        if search.cooperation.threads() > 1 {
            let mut state = lock(&self.signals.state);
            state.search = Some(Arc::clone(search));
            state.begun += 1;
            drop(state);
            self.signals.wake.notify_all();
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
        for helper in &mut self.helpers {
            if let Some(thread) = helper.thread.take() {
                // A helper catches its panics.
                let _ = thread.join();
            }
        }
    }
}

/// Tells the helpers to stop when it goes out of scope. They are not waited for.
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
    /// A helper: joins each search until there is none to come.
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
        }
    }

    /// The next search after number `last`; `None` if the helpers are to end.
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
            state = wait(&self.wake, state);
        }
        None
    }

    fn wait_until_idle(&self) {
        let mut state = lock(&self.state);
        while state.busy > 0 {
            state = wait(&self.idle, state);
        }
    }
}

fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// What the threads of a search tell each other.
#[derive(Debug)]
pub(super) struct Cooperation {
    /// The deepest iteration that some thread has completed, in plies.
    completed: AtomicI32,
    /// What each thread has found in its last iteration. Locked for as long as it takes to copy a
    /// pointer.
    found: Vec<Mutex<Option<Arc<Found>>>>,
    /// Whether threads take over what others have found. Not where several lines are wanted: they
    /// belong together.
    takes_over: bool,
}

impl Cooperation {
    /// Of so many threads that look for so many lines.
    pub(super) fn new(threads: usize, multipv: usize) -> Cooperation {
        Cooperation {
            completed: AtomicI32::new(0),
            found: repeat_with(Mutex::default).take(threads).collect(),
            takes_over: threads > 1 && multipv <= 1,
        }
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.found.len()
    }

    /// Whether threads take over what others have found.
    pub(super) fn takes_over(&self) -> bool {
        self.takes_over
    }

    /// Whether a thread at work on an iteration of `depth` plies may as well give it up.
    #[inline]
    pub(super) fn is_overtaken(&self, depth: i32) -> bool {
        self.takes_over && self.completed() >= depth
    }

    /// The deepest iteration that some thread has completed, in plies.
    #[inline]
    pub(super) fn completed(&self) -> i32 {
        // What was found at that depth lies behind a lock; this is only the reason to look there.
        self.completed.load(Ordering::Relaxed)
    }

    /// The depth of the iteration that thread `index` should do next, after one of `own` plies.
    pub(super) fn next_depth(&self, index: usize, own: i32) -> i32 {
        // 0, 1, 0, 2, 0, 1, 0, 3, ...: half of the threads at the first depth to do, a quarter one
        // ply deeper, and so on.
        let ahead = index.trailing_ones() as i32;
        (self.completed() + 1 + ahead).max(own + 1)
    }

    /// Tells the others what thread `index` has found in a completed iteration.
    pub(super) fn publish(&self, index: usize, found: &Found) {
        if !self.takes_over {
            return;
        }
        let found = Arc::new(found.clone());
        let depth = found.lines[0].depth;
        if let Ok(mut place) = self.found[index].lock() {
            *place = Some(found);
        }
        self.completed.fetch_max(depth, Ordering::Relaxed);
    }

    /// What a thread other than `index` has found at `depth` or deeper, the deepest first.
    pub(super) fn found_at(&self, index: usize, depth: i32) -> Option<Arc<Found>> {
        self.others(index)
            .filter(|found| found.lines[0].depth >= depth)
            .max_by_key(|found| found.lines[0].depth)
    }

    /// What the threads other than `index` have found. One that is writing it down just now is not waited
    /// for: it may be a while until it has a processor again.
    pub(super) fn others(&self, index: usize) -> impl Iterator<Item = Arc<Found>> {
        let others = self.found.iter().enumerate();
        others
            .filter(move |(other, _)| *other != index)
            .filter_map(|(_, found)| found.try_lock().ok()?.clone())
    }
}

/// What the vote with the lowest score counts.
const VOTE_FLOOR: i32 = 100;

/// What a better score adds to that at most, in units of the search: not so much that it makes up for a ply. A
/// search that is less deep is an older opinion, and a high score may be what the deeper one refuted.
const VOTE_MOST: i32 = 99;

/// What a vote is worth for each ply that its search was less deep.
const VOTE_PER_PLY: f64 = 0.5;

/// The one of `all` whose result counts. Each votes for its move, the deeper and the better its score
/// the more (after Stockfish); among those that chose the winner, the deepest speaks. A proven win goes
/// before everything.
///
/// The first of `all`, of which there is one at least, is that of the first thread. It speaks in case of
/// a tie, and where several lines are wanted.
pub(super) fn vote<'a>(all: &'a [Arc<Found>], limits: &Limits) -> &'a Found {
    if all.len() == 1 || limits.multipv > 1 {
        return &all[0];
    }
    let lines = || all.iter().map(|found| &found.lines[0]);
    let lowest = lines().map(|line| line.score).min().unwrap_or(0);
    let deepest = lines().map(|line| line.depth).max().unwrap_or(0);
    let votes = |found: &Found| -> f64 {
        let choice = found.lines[0].line.first();
        lines()
            .filter(|line| line.line.first() == choice)
            .map(|line| {
                f64::from(VOTE_FLOOR + (line.score - lowest).min(VOTE_MOST))
                    * VOTE_PER_PLY.powi(deepest - line.depth)
            })
            .sum()
    };
    let standing = |found: &Found| {
        let line = &found.lines[0];
        let won = line.score > 0 && Score::from_raw(line.score).is_decided();
        // Where a depth is asked for, it is given.
        let depth = limits.depth.map(|_| line.depth);
        let win = if won { line.score } else { 0 };
        (depth, win, votes(found), line.depth)
    };
    let mut best: &Found = &all[0];
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
    use crate::search::Bound;
    use crate::search::root::RootLine;

    fn found(depth: i32) -> Found {
        Found {
            lines: vec![RootLine {
                score: 0,
                bound: Bound::Exact,
                depth,
                seldepth: 0,
                complete: true,
                line: Vec::new(),
            }],
        }
    }

    #[test]
    fn threads_keep_apart_and_catch_up() {
        let threads = Cooperation::new(4, 1);
        let next: Vec<i32> = (0..4).map(|index| threads.next_depth(index, 0)).collect();
        assert_eq!(next, [1, 2, 1, 3]);
        threads.publish(1, &found(2));
        assert_eq!(threads.completed(), 2);
        assert_eq!(threads.next_depth(0, 1), 3);
        assert_eq!(threads.next_depth(1, 2), 4);
        // One that is ahead goes on.
        assert_eq!(threads.next_depth(3, 7), 8);
        threads.publish(0, &found(1));
        assert_eq!(threads.completed(), 2);
    }

    #[test]
    fn the_deepest_is_taken_over() {
        let threads = Cooperation::new(3, 1);
        threads.publish(0, &found(4));
        threads.publish(2, &found(6));
        let depth = |least| threads.found_at(1, least).map(|found| found.lines[0].depth);
        assert_eq!(depth(5), Some(6));
        assert_eq!(depth(7), None);
        assert_eq!(threads.others(0).count(), 1);
    }

    #[test]
    fn several_lines_are_not_taken_over() {
        let threads = Cooperation::new(2, 3);
        threads.publish(1, &found(4));
        assert!(!threads.is_overtaken(1));
        assert_eq!(threads.others(0).count(), 0);
        let threads = Cooperation::new(2, 1);
        threads.publish(1, &found(4));
        assert!(threads.is_overtaken(4) && !threads.is_overtaken(5));
    }

    #[test]
    fn one_alone_tells_nobody() {
        let threads = Cooperation::new(1, 1);
        threads.publish(0, &found(4));
        assert_eq!(threads.next_depth(0, 4), 5);
        assert_eq!(threads.others(1).count(), 0);
    }

    fn choice(to: u8, score: i32, depth: i32) -> Arc<Found> {
        let point = |column: u8, row: u8| Point::at(column, row).expect("a point");
        let mv = Move::new(point(0, 0), point(to, 1), Bitboard::EMPTY);
        Arc::new(Found {
            lines: vec![RootLine {
                score,
                bound: Bound::Exact,
                depth,
                seldepth: 0,
                complete: true,
                line: vec![mv],
            }],
        })
    }

    /// The place of the winner.
    fn winner(all: &[Arc<Found>], limits: &Limits) -> usize {
        let best = vote(all, limits);
        all.iter()
            .position(|found| std::ptr::eq(&**found, best))
            .expect("one of them")
    }

    #[test]
    fn the_deeper_of_two_speaks() {
        let limits = Limits::default();
        assert_eq!(winner(&[choice(1, 30, 9), choice(2, 0, 10)], &limits), 1);
        assert_eq!(winner(&[choice(1, 30, 9), choice(1, 0, 10)], &limits), 1);
        // That it found the move of the other refuted is why they differ.
        assert_eq!(winner(&[choice(1, 130, 9), choice(2, 0, 10)], &limits), 1);
        let loss = Score::loss_in(8).raw();
        assert_eq!(winner(&[choice(1, 50, 9), choice(1, loss, 10)], &limits), 1);
        assert_eq!(winner(&[choice(1, 0, 9), choice(2, 0, 9)], &limits), 0);
    }

    #[test]
    fn many_outvote_one() {
        let limits = Limits::default();
        let all = [
            choice(1, 0, 10),
            choice(2, 10, 10),
            choice(2, 0, 10),
            choice(1, 0, 7),
        ];
        assert_eq!(winner(&all, &limits), 1);
    }

    #[test]
    fn a_win_goes_before_everything() {
        let win = Score::win_in(11).raw();
        let all = [choice(1, 80, 12), choice(1, 80, 12), choice(2, win, 4)];
        assert_eq!(winner(&all, &Limits::default()), 2);
    }

    #[test]
    fn what_was_asked_for_is_given() {
        let win = Score::win_in(11).raw();
        let limits = Limits {
            depth: Some(10),
            ..Limits::default()
        };
        assert_eq!(winner(&[choice(2, win, 9), choice(1, 0, 10)], &limits), 1);
        let limits = Limits {
            multipv: 2,
            ..Limits::default()
        };
        assert_eq!(winner(&[choice(2, 0, 9), choice(1, 50, 10)], &limits), 0);
    }
}
