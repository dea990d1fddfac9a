//! Parallel work with results in the order of the items.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;
use vato_engine::counted;
use vato_engine::memory::lock;
use vato_engine::search::{Control, STACK_BYTES};
use vato_tools::stop::StopSignal;

use super::failure::{Context, Failure};
use crate::cli::tell;

/// How often the signal to stop is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs `read` on a thread, as standard input may block for ever. It passes items on, one ahead of the work, as long
/// as its function returns true; the channel is closed when it returns.
pub fn read_ahead<T: Send + 'static>(
    read: impl FnOnce(&dyn Fn(T) -> bool) + Send + 'static,
) -> Result<Receiver<T>, Failure> {
    let (sender, items) = sync_channel(1);
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(&|item| sender.send(item).is_ok()))
        .map(|_| items)
        .context("cannot start threads")
}

/// Does `work` on all `items` on `threads` threads (at least one, with the stack of a search) and passes the results to
/// `tell`, on the calling thread, in the order of the items. Once `stop` is given no further item is started; those
/// started are finished and passed on, with the control of the work stopped if they are to stop now. An item is received
/// when a thread is free for it. Returns whether all items were done: the channel is empty and its other end closed.
pub fn in_order<T: Send, U: Send>(
    items: Receiver<T>,
    threads: usize,
    stop: &StopSignal,
    work: &(dyn Fn(T, &Control) -> U + Sync),
    tell: &mut dyn FnMut(U),
) -> Result<bool, Failure> {
    let control = Control::new();
    let queue = Mutex::new((0_u64.., items));
    let next_item = || {
        let mut queue = lock(&queue);
        while !stop.is_given() {
            match queue.1.recv_timeout(TICK) {
                Ok(item) => return queue.0.next().map(|number| (number, item)),
                // The sender may be waiting for typed input: look at `stop` again.
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    };
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads.max(1) {
            let (next_item, sender, control) = (&next_item, sender.clone(), &control);
            let started = thread::Builder::new()
                .name(format!("worker-{number}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    while let Some((number, item)) = next_item() {
                        if sender.send((number, work(item, control))).is_err() {
                            return;
                        }
                    }
                });
            match started {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error).context("cannot start threads"),
                Err(error) => {
                    let there_are = counted(number, "thread", "threads");
                    log::warn!("{there_are} instead of {threads}: {error}");
                    break;
                }
            }
        }
        // The channel closes when the last worker ends.
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        loop {
            match results.recv_timeout(TICK) {
                Ok((number, result)) => {
                    early.insert(number, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(result) = early.remove(&next) {
                next += 1;
                tell(result);
            }
            if stop.is_now() {
                control.stop();
            }
        }
    })?;
    let (_, items) = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(matches!(
        items.recv_timeout(TICK),
        Err(RecvTimeoutError::Disconnected)
    ))
}

/// Why an item has no result.
pub enum Missing {
    /// It is invalid; the message.
    Invalid(String),
    BrokenOff,
    Failed(Failure),
}

impl<E> From<E> for Missing
where
    Failure: From<E>,
{
    fn from(error: E) -> Missing {
        Missing::Failed(error.into())
    }
}

/// What has become of the items, in their order. After a gap there are no results, so that the work can be continued
/// from there.
pub struct Batch<'a> {
    /// Messages stand above it.
    pub bar: ProgressBar,
    stop: &'a StopSignal,
    pub invalid: u64,
    /// Work was stopped or failed: nothing more is taken.
    pub is_over: bool,
    /// An item that was started has no result.
    pub is_cut: bool,
    pub failure: Option<Failure>,
}

impl<'a> Batch<'a> {
    /// Without any items yet. Messages stand above the bar.
    pub fn new(bar: ProgressBar, stop: &'a StopSignal) -> Batch<'a> {
        Batch {
            bar,
            stop,
            invalid: 0,
            is_over: false,
            is_cut: false,
            failure: None,
        }
    }

    /// Takes what has become of the next item, and returns its result if it is to be written.
    pub fn take<T>(&mut self, done: Result<T, Missing>) -> Option<T> {
        match done {
            _ if self.is_over => self.is_cut = true,
            Ok(done) => return Some(done),
            Err(Missing::Invalid(message)) => {
                self.invalid += 1;
                self.bar.suspend(|| tell(message));
            }
            Err(Missing::BrokenOff) => (self.is_over, self.is_cut) = (true, true),
            Err(Missing::Failed(failure)) => {
                self.is_cut = true;
                self.fail(failure);
            }
        }
        None
    }

    pub fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
        self.is_over = true;
        self.stop.now();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// The results of `work` on 0 to 99, and whether all were done.
    fn results(
        threads: usize,
        stop: &StopSignal,
        work: &(dyn Fn(u64) -> u64 + Sync),
    ) -> (Vec<u64>, bool) {
        let (sender, items) = sync_channel(1);
        let feeder = thread::spawn(move || (0..100).all(|item| sender.send(item).is_ok()));
        let mut results = Vec::new();
        let mut tell = |result| results.push(result);
        let is_all = in_order(items, threads, stop, &|item, _| work(item), &mut tell);
        let is_all = is_all.expect("threads");
        feeder.join().expect("it ends");
        (results, is_all)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let squares: Vec<u64> = (0..100).map(|item| item * item).collect();
        for threads in [0, 1, 2, 7] {
            let work = |item: u64| {
                // Later items are finished earlier.
                let spins = if item.is_multiple_of(5) { 2_000 } else { 1 };
                (0..spins).for_each(|_| thread::yield_now());
                item * item
            };
            let done = results(threads, &StopSignal::new(), &work);
            assert_eq!(done, (squares.clone(), true), "{threads}");
        }
    }

    /// Waits, so that no worker runs ahead of the one that stops them.
    fn while_not(stop: &StopSignal) {
        while !stop.is_given() {
            thread::yield_now();
        }
    }

    #[test]
    fn what_has_been_begun_is_finished() {
        let stop = StopSignal::new();
        let begun = AtomicU64::new(0);
        let (done, is_all) = results(3, &stop, &|item| {
            match begun.fetch_add(1, Ordering::SeqCst) {
                0..10 => {}
                10 => stop.after_running_games(),
                _ => while_not(&stop),
            }
            item
        });
        let begun = begun.into_inner();
        assert!((11..=13).contains(&begun), "{begun}");
        assert_eq!(done, (0..begun).collect::<Vec<_>>());
        assert!(!is_all);
    }

    /// A stop at the last item leaves nothing undone.
    #[test]
    fn a_late_stop_leaves_nothing() {
        for last in [8, 9] {
            let (sender, items) = sync_channel(10);
            (0..10).for_each(|item| sender.send(item).expect("there is room"));
            drop(sender);
            let stop = StopSignal::new();
            let work = |item, control: &Control| {
                assert!(!control.is_stopped());
                if item == last {
                    stop.after_running_games();
                }
            };
            let is_all = in_order(items, 1, &stop, &work, &mut |()| {});
            assert_eq!(is_all.expect("threads"), last == 9);
        }
    }

    /// A worker has at least the stack of a main thread.
    #[test]
    fn work_may_go_deep() {
        fn descend(levels: u64) -> u64 {
            let frame = std::hint::black_box([levels; 128]);
            match levels {
                0 => 0,
                _ => descend(levels - 1) + u64::from(frame[7] == levels),
            }
        }
        // At least 4 MiB; the default for a thread is 2 MiB.
        let (done, _) = results(1, &StopSignal::new(), &|item| {
            descend(4 * 1_024 * (item % 2))
        });
        assert_eq!(done[..2], [0, 4 * 1_024]);
    }

    /// The channel stays open and empty.
    #[test]
    fn waiting_for_an_item_can_be_given_up() {
        let (sender, items) = sync_channel::<u64>(1);
        let stop = StopSignal::new();
        let is_all = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(2 * TICK);
                stop.now();
            });
            in_order(items, 2, &stop, &|item, _| item, &mut |_| {})
        });
        assert!(!is_all.expect("threads"));
        drop(sender);
    }
}
