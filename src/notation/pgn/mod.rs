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
mod check_error;
mod comment_text;
mod game_parser;
mod move_comment;
mod nag;
mod read_error;
mod reader;
mod record;
mod record_result;
mod recorded_move;
mod replay;
mod source;
mod source_line;
mod tag;
mod tag_text;
mod termination;
mod tokens;
mod writer;

pub use check_error::{CheckError, CheckProblem};
pub use move_comment::{ScoreEntry, move_comment};
pub use nag::Nag;
pub use read_error::{PgnError, PgnProblem};
pub use reader::PgnReader;
pub use record::{GameRecord, RecordError};
pub use record_result::{RecordResult, UnknownResult};
pub use recorded_move::RecordedMove;
pub use replay::{ReplayError, ReplayProblem};
pub use tag::Tag;
pub use termination::Termination;

/// The most text of one game that a [`PgnReader`] takes, in bytes: 16 MiB.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The most moves (plies) that a [`GameRecord`] holds.
pub const MAX_MOVES: usize = 100_000;

/// The most tags that a [`GameRecord`] holds.
pub const MAX_TAGS: usize = 1000;
