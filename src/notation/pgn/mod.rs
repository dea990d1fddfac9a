//! Game records as text: PGN, the Portable Game Notation of chess, with Fanorona's moves.
//!
//! ```text
//! [Event "Friday"]
//! [Site "?"]
//! [Date "2026.05.01"]
//! [Round "1"]
//! [White "Rabe"]
//! [Black "Ranaivo"]
//! [Result "*"]
//! [Variant "tsivy"]
//! [Rules "board=9x5 capture=forced … vela=off"]
//!
//! 1. f2-e3A {+0.79/9 0.84s} 1... d5-d4A {-0.35/9 0.71s} *
//! ```
//!
//! Beside the seven tags of chess: `Variant`, the name of a preset; `Rules`, a rules string, which
//! goes before `Variant`; `SetUp` and `FEN` where the game does not begin at the start of its rules;
//! `Termination`, why a game ended that the rules did not end.
//!
//! [`PgnReader`] takes what chess programs and people write; what [`GameRecord`] writes keeps to the
//! export format of the standard (S. J. Edwards, "Portable Game Notation Specification and
//! Implementation Guide", 1994), and reads back as an equal record.

mod check;
mod reader;
mod record;
mod result;
mod source;
mod tokens;
mod writer;

pub use check::RecordFault;
pub use reader::{PgnError, PgnProblem, PgnReader};
pub use record::{GameRecord, Nag, RecordError, RecordedMove, Tag};
pub use result::{RecordResult, ScoreEntry, Termination, UnknownResult, move_comment};

/// The most text of one game that a [`PgnReader`] takes, in bytes: 16 MiB.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The most moves (plies) that a [`GameRecord`] holds.
pub const MAX_MOVES: usize = 100_000;

/// The most tags that a [`GameRecord`] holds.
pub const MAX_TAGS: usize = 1000;
