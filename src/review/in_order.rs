//! Work on several things at a time whose results come in the order of the things.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::plural::counted;
use crate::search::STACK_BYTES;

/// How often [`Event::Tick`] is told, at least.
const TICK: Duration = Duration::from_millis(50);

/// What happens during the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<U> {
    /// The next result, in the order of the items.
    Done(U),
    /// A moment has passed.
    Tick,
}

/// What is still to be done: the items, and the number of the next one.
struct Queue<T> {
    items: Receiver<T>,
    next: u64,
}

/// Does `work` on all `items`, on `threads` threads (one at least) as they come, and tells the results,
/// on this thread, in the order of the items. Once `may_begin` says no, nothing more is begun; what
/// has been begun is finished and told. The threads have the stack that a search needs.
///
/// Nothing is taken from `items` before a thread is free for it: with a bounded channel memory is bounded
/// by what is in work, and by the results that wait for an earlier one.
///
/// Says whether that was all: nothing is left in the channel, and its other end is closed. Where it is open
/// for longer than a moment nobody knows what may come, and the answer is no.
///
/// # Errors
///
/// If not even one thread can be started.
pub fn in_order<T: Send, U: Send>(
    items: Receiver<T>,
    threads: usize,
    may_begin: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(T) -> U + Sync),
    tell: &mut dyn FnMut(Event<U>),
) -> io::Result<bool> {
    let queue = Mutex::new(Queue { items, next: 0 });
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            let started = thread::Builder::new()
                .name(format!("worker-{number}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || serve(queue, may_begin, work, &sender));
            match started {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error),
                Err(error) => {
                    let there_are = counted(number, "thread", "threads");
                    log::warn!("{there_are} instead of {threads}: {error}");
                    break;
                }
            }
        }
        // The last worker that ends closes the channel.
        drop(sender);
        gather(&results, tell);
        Ok(())
    })?;
    let Queue { items, .. } = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(matches!(
        items.recv_timeout(TICK),
        Err(RecvTimeoutError::Disconnected)
    ))
}

/// What a thread does: one item after the other.
fn serve<T, U>(
    queue: &Mutex<Queue<T>>,
    may_begin: &dyn Fn() -> bool,
    work: &dyn Fn(T) -> U,
    results: &Sender<(u64, U)>,
) {
    while let Some((number, item)) = take(queue, may_begin) {
        if results.send((number, work(item))).is_err() {
            return;
        }
    }
}

/// The next item and its number; `None` if there is none, or none may be begun.
fn take<T>(queue: &Mutex<Queue<T>>, may_begin: &dyn Fn() -> bool) -> Option<(u64, T)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    while may_begin() {
        match queue.items.recv_timeout(TICK) {
            Ok(item) => {
                let number = queue.next;
                queue.next += 1;
                return Some((number, item));
            }
            // Whoever fills the channel may be waiting himself, for somebody who types.
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

/// Tells all results in their order.
fn gather<U>(results: &Receiver<(u64, U)>, tell: &mut dyn FnMut(Event<U>)) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    loop {
        match results.recv_timeout(TICK) {
            Ok((number, result)) => {
                early.insert(number, result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while let Some(result) = early.remove(&next) {
            next += 1;
            tell(Event::Done(result));
        }
        tell(Event::Tick);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// The results of doing `work` on 0 to 99, and whether these are all.
    fn results(
        threads: usize,
        may_begin: &(dyn Fn() -> bool + Sync),
        work: &(dyn Fn(u64) -> u64 + Sync),
    ) -> (Vec<u64>, bool) {
        let (sender, items) = sync_channel(1);
        let feeder = thread::spawn(move || (0..100).all(|item| sender.send(item).is_ok()));
        let mut results = Vec::new();
        let is_all = in_order(items, threads, may_begin, work, &mut |event| {
            if let Event::Done(result) = event {
                results.push(result);
            }
        })
        .expect("threads");
        feeder.join().expect("it ends");
        (results, is_all)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let squares: Vec<u64> = (0..100).map(|item| item * item).collect();
        for threads in [0, 1, 2, 7] {
            let work = |item: u64| {
                // Later items are done earlier.
                let spins = if item.is_multiple_of(5) { 2_000 } else { 1 };
                (0..spins).for_each(|_| thread::yield_now());
                item * item
            };
            let done = results(threads, &|| true, &work);
            assert_eq!(done, (squares.clone(), true), "{threads}");
        }
    }

    /// Waits, so that nobody runs ahead of whoever is to stop them.
    fn while_not(stopped: &AtomicBool) {
        while !stopped.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    }

    #[test]
    fn what_has_been_begun_is_finished() {
        let stopped = AtomicBool::new(false);
        let begun = AtomicU64::new(0);
        let (done, is_all) = results(3, &|| !stopped.load(Ordering::SeqCst), &|item| {
            match begun.fetch_add(1, Ordering::SeqCst) {
                0..10 => {}
                10 => stopped.store(true, Ordering::SeqCst),
                _ => while_not(&stopped),
            }
            item
        });
        let begun = begun.into_inner();
        assert!((11..=13).contains(&begun), "{begun}");
        assert_eq!(done, (0..begun).collect::<Vec<_>>());
        assert!(!is_all);
    }

    /// Whoever stops at the last item has done all of them.
    #[test]
    fn a_late_stop_leaves_nothing() {
        for last in [8, 9] {
            let (sender, items) = sync_channel(10);
            (0..10).for_each(|item| sender.send(item).expect("there is room"));
            drop(sender);
            let stopped = AtomicBool::new(false);
            let work = |item| stopped.store(item == last, Ordering::SeqCst);
            let may_begin = || !stopped.load(Ordering::SeqCst);
            let is_all = in_order(items, 1, &may_begin, &work, &mut |_| {});
            assert_eq!(is_all.expect("threads"), last == 9);
        }
    }

    /// What the main thread of a program has room for, a worker has, too.
    #[test]
    fn work_may_go_deep() {
        fn descend(levels: u64) -> u64 {
            let frame = std::hint::black_box([levels; 128]);
            match levels {
                0 => 0,
                _ => descend(levels - 1) + u64::from(frame[7] == levels),
            }
        }
        // 4 MiB at least, where a thread has 2 unless it asks for more.
        let (done, _) = results(1, &|| true, &|item| descend(4 * 1_024 * (item % 2)));
        assert_eq!(done[..2], [0, 4 * 1_024]);
    }

    /// Nothing comes from the channel, and nobody closes it.
    #[test]
    fn waiting_for_an_item_can_be_given_up() {
        let (sender, items) = sync_channel::<u64>(1);
        let ticks = AtomicU64::new(0);
        let may_begin = || ticks.load(Ordering::SeqCst) < 2;
        let is_all = in_order(items, 2, &may_begin, &|item| item, &mut |_| {
            ticks.fetch_add(1, Ordering::SeqCst);
        });
        assert!(!is_all.expect("threads"));
        drop(sender);
        assert!(ticks.into_inner() >= 2);
    }
}
