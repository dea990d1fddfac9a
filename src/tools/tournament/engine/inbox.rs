//! The queue of lines of an engine.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use vato_engine::sync::{Condvar, Mutex, MutexGuard};

use crate::stop::StopSignal;

/// The most bytes of unread lines that are kept; beyond them the oldest are dropped. So an engine never waits for
/// its reader, and a flood costs no memory.
const MOST_BYTES: usize = 4 << 20;

/// So many lines at the head of a queue that is too long are spared if they are answers, or scores where others can go.
const SPARED: usize = 16;

/// The longest single wait: so often the reader looks whether it is to stop.
const WAIT: Duration = Duration::from_millis(50);

/// A line of an engine, without its end, and when it was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

/// The result of waiting for a line.
#[derive(Clone, Debug)]
pub(super) enum Received {
    Line(Line),
    /// The output has ended.
    Closed,
    /// Nothing until the time given.
    Nothing,
    /// The match is stopping.
    Stopped,
}

/// A queue of lines between the thread that reads an engine's output and the one that plays.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    closed: bool,
}

impl Inbox {
    /// Adds a line that has come at `at`. Whoever waits is woken by it, unless it is an `info`: an
    /// engine says many of these, and none is of use before the answer that follows.
    pub(super) fn push(&self, text: String, at: Instant) {
        let wakes = !text.starts_with("info");
        let line = Line { text, at };
        let mut state = self.state();
        state.bytes += line.text.len();
        state.lines.push_back(line);
        while state.bytes > MOST_BYTES && state.lines.len() > 1 {
            // The first that is neither an answer nor a score, else that is no answer, else the first.
            let head = state.lines.iter().take(SPARED + 1).enumerate();
            let least = head.min_by_key(|(_, line)| usefulness(&line.text));
            let place = least.map_or(0, |(place, _)| place);
            if let Some(dropped) = state.lines.remove(place) {
                state.bytes -= dropped.text.len();
            }
        }
        drop(state);
        if wakes {
            self.changed.notify_one();
        }
    }

    /// Nothing more will come.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_one();
    }

    /// The next line, waiting until `until` at the latest, or until everything is to stop now.
    pub(super) fn next(&self, until: Instant, stop: &StopSignal) -> Received {
        let mut state = self.state();
        loop {
            // First: of a flood there is always another line.
            if stop.is_now() {
                return Received::Stopped;
            }
            if let Some(line) = state.lines.pop_front() {
                state.bytes -= line.text.len();
                return Received::Line(line);
            }
            if state.closed {
                return Received::Closed;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Received::Nothing;
            }
            state = self
                .changed
                .wait_timeout(state, left.min(WAIT))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// A thread that panicked with the lock held has left a queue that is still in order.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 2 for a line that the runner may be waiting for, 1 for a score, else 0.
fn usefulness(line: &str) -> u8 {
    let answers = ["bestmove", "readyok", "ugiok", "uciok"];
    match answers.iter().any(|word| line.starts_with(word)) {
        true => 2,
        false => u8::from(line.starts_with("info") && line.contains(" score ")),
    }
}

#[cfg(all(test, vato_loom))]
#[path = "../../../../tests/loom/inbox.rs"]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let (inbox, stop, now) = (Inbox::default(), StopSignal::new(), Instant::now());
        let soon = now + Duration::from_millis(5);
        assert!(matches!(inbox.next(soon, &stop), Received::Nothing));
        inbox.push("a".to_owned(), now);
        inbox.push("b".to_owned(), now);
        inbox.close();
        for wanted in ["a", "b"] {
            match inbox.next(now, &stop) {
                Received::Line(line) => assert_eq!(line.text, wanted),
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(inbox.next(now, &stop), Received::Closed));
        let open = Inbox::default();
        stop.now();
        let late = now + Duration::from_secs(60);
        assert!(matches!(open.next(late, &stop), Received::Stopped));
    }

    #[test]
    fn a_flood_drops_the_oldest_lines() {
        let (inbox, now) = (Inbox::default(), Instant::now());
        let long = "x".repeat(1 << 20);
        let begun = ["readyok", "first", "info depth 1 score cp 0"];
        let flood = [long.as_str(); 10];
        for line in begun.iter().chain(&flood).chain(&["last"]) {
            inbox.push((*line).to_owned(), now);
        }
        let state = inbox.state();
        assert!(state.bytes <= MOST_BYTES);
        assert_eq!(state.lines.back().expect("a line").text, "last");
        // An answer is not lost in it, nor a score.
        assert_eq!(state.lines[0].text, begun[0]);
        assert_eq!(state.lines[1].text, begun[2]);
        assert_ne!(state.lines[2].text, begun[1]);
    }

    #[test]
    fn of_many_scores_the_last_stay() {
        let (inbox, now) = (Inbox::default(), Instant::now());
        let score =
            |depth: u32| format!("info depth {depth} score cp 0 pv {}", "x".repeat(1 << 18));
        let begun = std::iter::once("readyok".to_owned()).chain((0..100).map(score));
        for line in begun.chain(["bestmove e2-e3A".to_owned()]) {
            inbox.push(line, now);
        }
        let state = inbox.state();
        assert!(state.bytes <= MOST_BYTES);
        let texts: Vec<&str> = state.lines.iter().map(|line| line.text.as_str()).collect();
        let [first, second, .., before, last] = texts[..] else {
            panic!("{} lines", texts.len());
        };
        assert_eq!([first, last], ["readyok", "bestmove e2-e3A"]);
        assert!(before == score(99) && second != score(0));
    }
}
