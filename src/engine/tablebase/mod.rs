//! Endgame tablebases: perfect play with few stones.
//!
//! [`Tablebases`] probes positions, [`build`] generates the files, [`verify`] checks them.
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
//!   those are not probed; `tie=count` and the vela have no tables.
//! - *Captures*: where captures are forced, the value of a position with a capture follows from the
//!   positions after its captures and is not stored. Storing all values made the six-stone files of the
//!   standard board twice as large (figures in `bench/RESULTS.md`), and the search never probes
//!   such positions: it searches captures anyway.
//!
//! # Size and time
//!
//! Positions that are images of each other under the board's symmetries are solved and stored once. A
//! build needs one byte of memory for each position of the current slice and of its colour-swapped
//! twin, two where both sides have equally many stones, and two bits for each position of all smaller
//! slices:
//!
//! | stones | positions | values | memory | on disk |
//! |---|---|---|---|---|
//! | 5 | 38,825,820 | 11.5 million | 136 MiB | 1.0 MiB |
//! | 6 | 543,819,540 | 154 million | 211 MiB | 8.9 MiB |
//! | 7 | 6,261,651,660 | 1.71 billion | 0.9 GiB | 62 MiB |
//! | 8 | 61,012,163,190 | 16.2 billion | 7.6 GiB | 399 MiB |
//!
//! Times are in `bench/RESULTS.md`.
//!
//! *Nine stones* would take the slice 4v5, whose 28 billion values need 52 GiB for it and its twin;
//! not planned.

mod build;
mod cache;
mod error;
mod file;
mod folders;
mod index;
mod manifest;
mod open;
mod probe;
mod ranking;
mod retrograde;
mod rules;
mod slice;
mod value;
mod verify;

pub use self::build::{BuildReport, BuildSettings, Plan, build};
pub use self::error::TablebaseError;
pub use self::folders::TableFolders;
pub use self::manifest::{LongestInfo, Manifest, ManifestEntry, SliceInfo};
pub use self::probe::Tablebases;
pub use self::ranking::RankedMove;
pub use self::rules::{TableRules, UnsupportedRules};
pub use self::slice::{MAX_STONES, ParseSliceError, Slice};
pub use self::value::{Value, Wdl};
pub use self::verify::{Difference, Verification, verify};
