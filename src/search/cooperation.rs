//! How the threads of a search work together.
//!
//! Every thread searches the whole tree, and they learn from each other through the transposition table
//! alone (*Lazy SMP*). That pays only if they do not all do the same at the same time. So they are kept
//! apart by depth: a thread begins its next iteration where the search as a whole stands, and so many
//! plies deeper as its place among the threads says. When an iteration is completed, threads that are
//! still at work on the same depth, or a lesser one, give it up, take over what was found, and go on
//! from there.
//!
//! What each of these is worth is in `bench/RESULTS.md`.
//!
//! What is here is touched once an iteration, and looked at when a thread looks at the clock. On hot
//! paths threads share the table and nothing else.

use std::iter::repeat_with;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};

use super::root_moves::Found;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;
    use crate::search::root_moves::RootLine;

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
}
