//! How long to think.

use std::time::{Duration, Instant};

use super::{Clock, Control, Limits};

/// Moves that a game without moves-to-go is expected to last from any position on.
const EXPECTED_MOVES: u32 = 24;

/// The time limits of one search.
pub(super) struct SearchClock {
    started: Instant,
    /// When time limits began to count; `None` while pondering.
    counting_from: Option<Instant>,
    /// No new iteration after this.
    soft: Option<Duration>,
    /// The search ends here, whatever it is doing.
    hard: Option<Duration>,
}

impl SearchClock {
    /// The limits of a search that begins now.
    pub(super) fn start(limits: &Limits) -> SearchClock {
        let started = Instant::now();
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (optimum, maximum) = allot(clock, limits.move_overhead);
            soft = Some(optimum);
            hard = Some(maximum);
        }
        if let Some(movetime) = limits.movetime {
            // Of short times the overhead takes a quarter at most.
            let kept = movetime.saturating_sub(limits.move_overhead.min(movetime / 4));
            hard = Some(hard.map_or(kept, |hard| hard.min(kept)));
        }
        SearchClock {
            started,
            counting_from: (!limits.ponder).then_some(started),
            soft,
            hard,
        }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end now. Notices a ponderhit.
    pub(super) fn is_over(&mut self, control: &Control) -> bool {
        if self.counting_from.is_none() && control.is_ponderhit() {
            self.counting_from = Some(Instant::now());
        }
        match (self.counting_from, self.hard) {
            (Some(from), Some(hard)) => from.elapsed() >= hard,
            _ => false,
        }
    }

    /// Whether limits of time are in force at all.
    pub(super) fn is_timed(&self) -> bool {
        self.counting_from.is_some() && self.soft.is_some()
    }

    /// Whether another iteration is not worth beginning; `scale` stretches or shrinks the time
    /// meant for this move. Time spent pondering counts.
    pub(super) fn is_spent(&self, scale: f64) -> bool {
        match self.soft {
            Some(soft) if self.counting_from.is_some() => self.elapsed() >= soft.mul_f64(scale),
            _ => false,
        }
    }
}

/// The time meant for this move, and the most that it may take.
fn allot(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.remaining.saturating_sub(overhead);
    let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).max(1);
    let share = usable / moves.min(EXPECTED_MOVES * 2) + clock.increment * 3 / 4;
    let optimum = share.min(usable.mul_f64(0.5));
    let most = if moves == 1 { 0.8 } else { 0.35 };
    let maximum = (share * 4).min(usable.mul_f64(most));
    (optimum.min(maximum).mul_f64(0.7), maximum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_the_clock_has() {
        for remaining in [0, 1, 5, 11, 100, 2_000, 1_000_000] {
            for increment in [0, 1, 20, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock {
                        remaining: Duration::from_millis(remaining),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let overhead = Duration::from_millis(10);
                    let (optimum, maximum) = allot(clock, overhead);
                    assert!(optimum <= maximum);
                    assert!(maximum <= clock.remaining.saturating_sub(overhead));
                }
            }
        }
    }
}
