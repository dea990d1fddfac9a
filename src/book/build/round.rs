//! A round: so many positions, each searched once by one of the threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dashmap::DashMap;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxBuildHasher;

use super::Wish;
use crate::book::BookError;
use crate::book::folded::Folded;
use crate::book::searching::{SearchedMove, search, searcher};
use crate::book::settings::BuildSettings;
use crate::search::{Control, STACK_BYTES, SearchError, Searcher};

/// How often the observer looks while nothing happens.
const TICK: Duration = Duration::from_millis(50);

/// What all searches have said: threads add to it while it is read and written to disk.
pub(super) type Memory = DashMap<Folded, Vec<SearchedMove>, FxBuildHasher>;

/// The threads, with a searcher for each.
pub(super) struct Crew<'a> {
    settings: &'a BuildSettings,
    pool: ThreadPool,
    searchers: Vec<Mutex<Searcher>>,
}

/// What the threads share in a round.
struct Round<'a> {
    settings: &'a BuildSettings,
    positions: &'a [Folded],
    memory: &'a Memory,
    /// The number of the position that is searched next.
    next: AtomicUsize,
    /// No further search is to begin.
    is_over: AtomicBool,
    /// One for each thread.
    controls: Vec<Control>,
}

/// What threads tell.
enum Event {
    Searched,
    Failed(SearchError),
    Left,
}

/// Tells that a thread has left a round, whatever the reason.
struct LastWord<'a>(&'a Sender<Event>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        // A receiver that is gone is not waiting.
        let _ = self.0.send(Event::Left);
    }
}

impl<'a> Crew<'a> {
    /// Starts the threads.
    pub(super) fn new(settings: &'a BuildSettings) -> Result<Crew<'a>, BookError> {
        let threads = settings.threads.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("book-{index}"))
            .build()
            .map_err(|error| BookError::Threads { threads, error })?;
        let searchers: Result<Vec<_>, SearchError> = (0..threads)
            .map(|_| searcher(settings).map(Mutex::new))
            .collect();
        Ok(Crew {
            settings,
            pool,
            searchers: searchers?,
        })
    }

    /// Searches all of the positions and puts what comes of it into the memory, unless `look` wants
    /// something else. That is called on this thread, before the round, after every search and every
    /// now and then; its first error ends the round, and breaks off the searches that run.
    ///
    /// # Errors
    ///
    /// That of `look`, or if a search cannot be made.
    pub(super) fn search(
        &self,
        positions: &[Folded],
        memory: &Memory,
        look: &mut dyn FnMut() -> Result<Wish, BookError>,
    ) -> Result<(), BookError> {
        let round = Round {
            settings: self.settings,
            positions,
            memory,
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(look()? != Wish::GoOn),
            controls: self.searchers.iter().map(|_| Control::new()).collect(),
        };
        let (events, inbox) = channel();
        let mut outcome = Ok(());
        self.pool.in_place_scope(|scope| {
            let (round, events) = (&round, &events);
            scope.spawn_broadcast(move |_, place| {
                let _last_word = LastWord(events);
                let place = place.index();
                let mut searcher = self.searchers[place]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                round.work(&mut searcher, &round.controls[place], events);
            });
            let mut running = self.searchers.len();
            while running > 0 {
                match inbox.recv_timeout(TICK) {
                    Ok(Event::Left) => running -= 1,
                    Ok(Event::Failed(error)) => outcome = Err(error.into()),
                    Ok(Event::Searched) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                let wish = match outcome {
                    Ok(()) => look(),
                    // Nobody is asked any more, so nobody could break off what still runs.
                    Err(_) => Ok(Wish::BreakOff),
                };
                let wish = wish.unwrap_or_else(|error| {
                    outcome = Err(error);
                    Wish::BreakOff
                });
                match wish {
                    Wish::GoOn => continue,
                    Wish::Finish => {}
                    Wish::BreakOff => round.controls.iter().for_each(Control::stop),
                }
                round.is_over.store(true, Ordering::Relaxed);
            }
        });
        outcome
    }
}

impl Round<'_> {
    /// Searches position after position, on one thread.
    fn work(&self, searcher: &mut Searcher, control: &Control, events: &Sender<Event>) {
        while !self.is_over.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&folded) = self.positions.get(number) else {
                return;
            };
            let event = match search(searcher, self.settings, folded, control) {
                Ok(Some(moves)) => {
                    self.memory.insert(folded, moves);
                    Event::Searched
                }
                Ok(None) => return,
                Err(error) => Event::Failed(error),
            };
            // The receiver waits for the last word of every thread.
            let _ = events.send(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::header::SearchLimit;
    use crate::eval::Evaluation;

    /// A disk that is full must not wait for searches of hours.
    #[test]
    fn an_error_breaks_off_what_runs() {
        let settings = BuildSettings {
            evaluation: Evaluation::classical(),
            limit: SearchLimit::Nodes(100_000_000),
            hash_mib: 1,
            threads: 2,
            ..BuildSettings::default()
        };
        let crew = Crew::new(&settings).expect("threads");
        let start = Folded::of(&settings.rules, &settings.rules.start()).0;
        let memory = Memory::default();
        let mut looks = 0;
        let outcome = crew.search(&[start], &memory, &mut || {
            looks += 1;
            match looks {
                1 => Ok(Wish::GoOn),
                _ => Err(BookError::Setting("full".to_owned())),
            }
        });
        assert_eq!(
            outcome.err().map(|error| error.to_string()),
            Some("full".to_owned())
        );
        assert_eq!((looks, memory.len()), (2, 0));
    }
}
