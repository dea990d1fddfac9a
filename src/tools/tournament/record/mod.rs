//! The record of a match: no finished game is ever lost.
//!
//! Three files with one name: `NAME.toml`, the settings, for people and for another match;
//! `NAME.jsonl`, the state, a line for the match and then one for each finished game; `NAME.pgn`, the
//! games. A finished game is appended to the PGN first and then, as a single write, to the state.
//! Whatever kills the runner, the state's whole lines tell what both files have to be; `mend`
//! cuts off what was begun, and nothing else.

mod entry;
mod files;
mod mend;
mod pgn;

pub use entry::{GameEntry, Header, MoveEntry, OpeningEntry, OpeningsHeader, PlaceEntry};
pub use files::{Reading, Record, read_record, record_files, state_file};
pub(super) use files::{open_to_read, read_head, remove_all, reopen};
pub(super) use mend::mend;
pub use pgn::game_record;
