//! Why a game ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Of which kind the end of a game was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By the rules.
    Normal,
    /// The arbiter ended a game that was decided, or that nobody would decide.
    Adjudication,
    /// The loser used more time than it had.
    TimeLoss,
    /// The loser played a move that the rules do not allow.
    IllegalMove,
    /// The loser gave an answer that says no move.
    UnparsableAnswer,
    /// The loser's process ended, or closed its output.
    Crash,
    /// The loser gave no answer at all.
    Hang,
    /// The loser's process did not start, so that there was no game.
    NoStart,
    /// The loser had not started for several games in a row, and was not tried for this one. Nobody
    /// has won if that is true of both.
    Withdrawn,
}

impl Termination {
    /// Whether an engine has lost by something that it should not have done.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Termination::Normal | Termination::Adjudication)
    }

    /// The value of the tag `Termination` in a PGN, as the PGN standard has it.
    #[must_use]
    pub const fn pgn(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeLoss => "time forfeit",
            Termination::IllegalMove | Termination::UnparsableAnswer => "rules infraction",
            Termination::Crash
            | Termination::Hang
            | Termination::NoStart
            | Termination::Withdrawn => "abandoned",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Normal => "by the rules",
            Termination::Adjudication => "adjudication",
            Termination::TimeLoss => "time loss",
            Termination::IllegalMove => "illegal move",
            Termination::UnparsableAnswer => "unparsable answer",
            Termination::Crash => "crash",
            Termination::Hang => "hang",
            Termination::NoStart => "no start",
            Termination::Withdrawn => "absence",
        })
    }
}
