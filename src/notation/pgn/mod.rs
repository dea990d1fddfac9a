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
//! Besides the Seven Tag Roster: `Variant`, a preset's name; `Rules`, a rules string, which takes
//! precedence over `Variant`; `SetUp` and `FEN` if the game does not begin at the start position of its
//! rules; `Termination`, the reason of an end not due to the rules.
//!
//! [`PgnReader`] accepts the usual deviations of chess programs and hand-written files; [`GameRecord`]
//! writes the export format of the standard (S. J. Edwards, "Portable Game Notation Specification and
//! Implementation Guide", 1994), which reads back as an equal record.

mod check;
mod reader;
mod record;
mod result;
mod source;
mod tokens;
mod writer;

pub use check::RecordFault;
pub use reader::{PgnError, PgnProblem, PgnReader};
pub use record::{GameRecord, Nag, RecordError, RecordedMove, Tag, Variation};
pub use result::{RecordResult, ScoreEntry, Termination, UnknownResult, move_comment};

/// The maximum size of one game for a [`PgnReader`], in bytes: 16 MiB.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The maximum number of moves (plies) of a [`GameRecord`]; for a [`PgnReader`] with those of all variations.
pub const MAX_MOVES: usize = 100_000;

/// The maximum number of variations around a move for a [`PgnReader`].
pub const MAX_NESTING: usize = 64;

/// The maximum number of tags of a [`GameRecord`].
pub const MAX_TAGS: usize = 1000;
