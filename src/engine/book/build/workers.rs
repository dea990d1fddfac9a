//! The worker threads of a build, each with its own searcher.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use super::BuildSettings;
use crate::board::Canonical;
use crate::book::BookError;
use crate::book::graph::SearchedMove;
use crate::memory::ResourceError;
use crate::rules::Game;
use crate::search::{Control, Limits, Line, STACK_BYTES, Searcher};
use crate::stop::StopSignal;

/// Interval at which the stop signal is polled while idle.
const TICK: Duration = Duration::from_millis(50);

/// The results of all searches: workers add to it while it is read and written to disk.
pub(super) type SearchedPositions = DashMap<Canonical, Vec<SearchedMove>, FxBuildHasher>;

pub(super) fn searchers(settings: &BuildSettings) -> Result<Vec<Searcher>, BookError> {
    let mut searchers: Vec<Searcher> = Vec::new();
    searchers.resize_with(settings.threads.max(1), Searcher::new);
    for searcher in &mut searchers {
        searcher.prepare(&settings.search)?;
    }
    Ok(searchers)
}

/// Searches each of the positions once, on the worker threads, and adds the results to `searched`, until
/// the stop signal is given. `look` is called on this thread before the first search, after every search
/// and at intervals; its first error aborts the running searches.
///
/// # Errors
///
/// The error of `look`, or if a thread cannot be started or a search fails.
pub(super) fn search_all(
    searchers: &mut [Searcher],
    settings: &BuildSettings,
    positions: &[Canonical],
    searched: &SearchedPositions,
    stop: &StopSignal,
    look: &mut dyn FnMut() -> Result<(), BookError>,
) -> Result<(), BookError> {
    look()?;
    let threads = searchers.len();
    let controls: Vec<Control> = searchers.iter().map(|_| Control::new()).collect();
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(stop.is_given());
    let break_off = || {
        is_over.store(true, Ordering::Relaxed);
        controls.iter().for_each(Control::stop);
    };
    let (results, inbox) = channel::<Result<(), ResourceError>>();
    let work = |searcher: &mut Searcher, control: &Control, results: Sender<_>| {
        while !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&key) = positions.get(number) else {
                return;
            };
            let result = search(searcher, settings, key, control);
            let result = result.map(|moves| moves.map(|moves| searched.insert(key, moves)));
            // The receiver outlives all threads.
            let _ = results.send(result.map(drop));
        }
    };
    thread::scope(|scope| {
        let mut outcome = Ok(());
        for (searcher, control) in searchers.iter_mut().zip(&controls) {
            let (work, results) = (&work, results.clone());
            let spawned = thread::Builder::new()
                .name("book".to_owned())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || work(searcher, control, results));
            if let Err(error) = spawned {
                outcome = Err(ResourceError::Threads(threads, error.into()).into());
                break_off();
                break;
            }
        }
        drop(results);
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(Err(error)) => outcome = Err(error.into()),
                Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return outcome,
            }
            if outcome.is_ok() {
                outcome = look();
            }
            if outcome.is_err() || stop.is_now() {
                break_off();
            } else if stop.is_given() {
                is_over.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// The best moves of a position, best first, searched with a cleared table; `None` if the search was
/// stopped before its limit. Whatever the limit, one iteration is completed.
///
/// # Errors
///
/// If there is no thread or memory for the search.
fn search(
    searcher: &mut Searcher,
    settings: &BuildSettings,
    key: Canonical,
    control: &Control,
) -> Result<Option<Vec<SearchedMove>>, ResourceError> {
    let limits = Limits {
        multipv: settings.moves as usize,
        analyse: true,
        ..settings.limit.into()
    };
    // Scores must not depend on the positions searched before.
    searcher.clear();
    let game = Game::from_position(settings.rules, key.position());
    let mut result = searcher.search(&settings.search, &game, &limits, control, &mut |_| {})?;
    if result.lines.first().is_some_and(is_guess) {
        let least = Limits {
            depth: Some(1),
            multipv: limits.multipv,
            ..Limits::default()
        };
        result = searcher.search(&settings.search, &game, &least, control, &mut |_| {})?;
    }
    if control.is_stopped() {
        return Ok(None);
    }
    let records = result.lines.iter().filter_map(|line| {
        Some(SearchedMove {
            mv: *line.pv.first()?,
            score: line.score,
        })
    });
    Ok(Some(records.collect()))
}

/// Whether the time limit was too short for a single iteration over all the moves wanted.
fn is_guess(line: &Line) -> bool {
    line.depth <= 1 && !line.complete
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::SearchLimit;
    use crate::eval::Evaluation;
    use crate::search::SearchSettings;

    /// A full disk must be reported before the running searches, which may take hours, are done.
    #[test]
    fn an_error_breaks_off_what_runs() {
        let settings = BuildSettings {
            limit: SearchLimit::Nodes(100_000_000),
            search: SearchSettings {
                evaluation: Evaluation::classical(),
                hash_mib: 1,
                ..SearchSettings::default()
            },
            threads: 2,
            ..BuildSettings::default()
        };
        let mut searchers = searchers(&settings).expect("threads");
        let start = settings.rules.canonical(&settings.rules.start()).0;
        let searched = SearchedPositions::default();
        let mut looks = 0;
        let mut look = || {
            looks += 1;
            match looks {
                1 => Ok(()),
                _ => Err(BookError::Setting("full".to_owned())),
            }
        };
        let stop = StopSignal::new();
        let outcome = search_all(
            &mut searchers,
            &settings,
            &[start],
            &searched,
            &stop,
            &mut look,
        );
        assert_eq!(
            outcome.err().map(|error| error.to_string()),
            Some("full".to_owned())
        );
        assert_eq!((looks, searched.len()), (2, 0));
    }
}
