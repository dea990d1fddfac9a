//! One search from its beginning to its end, on all threads.

use std::iter::{once, repeat_with};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::ThreadPool;

use super::clock::SearchClock;
use super::cooperation::Cooperation;
use super::guide::Guide;
use super::root_moves::{Found, RootLine};
use super::table::Table;
use super::tablebases::Probe;
use super::vote::vote;
use super::worker::{Memory, Progress, Shared, Worker};
use super::{Bound, Control, Limits, Line, Report, Score, SearchResult};
use crate::eval::Evaluator;
use crate::rules::{Blocked, Game, Variant};

/// Waits where the result is not wanted yet.
pub(super) fn hold_back(limits: &Limits, control: &Control) {
    control.wait_until(|control| {
        control.is_stopped() || !(limits.infinite || limits.ponder && !control.is_ponderhit())
    });
}

/// The result where there is no legal move.
pub(super) fn finished(game: &Game, clock: &SearchClock) -> SearchResult {
    let position = game.position();
    let score = if position.own().is_empty() {
        Score::loss_in(0)
    } else if position.enemy().is_empty() {
        Score::win_in(0)
    } else if game.rules().blocked == Blocked::Loss {
        Score::loss_in(0)
    } else {
        Score::DRAW
    };
    let line = Line {
        depth: 0,
        seldepth: 0,
        complete: true,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: clock.elapsed(),
        tablebase_hits: 0,
        hashfull: 0,
        pv: Vec::new(),
    };
    SearchResult {
        best: None,
        ponder: None,
        time: line.time,
        lines: vec![line],
        nodes: 0,
    }
}

/// Searches on `minds.len()` threads, or on one where the time is too short for more.
#[allow(clippy::too_many_arguments)] // everything that a search is made of comes together here
pub(super) fn run<V: Variant, E: Evaluator + Send>(
    variant: V,
    table: &Table,
    pool: &ThreadPool,
    mut minds: Vec<(&mut Memory, E)>,
    shown_unit: f32,
    probe: Option<Probe>,
    game: &Game,
    limits: &Limits,
    control: &Control,
    clock: SearchClock,
    guide: &Guide,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let threads = if clock.is_too_short_for_help() {
        1
    } else {
        minds.len()
    };
    let progress: Vec<Progress> = repeat_with(Progress::default).take(threads).collect();
    let cooperation = Cooperation::new(threads, limits.multipv);
    let shared = Shared {
        table,
        control,
        limits,
        stop: AtomicBool::new(false),
        progress: &progress,
        probe,
        shown_unit,
        cooperation: &cooperation,
        guide,
    };
    if let Some(result) = known(&shared, game, &clock, report) {
        hold_back(limits, control);
        report(&Report::Result(result.clone()));
        return result;
    }
    let others = minds.split_off(1);
    let (memory, evaluator) = minds.pop().expect("a crew has at least one thread");
    pool.in_place_scope(|scope| {
        // Whatever happens to this thread: the scope waits for the others, which have no clock.
        let _stop = StopAtEnd(&shared.stop);
        for (index, (memory, evaluator)) in (1..threads).zip(others) {
            let shared = &shared;
            scope.spawn(move |_| {
                Worker::new(shared, index, None, game, variant, evaluator, memory)
                    .iterate(game.position(), &mut |_| {});
            });
        }
        let mut worker = Worker::new(&shared, 0, Some(clock), game, variant, evaluator, memory);
        let first = worker.iterate(game.position(), report);
        let elapsed = worker.clock.as_ref().map(SearchClock::elapsed);
        let result = conclude(&shared, game, first, elapsed.unwrap_or_default(), report);
        hold_back(limits, control);
        // The others may still be on their way to a halt: the scope waits for them, the result does
        // not.
        report(&Report::Result(result.clone()));
        result
    })
}

/// Stops a search when it goes out of scope.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The result of all threads, with its lines told once more: now they are final.
fn conclude(
    shared: &Shared<'_>,
    game: &Game,
    first: Found,
    elapsed: Duration,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let all: Vec<Arc<Found>> = once(Arc::new(first))
        .chain(shared.cooperation.others(0))
        .collect();
    let mut lines = vote(&all, shared.limits).lines.clone();
    if let Some(probe) = &shared.probe {
        for line in &mut lines {
            probe.extend(game, &mut line.line);
        }
    }
    tell(shared, &lines, elapsed, report)
}

/// The result where the tablebases know the root, without a search; `None` where they do not.
fn known(
    shared: &Shared<'_>,
    game: &Game,
    clock: &SearchClock,
    report: &mut dyn FnMut(&Report),
) -> Option<SearchResult> {
    let lines = shared.probe.as_ref()?.root(game, shared.limits)?;
    let hits = &shared.progress.first()?.tablebase_hits;
    hits.store(lines.len() as u64, Ordering::Relaxed);
    Some(tell(shared, &lines, clock.elapsed(), report))
}

/// Tells the final lines, and makes a result of them.
fn tell(
    shared: &Shared<'_>,
    lines: &[RootLine],
    elapsed: Duration,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let lines: Vec<Line> = lines
        .iter()
        .enumerate()
        .map(|(rank, line)| line.told(rank, shared, elapsed))
        .collect();
    for line in &lines {
        report(&Report::Line(line.clone()));
    }
    let pv = &lines[0].pv;
    SearchResult {
        best: pv.first().copied(),
        ponder: pv.get(1).copied(),
        nodes: shared.nodes(),
        time: elapsed,
        lines,
    }
}
