//! Time controls, `[moves/]time[+increment]`, and the clock of one player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use vato_engine::search::Clock;
use vato_engine::text::{duration, excerpt, serde_as_text};

/// The shortest time: protocols count milliseconds.
pub const LEAST_SECONDS: f64 = 0.001;

/// The longest time, more than a year.
const MOST_SECONDS: f64 = 4e7;

/// A time control with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The number of moves of a period, after which `time` is added again; `None` if there is one period.
    pub moves: Option<u32>,
    /// The time of a period.
    pub time: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads `40/60+0.5`; the time may also be minutes and seconds, `1:30`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let error = || {
            let text = excerpt(text);
            format!(
                "invalid time control '{text}': expected [moves/]time[+increment] in seconds, such as 10+0.1, 40/60, 1:30+1"
            )
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.trim().parse().map_err(|_| error())?;
                // Other runners write 0 for one period.
                (Some(moves).filter(|&moves| moves > 0), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
        let minutes: u32 = minutes.trim().parse().map_err(|_| error())?;
        let seconds = read_seconds(seconds)
            .filter(|seconds| !time.contains(':') || *seconds < Duration::from_secs(60));
        let seconds = seconds.ok_or_else(error)?;
        let time = Duration::from_secs(60 * u64::from(minutes)) + seconds;
        let increment = read_seconds(increment).ok_or_else(error)?;
        let is_valid = |seconds: f64| (LEAST_SECONDS..=MOST_SECONDS).contains(&seconds);
        if !is_valid(time.max(increment).as_secs_f64()) {
            return Err(error());
        }
        Ok(TimeControl {
            moves,
            time,
            increment,
        })
    }
}

/// Seconds with or without decimals; other units as `500ms`, `2s`, `3m`.
pub fn read_seconds(text: &str) -> Option<Duration> {
    duration(text, "s").filter(|time| time.as_secs_f64() <= MOST_SECONDS)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In one step, so that 1.797 is not 1.7970000000000002.
        let seconds = |time: Duration| time.as_nanos() as f64 / 1e9;
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", seconds(self.time))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", seconds(self.increment))?;
        }
        Ok(())
    }
}

serde_as_text!(TimeControl);

/// One player's time in one game.
#[derive(Clone, Debug)]
pub struct PlayerClock {
    /// The time of a period, and the clock.
    clock: Option<(TimeControl, Clock)>,
    /// The fixed time for each move, if that is the limit.
    pub fixed: Option<Duration>,
    margin: Duration,
}

/// A move took more time than was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFallen {
    /// The time used.
    pub used: Duration,
    /// The time left before the move.
    pub had: Duration,
}

impl PlayerClock {
    /// A clock, or else a `fixed` time for each move, or else no limit. `margin` is added to every limit.
    pub fn new(
        control: Option<TimeControl>,
        fixed: Option<Duration>,
        margin: Duration,
    ) -> PlayerClock {
        let clock = |control: TimeControl| Clock {
            // With increment only, the first move has one increment.
            remaining: control.time.max(control.increment),
            increment: control.increment,
            moves_to_go: control.moves,
        };
        PlayerClock {
            clock: control.map(|control| (control, clock(control))),
            fixed: fixed.filter(|_| control.is_none()),
            margin,
        }
    }

    /// The most time for the next move, with the margin; `None` without a limit.
    pub fn allowance(&self) -> Option<Duration> {
        self.left().map(|left| left + self.margin)
    }

    /// The clock, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        self.clock.map(|(_, clock)| clock)
    }

    /// Whether a move that took this time exceeds the limit without the margin.
    pub fn is_late(&self, used: Duration) -> bool {
        self.left().is_some_and(|left| used > left)
    }

    /// Subtracts the time of a move.
    ///
    /// # Errors
    ///
    /// If it is more than [`PlayerClock::allowance`].
    pub fn spend(&mut self, used: Duration) -> Result<(), FlagFallen> {
        let Some(had) = self.left() else {
            return Ok(());
        };
        if used > had + self.margin {
            return Err(FlagFallen { used, had });
        }
        if let Some((control, clock)) = &mut self.clock {
            clock.remaining = clock.remaining.saturating_sub(used) + clock.increment;
            if let Some(moves) = &mut clock.moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    clock.remaining += control.time;
                    clock.moves_to_go = control.moves;
                }
            }
        }
        Ok(())
    }

    /// The time left for the next move, without the margin.
    fn left(&self) -> Option<Duration> {
        let remaining = self.clock.map(|(_, clock)| clock.remaining);
        remaining.or(self.fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_round_trip() {
        let read = |text: &str| text.parse::<TimeControl>().expect(text);
        for text in ["10+0.1", "40/60", "0.5+0.005", "5/2+0.25", "0+1"] {
            assert_eq!(read(text).to_string(), text);
        }
        for (text, same) in [
            ("10s+100ms", "10+0.1"),
            ("1m", "60"),
            ("40/2min", "40/120"),
            ("0/10+1", "10+1"),
            ("1:59.5", "119.5"),
        ] {
            assert_eq!(read(text).to_string(), same);
        }
        let control = read("40/1:30.5+2");
        assert_eq!(control.moves, Some(40));
        assert_eq!(control.time, Duration::from_millis(90_500));
        assert_eq!(control.increment, Duration::from_secs(2));
    }

    #[test]
    fn what_is_no_control() {
        let wrong = "x 0 0+0 10+ + -1 1e3 1:99 1:60 /10 a/10 10+-1 nan inf 0.0004 ms 1mms 1:2:3 99999999999 4/";
        for text in wrong.split(' ').chain([""]) {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    fn clock(control: &str, margin: u64) -> PlayerClock {
        let control = control.parse().expect(control);
        PlayerClock::new(Some(control), None, ms(margin))
    }

    /// What is left, the increment, and the moves to the next time.
    fn shown(clock: &PlayerClock) -> Option<(Duration, Duration, Option<u32>)> {
        let clock = clock.clock()?;
        Some((clock.remaining, clock.increment, clock.moves_to_go))
    }

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!(clock.spend(ms(300)), Ok(()));
        assert_eq!(shown(&clock), Some((ms(800), ms(100), None)));
        let (used, had) = (ms(801), ms(800));
        assert_eq!(clock.spend(used), Err(FlagFallen { used, had }));
        assert_eq!(clock.spend(ms(800)), Ok(()));
        assert_eq!(shown(&clock), Some((ms(100), ms(100), None)));
    }

    #[test]
    fn time_comes_again_after_so_many_moves() {
        let mut clock = clock("2/1", 0);
        assert_eq!(shown(&clock), Some((ms(1000), ms(0), Some(2))));
        assert_eq!(clock.spend(ms(400)), Ok(()));
        assert_eq!(shown(&clock), Some((ms(600), ms(0), Some(1))));
        assert_eq!(clock.spend(ms(400)), Ok(()));
        assert_eq!(shown(&clock), Some((ms(1200), ms(0), Some(2))));
    }

    #[test]
    fn the_margin_forgives_and_does_not_add_up() {
        let mut clock = clock("1+0.1", 50);
        assert_eq!(clock.allowance(), Some(ms(1050)));
        assert_eq!(clock.spend(ms(1050)), Ok(()));
        assert_eq!(shown(&clock), Some((ms(100), ms(100), None)));
        assert!(clock.spend(ms(151)).is_err());
    }

    #[test]
    fn other_limits() {
        let mut fixed = PlayerClock::new(None, Some(ms(500)), ms(0));
        assert_eq!((fixed.fixed, fixed.clock()), (Some(ms(500)), None));
        assert!(fixed.spend(ms(501)).is_err());
        assert_eq!(fixed.spend(ms(500)), Ok(()));
        let mut nodes = PlayerClock::new(None, None, ms(0));
        assert_eq!(nodes.allowance(), None);
        assert_eq!(nodes.spend(ms(1_000_000)), Ok(()));
        assert_eq!(clock("0+1", 0).allowance(), Some(ms(1000)));
    }
}
