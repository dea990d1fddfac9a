//! The result of a game, as its record states it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Side;
use crate::excerpt::excerpt;
use crate::rules::Outcome;

/// The result that a game record states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RecordResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: under way, given up, or unknown.
    #[default]
    Unfinished,
}

/// A text that is none of the four results.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a result (there are 1-0, 0-1, 1/2-1/2 and *)")]
pub struct UnknownResult(String);

impl RecordResult {
    /// All results.
    pub const ALL: [RecordResult; 4] = [
        RecordResult::WhiteWins,
        RecordResult::BlackWins,
        RecordResult::Draw,
        RecordResult::Unfinished,
    ];

    /// The result as a record has it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            RecordResult::WhiteWins => "1-0",
            RecordResult::BlackWins => "0-1",
            RecordResult::Draw => "1/2-1/2",
            RecordResult::Unfinished => "*",
        }
    }

    /// The result of a finished game with this winner; `None` is a draw.
    #[must_use]
    pub const fn of_winner(winner: Option<Side>) -> RecordResult {
        match winner {
            Some(Side::White) => RecordResult::WhiteWins,
            Some(Side::Black) => RecordResult::BlackWins,
            None => RecordResult::Draw,
        }
    }

    /// The winner, `None` without one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            RecordResult::WhiteWins => Some(Side::White),
            RecordResult::BlackWins => Some(Side::Black),
            RecordResult::Draw | RecordResult::Unfinished => None,
        }
    }
}

impl From<Option<Outcome>> for RecordResult {
    /// The result of a game with this outcome; without one it is unfinished.
    fn from(outcome: Option<Outcome>) -> RecordResult {
        outcome.map_or(RecordResult::Unfinished, |outcome| {
            RecordResult::of_winner(outcome.winner)
        })
    }
}

impl fmt::Display for RecordResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl FromStr for RecordResult {
    type Err = UnknownResult;

    fn from_str(text: &str) -> Result<RecordResult, UnknownResult> {
        RecordResult::ALL
            .into_iter()
            .find(|result| result.text() == text)
            .ok_or_else(|| UnknownResult(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reason;

    #[test]
    fn results_read_and_write() {
        for result in RecordResult::ALL {
            assert_eq!(result.to_string().parse(), Ok(result));
            if result != RecordResult::Unfinished {
                assert_eq!(RecordResult::of_winner(result.winner()), result);
            }
        }
        for text in ["", "1-1", "1/2", "1-0 ", "0-0"] {
            assert!(text.parse::<RecordResult>().is_err(), "'{text}'");
        }
    }

    #[test]
    fn outcomes_are_results() {
        let outcome = |winner| {
            Some(Outcome {
                winner,
                reason: Reason::Repetition,
            })
        };
        for (outcome, result) in [
            (None, "*"),
            (outcome(Some(Side::White)), "1-0"),
            (outcome(Some(Side::Black)), "0-1"),
            (outcome(None), "1/2-1/2"),
        ] {
            assert_eq!(RecordResult::from(outcome).text(), result);
        }
    }
}
