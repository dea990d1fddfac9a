//! Endgame tablebases: perfect play with few stones.
//!
//! [`Tablebases`] probes positions. The crate `vato-solver` makes the files, and checks them.
//!
//! # Values
//!
//! Every position has an outcome for the side to move ([`Wdl`]) and, if it is decided, a distance
//! ([`Value::plies`]): the plies to the next *conversion*, which is a capture or the end of the game,
//! including the converting ply, when the winner minimises it while keeping the win and the loser
//! maximises it. So a winning capture has distance 1, as has a forced capture that loses; a blocked side
//! to move has lost in 0 under `blocked=loss`. After a conversion the distance counts to the next one.
//! Always playing the shortest distance wins: each conversion removes a stone or ends the game.
//!
//! - *Repetition*: the winning side never repeats, since the distance decreases with every ply. All
//!   positions where neither side can force a winning conversion are draws, by repetition or by
//!   the no-capture limit.
//! - *The no-capture limit* is not part of the tables. A decided position is decided in the game if its distance plus
//!   the plies already played without a capture is at most the limit ([`Value::exceeds_limit`]); otherwise it is a
//!   draw. Every user of values checks this. A conversion within the limit could still lead to a position whose
//!   distance exceeds the limit; therefore positions are looked up only up to the stones of the first slice with such a
//!   distance ([`Tablebases::stones_within`]). On the standard board the longest distance up to eight stones is 90, and
//!   the limit is 100.
//! - *Rules*: a table is for one set of rules ([`TableRules`]). Tables ignore special first turns, so
//!   those are not probed; [`TableRules::of`] refuses rules without tables.
//! - *Captures*: where captures are forced, the value of a position with a capture follows from the positions after its
//!   captures and is not stored: files are half as large, and the search, which searches captures anyway, never asks.

mod cache;
pub mod file;
mod folders;
pub mod index;
mod open;
mod probe;
mod ranking;
mod repetition;
pub mod retrograde;
mod rules;
mod slice;
mod value;

pub use self::folders::TableFolders;
pub use self::probe::{Tablebases, ended};
pub use self::ranking::RankedMove;
pub use self::rules::{TableRules, UnsupportedRules};
pub use self::slice::{MAX_STONES, Slice};
pub use self::value::{PER_BYTE, Section, Value, Wdl, pack, unpack};

use std::path::PathBuf;

use thiserror::Error;

use crate::container::ContainerError;
use crate::memory::ResourceError;

/// Why tables cannot be built, opened or read.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// Rules without tablebase support.
    #[error(transparent)]
    Rules(#[from] UnsupportedRules),
    /// A file or folder that cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// Tables for other rules than expected.
    #[error("{path}: made for other rules: {found}; expected: {wanted}", path = path.display())]
    OtherRules {
        /// The file or folder.
        path: PathBuf,
        /// The rules in the file.
        found: String,
        /// The expected rules.
        wanted: String,
    },
    /// A folder without tables.
    #[error("{path}: no tablebase here (build one with: vato tablebase build)", path = .0.display())]
    NoTables(PathBuf),
    /// An incomplete set in a folder: captures lead to a missing slice.
    #[error("{path}: the slice {1} is missing", path = .0.display())]
    Gap(PathBuf, Slice),
    /// Stopped before all slices were solved.
    #[error("stopped; finished slices are kept, and the same command continues")]
    Stopped,
    /// Too few or too many stones, or not enough memory or disk for a build.
    #[error("{0}")]
    Resources(String),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ResourceError),
}
