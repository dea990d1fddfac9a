//! Time controls: `[moves/]time[+increment]`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::excerpt::excerpt;

/// The longest time that is taken: more than a year.
const MOST_SECONDS: f64 = 4e7;

/// A clock: a time, what is added after each move, and after how many moves the time comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// So many moves have to be played in `time`, then it is given again; `None`: the whole game has
    /// to be played in it.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' is no time control, want [moves/]time[+increment] in seconds: 10+0.1, 40/60, 1:30+1"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `40/60+0.5`; the time may also be minutes and seconds, `1:30`.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(excerpt(text));
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.trim().parse().map_err(|_| error())?;
                (Some(moves).filter(|&moves| moves > 0), rest)
            }
            None => (None, text),
        };
        if moves.is_none() && text.contains('/') {
            return Err(error());
        }
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
        let minutes: u32 = minutes.trim().parse().map_err(|_| error())?;
        let seconds = read_seconds(seconds).ok_or_else(error)?;
        let time = Duration::from_secs(60 * u64::from(minutes)) + seconds;
        let increment = read_seconds(increment).ok_or_else(error)?;
        if time.is_zero() && increment.is_zero() {
            return Err(error());
        }
        Ok(TimeControl {
            moves,
            time,
            increment,
        })
    }
}

/// Seconds with or without decimals.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let seconds: f64 = text
        .trim()
        .bytes()
        .all(plain)
        .then(|| text.trim().parse().ok())
        .flatten()?;
    (seconds <= MOST_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
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
        let control = read("40/1:30.5+2");
        assert_eq!(control.moves, Some(40));
        assert_eq!(control.time, Duration::from_millis(90_500));
        assert_eq!(control.increment, Duration::from_secs(2));
    }

    #[test]
    fn what_is_no_control() {
        for text in [
            "",
            "x",
            "0",
            "0+0",
            "10+",
            "+",
            "-1",
            "1e3",
            "0/10",
            "/10",
            "a/10",
            "10+-1",
            "nan",
            "inf",
            "1:2:3",
            "99999999999",
            "4/",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
