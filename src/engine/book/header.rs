//! The header of a book: its rules and how it was made.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::search::Limits;
use crate::text::{counted, named_enum};

/// The largest margin, in centi-stones.
pub const MOST_MARGIN: i32 = 1_000;
/// The maximum number of moves searched per position.
pub const MOST_MOVES: u32 = 64;
/// The maximum number of plies of a book.
pub const MOST_PLIES: u32 = 200;
/// The maximum number of positions of a book.
pub const MOST_POSITIONS: usize = 10_000_000;

/// The header of a book: its rules and how it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BookHeader {
    /// The rules, as a rules string.
    pub rules: String,
    /// The program and its version.
    pub program: String,
    /// The evaluation of the searches: `classical`, or a network's name.
    pub evaluation: String,
    /// The limit of each search.
    pub limit: SearchLimit,
    /// The transposition table of each search, in MiB.
    pub hash: usize,
    /// The maximum number of moves searched per position.
    pub moves: u32,
    /// The side that the book is for.
    pub side: BookSide,
    /// Margin for the book's side: how much worse than the best a played move may be, in centi-stones.
    pub margin: i32,
    /// Margin for the opponent: how much worse than the best an expanded reply may be, in centi-stones.
    pub reply_margin: i32,
    /// Only positions at fewer plies from the start were searched.
    pub plies: u32,
    /// The maximum number of positions.
    pub positions: usize,
    /// Whether the build was completed.
    pub complete: bool,
}

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchLimit {
    /// To this depth, in plies.
    Depth(u32),
    /// This many nodes.
    Nodes(u64),
    /// This many milliseconds. The result depends on the machine.
    Movetime(u64),
}

impl SearchLimit {
    /// The first of these limits that is given.
    pub fn of(depth: Option<u32>, nodes: Option<u64>, time: Option<Duration>) -> Option<Self> {
        let movetime = |time: Duration| SearchLimit::Movetime(time.as_millis() as u64);
        let limit = depth.map(SearchLimit::Depth);
        limit
            .or(nodes.map(SearchLimit::Nodes))
            .or(time.map(movetime))
    }
}

named_enum! {
    /// The side that plays by a book.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BookSide {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// Both.
        #[default]
        Both = "both",
    }
}

impl BookSide {
    /// The sides.
    pub const fn sides(self) -> &'static [Side] {
        match self {
            BookSide::White => &[Side::White],
            BookSide::Black => &[Side::Black],
            BookSide::Both => &Side::BOTH,
        }
    }
}

impl From<SearchLimit> for Limits {
    fn from(limit: SearchLimit) -> Limits {
        let mut limits = Limits::default();
        match limit {
            SearchLimit::Depth(depth) => limits.depth = Some(depth),
            SearchLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            SearchLimit::Movetime(time) => limits.movetime = Some(Duration::from_millis(time)),
        }
        limits
    }
}

impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchLimit::Depth(depth) => write!(f, "depth {depth}"),
            SearchLimit::Nodes(nodes) => f.write_str(&counted(*nodes, "node", "nodes")),
            SearchLimit::Movetime(time) => write!(f, "{time} ms"),
        }
    }
}

impl BookHeader {
    /// Why a build with the header `wanted` cannot continue a book with this header: a text for each
    /// difference; empty if it can. A build may raise plies and positions.
    pub fn differences(&self, wanted: &BookHeader) -> Vec<String> {
        let hundredths = |number: i32| format!("{:.2}", f64::from(number) / 100.0);
        let fixed = |header: &BookHeader| {
            [
                ("rules", format!("'{}'", header.rules)),
                ("program", header.program.clone()),
                ("evaluation", header.evaluation.clone()),
                ("limit", header.limit.to_string()),
                ("hash", header.hash.to_string()),
                ("moves", header.moves.to_string()),
                ("side", header.side.name().to_owned()),
                ("margin", hundredths(header.margin)),
                ("reply margin", hundredths(header.reply_margin)),
            ]
        };
        let growing = [
            ("plies", self.plies as usize, wanted.plies as usize),
            ("positions", self.positions, wanted.positions),
        ];
        let fixed = (fixed(self).into_iter().zip(fixed(wanted)))
            .filter(|(there, here)| there != here)
            .map(|((name, there), (_, here))| {
                format!("{name}: {there} in the book, {here} requested")
            });
        let growing = growing.into_iter().filter(|(_, there, here)| there > here);
        let growing = growing.map(|(name, there, here)| {
            format!("{name}: {there} in the book, {here} requested (a book only grows)")
        });
        fixed.chain(growing).collect()
    }

    /// Checks the ranges of the numbers.
    pub(super) fn check(&self) -> Result<(), String> {
        let numbers = [
            ("moves", i64::from(self.moves), 1, i64::from(MOST_MOVES)),
            ("margin", self.margin.into(), 0, MOST_MARGIN.into()),
            (
                "reply margin",
                self.reply_margin.into(),
                0,
                MOST_MARGIN.into(),
            ),
            ("plies", self.plies.into(), 1, MOST_PLIES.into()),
            ("positions", self.positions as i64, 1, MOST_POSITIONS as i64),
        ];
        let is_wrong =
            |&(_, number, least, most): &(&str, i64, i64, i64)| !(least..=most).contains(&number);
        match numbers.into_iter().find(is_wrong) {
            None => Ok(()),
            Some((name, number, least, most)) => {
                Err(format!("{name} '{number}': expected {least} to {most}"))
            }
        }
    }
}
