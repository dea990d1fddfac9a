//! Endgame tablebases: perfect play with few stones.
//!
//! Knows the board, the rules and the notation. [`Tablebases`] looks positions up, [`build`] makes
//! the files, [`verify`] checks them.
//!
//! # Values
//!
//! Every position has an outcome for the side to move ([`Wdl`]) and, where it is decided, a distance
//! ([`Value::plies`]): the plies to the next *conversion*, which is a capture or the end of the game,
//! the converting ply counted, when the winner takes the shortest way that keeps the win and the loser
//! the longest. So a winning capture has distance 1, and so has a position whose player must capture
//! and loses by it; a player to move who is blocked, under `blocked=loss`, has lost in 0. After a
//! conversion a new way to the next one begins, with fewer stones. Who always takes the shortest way
//! wins: each conversion takes a stone off the board or ends the game.
//!
//! - *Repetition*: whoever can win never repeats, for the distance falls with every ply; all
//!   positions where neither side can force a conversion that wins are draws, by repetition or by
//!   the no-capture limit.
//! - *The no-capture limit* is not part of the tables: they say what would be if there was none. A
//!   decided position is decided in the game as well as long as its distance and the plies already
//!   played without a capture do not add up to more than the limit, for the limit is looked at after
//!   every ply that does not convert ([`Value::exceeds_limit`]); one that is too late is a draw, and
//!   told apart wherever values are used. What is not told apart is a win that converts in time into
//!   one that does not. That cannot happen where no distance of the set exceeds the limit: on the
//!   standard board the longest up to eight stones is 90, and the limit is 100.
//! - *Rules*: tables are for one set of rules ([`TableRules`]). They are ignorant of special first
//!   turns, so those are not looked up; `tie=count` and the vela have none.
//! - *Captures*: where captures are forced, the value of a position with a capture follows from those
//!   after its captures, and files do not keep it. Keeping all values made the six-stone files of the
//!   standard board twice as large (figures in `bench/RESULTS.md`), and the search never asks
//!   for one: it follows captures anyway.
//!
//! # Size and time
//!
//! Positions that are images of each other under the board's symmetries are solved and kept once. A
//! build needs a byte of memory for each position of the slice it is at and of its twin, two where
//! both sides have as many stones, and two bits for each position of all smaller slices:
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
//! that is not for machines of today's size, and not planned.

#[cfg(feature = "tools")]
mod build;
mod cache;
mod error;
mod file;
mod geometry;
mod index;
#[cfg(feature = "tools")]
mod manifest;
mod open;
mod probe;
mod ranking;
mod rules;
mod slice;
mod solver;
mod value;
#[cfg(feature = "tools")]
mod verify;

#[cfg(feature = "tools")]
pub use self::build::{BuildReport, BuildSettings, Plan, build};
pub use self::error::TablebaseError;
#[cfg(feature = "tools")]
pub use self::manifest::{LongestInfo, Manifest, ManifestEntry, SliceInfo};
pub use self::probe::Tablebases;
pub use self::ranking::RankedMove;
pub use self::rules::{TableRules, UnsupportedRules};
pub use self::slice::{MAX_STONES, ParseSliceError, Slice};
pub use self::value::{Value, Wdl};
#[cfg(feature = "tools")]
pub use self::verify::{Difference, Verification, verify};
