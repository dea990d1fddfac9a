//! Time management.

use std::time::Duration;

use super::{Clock, Control, Limits, Line, Parameters};
use crate::board::Move;
use crate::instant::Instant;
use crate::memory::processors;

/// Upper limit of the number of moves that the remaining time is divided by.
const MOST_MOVES: u32 = 48;
/// Maximum share of the remaining time for one move.
const MOVE_MOST: f64 = 0.35;
/// The same for the last move before a time control.
const LAST_MOVE_MOST: f64 = 0.8;
/// With less remaining time than this many overheads, the time for a move is reduced.
const COMFORTABLE_OVERHEADS: u32 = 16;
/// Minimum factor of that reduction.
const LEAST_HASTE: f64 = 0.04;
/// At or below this many overheads the factor is at its minimum.
const BARE_OVERHEADS: u32 = 4;
/// Minimum hard limit for which helper threads are woken.
const WORTH_HELP: Duration = Duration::from_millis(2);
/// Scale of the soft limit when the best move has just changed, and after each further iteration that has kept it.
const TIME_SCALE: [f64; 6] = [1.6, 1.3, 1.1, 1.0, 0.9, 0.8];
/// The score drop that doubles the soft limit.
const TIME_DOUBLING_DROP: i32 = 100;
/// Share of all nodes above which the best move counts as far ahead of the others.
const FAR_AHEAD: f64 = 0.8;
/// Scale of the soft limit where all nodes were spent on the best move.
const FAR_AHEAD_SCALE: f64 = 0.6;
/// Maximum time to start a search and print its answer.
const ANSWER: Duration = Duration::from_micros(500);
/// Maximum of what is searched of a `movetime` that the overhead leaves less of.
const LEAST_MOVETIME: Duration = Duration::from_millis(10);
/// Overhead for each thread in excess of the processors: any of them may occupy one when the time is over.
const CROWD: Duration = Duration::from_millis(1);
/// A clock stops no search of fewer nodes, about half a millisecond, before half of what is left of it is used: on a busy
/// machine the time of a move may be over before the process has searched anything.
pub(super) const LEAST_NODES: u64 = 2_000;
/// Times are clamped to this, so that sums and multiples cannot overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

pub(super) struct TimeManager {
    started: Instant,
    /// Start of the time limits; `None` while pondering.
    counting_from: Option<Instant>,
    /// Soft limit: no new iteration is started after about this time.
    soft: Option<Duration>,
    /// The current iteration is aborted at this time, unless the best move has failed low.
    firm: Option<Duration>,
    /// Hard limit: the search stops here in any case, unless it is `starved`.
    hard: Option<Duration>,
    /// How long a clock may run before a search of fewer than [`LEAST_NODES`] stops, too.
    starved: Option<Duration>,
    /// Maximum time of an iteration, as a multiple of the soft limit.
    iteration_most: f64,
}

impl TimeManager {
    /// The limits of a search on `threads` threads that begins now, or at `limits.started`.
    pub(super) fn start(limits: &Limits, parameters: &Parameters, threads: usize) -> TimeManager {
        let started = limits.started.unwrap_or_else(Instant::now);
        let crowd = threads.saturating_sub(processors()) as u32;
        let overhead = limits.move_overhead.saturating_add(CROWD * crowd);
        let allotted = limits.clock.map(|clock| allot(clock, overhead, parameters));
        let (soft, maximum) = allotted.unzip();
        let movetime = limits.movetime.map(|time| {
            let time = time.min(LONGEST);
            let short = time.min(overhead);
            let least = (short - kept_back(short, overhead)).min(LEAST_MOVETIME);
            time.saturating_sub(overhead).max(least)
        });
        TimeManager {
            started,
            counting_from: (!limits.ponder).then_some(started),
            soft,
            firm: None,
            hard: maximum.into_iter().chain(movetime).min(),
            starved: limits.clock.map(|clock| {
                let half = clock.remaining.min(LONGEST).saturating_sub(overhead) / 2;
                let usable = half.mul_f64(haste(clock.remaining, overhead));
                usable.min(movetime.unwrap_or(usable))
            }),
            iteration_most: f64::from(parameters.iteration_most) / 100.0,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end now, with `nodes` searched. Handles a ponderhit: if the soft limit has already passed
    /// while pondering, the search ends at once.
    pub(super) fn is_over(&mut self, control: &Control, nodes: u64) -> bool {
        if self.counting_from.is_none()
            && let Some(hit) = control.ponderhit_at()
        {
            self.counting_from = Some(hit);
            if self.soft.is_some_and(|soft| self.elapsed() >= soft) {
                self.hard = Some(Duration::ZERO);
            }
        }
        let Some(from) = self.counting_from else {
            return false;
        };
        let is_over = self.hard.is_some_and(|hard| from.elapsed() >= hard)
            || self.firm.is_some_and(|firm| self.elapsed() >= firm);
        is_over && !self.is_starved(nodes)
    }

    /// Whether a clock has left the search less than it needs for a move that makes sense, and still can.
    fn is_starved(&self, nodes: u64) -> bool {
        nodes < LEAST_NODES && self.starved.is_some_and(|most| self.elapsed() < most)
    }

    /// The hard deadline, if there is one; `None` while pondering.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.counting_from?.checked_add(self.hard?)
    }

    /// Starts an iteration with the soft limit scaled by `scale`.
    pub(super) fn begin_iteration(&mut self, scale: f64) {
        let most = scale * self.iteration_most;
        self.firm = self.soft.map(|soft| soft.mul_f64(most));
    }

    /// The best move has failed low: this iteration is not aborted before the hard limit.
    pub(super) fn extend_to_hard_limit(&mut self) {
        self.firm = None;
    }

    /// Whether the time is too short for helper threads: waking them takes a while, and on a busy
    /// machine they compete with the main thread for processors.
    pub(super) fn is_too_short_for_help(&self) -> bool {
        // While pondering the time is unknown.
        self.counting_from.is_some() && self.hard.is_some_and(|hard| hard < WORTH_HELP)
    }

    /// Whether unused time carries over to later moves: only with a running clock of this side.
    pub(super) fn rewards_haste(&self) -> bool {
        self.counting_from.is_some() && self.soft.is_some()
    }

    /// Whether no further iteration should be started after `nodes` nodes, with the soft limit scaled by `scale`. Time
    /// spent pondering counts.
    pub(super) fn is_spent(&self, scale: f64, nodes: u64) -> bool {
        match self.soft {
            Some(soft) if self.counting_from.is_some() => {
                self.elapsed() >= soft.mul_f64(scale) && !self.is_starved(nodes)
            }
            _ => false,
        }
    }
}

/// Stability of the best move over the iterations, and its last score.
#[derive(Default)]
pub(super) struct Stability {
    best: Option<Move>,
    iterations: u32,
    score: Option<i32>,
}

impl Stability {
    /// Scale of the soft limit. `effort` is the share of all nodes spent on the best move: where it is
    /// large, the other moves were refuted quickly.
    pub(super) fn time_scale(&mut self, found: &[Line], effort: f64) -> f64 {
        let line = &found[0];
        let best = line.pv.first().copied();
        if self.best == best {
            self.iterations += 1;
        } else {
            self.best = best;
            self.iterations = 0;
        }
        let drop = self.score.map_or(0, |score| {
            (score - line.score.raw()).clamp(0, TIME_DOUBLING_DROP)
        });
        self.score = Some(line.score.raw());
        let index = (self.iterations as usize).min(TIME_SCALE.len() - 1);
        let ahead = (effort - FAR_AHEAD).max(0.0) / (1.0 - FAR_AHEAD);
        let ahead = 1.0 - ahead * (1.0 - FAR_AHEAD_SCALE);
        ahead * TIME_SCALE[index] * (1.0 + f64::from(drop) / f64::from(TIME_DOUBLING_DROP))
    }
}

impl Limits {
    /// When their time is over; `None` if none is set, or not before a ponderhit.
    pub(crate) fn deadline(&self, control: &Control) -> Option<Instant> {
        let mut time = TimeManager::start(self, &Parameters::STANDARD, 1);
        time.is_over(control, LEAST_NODES);
        time.deadline()
    }
}

/// The soft and the hard limit for this move; the hard one keeps the overhead back. Where that leaves little or nothing,
/// a share is planned for all the same.
fn allot(clock: Clock, overhead: Duration, parameters: &Parameters) -> (Duration, Duration) {
    let hundredths = |value: i32| f64::from(value) / 100.0;
    let expected = parameters.expected_moves.unsigned_abs();
    let remaining = clock.remaining.min(LONGEST);
    let usable = remaining - kept_back(remaining, overhead);
    let moves = clock.moves_to_go.unwrap_or(expected).max(1);
    let increment = clock.increment.min(LONGEST);
    let share =
        usable / moves.min(MOST_MOVES) + increment.mul_f64(hundredths(parameters.increment_share));
    // A move before new time need not save any.
    let (most, haste) = match moves {
        1 => (LAST_MOVE_MOST, 1.0),
        _ => (MOVE_MOST, haste(clock.remaining, overhead)),
    };
    let maximum = share
        .mul_f64(hundredths(parameters.maximum_share))
        .min(remaining.saturating_sub(overhead).mul_f64(most));
    let maximum = maximum.mul_f64(haste);
    let optimum = share.mul_f64(hundredths(parameters.optimum_share));
    (optimum.mul_f64(haste).min(maximum), maximum)
}

/// What is kept back of a time that the overhead may exceed: of a short time a quarter and the time to answer.
fn kept_back(time: Duration, overhead: Duration) -> Duration {
    overhead.min(time / 4 + (time / 2).min(ANSWER))
}

/// Time factor for a low clock: on a busy machine an answer may be later than the overhead allows for.
/// The increment is saved until there is enough time again.
fn haste(remaining: Duration, overhead: Duration) -> f64 {
    let [bare, comfortable] = [BARE_OVERHEADS, COMFORTABLE_OVERHEADS]
        .map(|times| overhead.min(LONGEST).saturating_mul(times).as_secs_f64());
    if comfortable == 0.0 {
        return 1.0;
    }
    let room = (remaining.min(LONGEST).as_secs_f64() - bare) / (comfortable - bare);
    room.clamp(LEAST_HASTE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        Clock {
            remaining,
            increment,
            moves_to_go,
        }
    }

    #[test]
    fn a_clock_that_is_nearly_down_recovers() {
        let overhead = Duration::from_millis(10);
        for remaining in [15, 25, 40] {
            let clock = clock(remaining, 10, None);
            let (optimum, maximum) = allot(clock, overhead, &Parameters::STANDARD);
            assert!(optimum < clock.increment.mul_f64(0.6), "{optimum:?}");
            assert!(maximum < clock.remaining.mul_f64(0.4), "{maximum:?}");
        }
        // With almost no time left, it is kept for the move overhead.
        for remaining in [1, 10, 40] {
            let (_, maximum) = allot(clock(remaining, 2, None), overhead, &Parameters::STANDARD);
            assert!(maximum < Duration::from_micros(600), "{maximum:?}");
        }
        assert_eq!(haste(Duration::from_millis(160), overhead), 1.0);
        assert_eq!(haste(Duration::from_millis(1), Duration::ZERO), 1.0);
    }

    fn ticking(soft: u64, hard: u64) -> TimeManager {
        TimeManager {
            started: Instant::now() - Duration::from_millis(1_000),
            counting_from: Some(Instant::now() - Duration::from_millis(1_000)),
            soft: Some(Duration::from_millis(soft)),
            firm: None,
            hard: Some(Duration::from_millis(hard)),
            starved: None,
            iteration_most: 2.5,
        }
    }

    #[test]
    fn an_iteration_is_broken_off_unless_the_best_move_has_failed() {
        let control = Control::new();
        let mut clock = ticking(100, 60_000);
        assert!(!clock.is_over(&control, 0));
        clock.begin_iteration(1.0);
        assert!(clock.is_over(&control, 0));
        clock.extend_to_hard_limit();
        assert!(!clock.is_over(&control, 0));
        clock.begin_iteration(1_000.0);
        assert!(!clock.is_over(&control, 0));
        // The hard limit applies, unless hardly anything has been searched and the clock allows more.
        let mut clock = ticking(100, 900);
        clock.extend_to_hard_limit();
        assert!(clock.is_over(&control, 0) && clock.is_spent(1.0, 0));
        clock.starved = Some(Duration::from_millis(900));
        assert!(clock.is_over(&control, 0) && clock.is_spent(1.0, 0));
        clock.starved = Some(Duration::from_secs(3_600));
        assert!(!clock.is_over(&control, 0) && !clock.is_spent(1.0, 0));
        assert!(clock.is_over(&control, LEAST_NODES) && clock.is_spent(1.0, LEAST_NODES));
    }

    const MOST: u64 = u64::MAX;
    const TIMES: [u64; 12] = [0, 1, 5, 11, 40, 100, 700, 2500, 5500, 60000, 1000000, MOST];

    /// The table of `protocol.md`, over small and absurd values.
    #[test]
    fn the_overhead_is_kept_back_from_every_limit() {
        let mut limited = 0;
        for (overhead, threads) in [(0, 1), (1, 1), (10, 1), (1_000, 1), (5_000, 1), (10, 4_096)] {
            let crowd = threads - processors().min(threads);
            let move_overhead = Duration::from_millis(overhead);
            let kept_back = Duration::from_millis(overhead + crowd as u64);
            let hard = |movetime: Option<Duration>, clock: Option<Clock>| {
                let limits = Limits {
                    move_overhead,
                    movetime,
                    clock,
                    ..Limits::default()
                };
                let manager = TimeManager::start(&limits, &Parameters::STANDARD, threads);
                manager.hard.expect("a limit")
            };
            for time in TIMES.map(Duration::from_millis) {
                let left = time.saturating_sub(kept_back);
                // Of a time that the overhead takes up, at most three quarters and ten milliseconds are searched.
                let least = (time.min(kept_back) * 3 / 4).min(LEAST_MOVETIME);
                let most = left.min(LONGEST - kept_back).max(least);
                let limit = hard(Some(time), None);
                let least = time.min(kept_back).min(LEAST_MOVETIME) / 4;
                let least = least.max(most.saturating_sub(ANSWER));
                let is_kept = least <= limit && limit <= most;
                assert!(is_kept, "{time:?} of {kept_back:?}: {limit:?}");
                let moves = [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)];
                let clocks = TIMES
                    .into_iter()
                    .flat_map(|increment| moves.map(|moves| (increment, moves)));
                for (increment, moves_to_go) in clocks {
                    let clock = clock(time.as_millis() as u64, increment, moves_to_go);
                    let share = match moves_to_go {
                        Some(0 | 1) => 0.8,
                        _ if time < 4 * kept_back => 0.014,
                        _ => 0.35,
                    };
                    let most = left.mul_f64(share) + Duration::from_nanos(1);
                    let limit = hard(None, Some(clock));
                    assert!(
                        limit <= most,
                        "{clock:?}, {kept_back:?}: {limit:?} of {most:?}"
                    );
                    let (soft, _) = allot(clock, kept_back, &Parameters::STANDARD);
                    assert!(soft <= limit);
                    // The first limit counts.
                    let movetime = Duration::from_millis(700);
                    let left = movetime.saturating_sub(kept_back).max(LEAST_MOVETIME);
                    assert!(hard(Some(movetime), Some(clock)) <= limit.min(left));
                    limited += 1;
                }
            }
        }
        assert_eq!(limited, 6 * 12 * 12 * 6);
    }

    /// What games with the default overhead are played with, in microseconds: soft and hard limit.
    #[test]
    fn ordinary_clocks_as_measured() {
        for (remaining, increment, moves_to_go, limits) in [
            (300, 3, None, [10_033, 57_333]),
            (150, 3, None, [5_186, 29_638]),
            (60, 3, None, [505, 2_888]),
            (20, 3, None, [79, 140]),
            (10_000, 100, None, [343_875, 1_965_000]),
            (1_000, 100, None, [81_375, 346_500]),
            (60_000, 0, Some(40), [1_049_825, 5_999_000]),
            (1_000, 0, Some(1), [693_000, 792_000]),
        ] {
            let clock = clock(remaining, increment, moves_to_go);
            let (soft, hard) = allot(clock, Duration::from_millis(10), &Parameters::STANDARD);
            assert_eq!([soft.as_micros(), hard.as_micros()], limits, "{clock:?}");
        }
    }

    #[test]
    fn time_counts_from_the_ponderhit() {
        let control = Control::new();
        let time = Duration::from_secs(5);
        let limits = Limits {
            ponder: true,
            movetime: Some(time),
            ..Limits::default()
        };
        assert_eq!(limits.deadline(&control), None);
        let hit = Instant::now();
        control.ponderhit(hit);
        control.ponderhit(Instant::now());
        assert_eq!(control.ponderhit_at(), Some(hit));
        assert_eq!(limits.deadline(&control), Some(hit + time));
        assert_eq!(Limits::default().deadline(&control), None);
    }
}
