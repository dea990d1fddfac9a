//! What a book says of itself.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::text::counted;

/// The largest margin, in centi-stones.
pub const MOST_MARGIN: i32 = 1_000;
/// The most moves of a position that are searched for.
pub const MOST_MOVES: u32 = 64;
/// The most plies of a book.
pub const MOST_PLIES: u32 = 200;
/// The most positions of a book.
pub const MOST_POSITIONS: usize = 10_000_000;

/// What a book says of itself: its rules, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BookHeader {
    /// The rules, as a rules string.
    pub rules: String,
    /// The program and its version.
    pub program: String,
    /// The evaluation of its search: `classical`, or a network's name.
    pub evaluation: String,
    /// How far each position was searched.
    pub limit: SearchLimit,
    /// The table of each search, in MiB.
    pub hash: usize,
    /// How many moves of a position were searched for, at most.
    pub moves: u32,
    /// The side that the book is for.
    pub side: BookSide,
    /// How much worse than the best a move may be to be played, in centi-stones.
    pub margin: i32,
    /// How much worse than the best a reply may be to be looked into, in centi-stones.
    pub reply_margin: i32,
    /// Only positions fewer plies from the start were searched.
    pub plies: u32,
    /// At most so many positions.
    pub positions: usize,
    /// Whether everything was searched that was to be.
    pub complete: bool,
}

/// How far a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchLimit {
    /// To this depth, in plies.
    Depth(u32),
    /// This many nodes.
    Nodes(u64),
    /// For so many milliseconds. What comes of it depends on the machine.
    Movetime(u64),
}

/// Which side plays by a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookSide {
    /// White.
    White,
    /// Black.
    Black,
    /// Either.
    #[default]
    Both,
}

impl BookSide {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BookSide::White => "white",
            BookSide::Black => "black",
            BookSide::Both => "both",
        }
    }

    /// The sides themselves.
    #[must_use]
    pub const fn sides(self) -> &'static [Side] {
        match self {
            BookSide::White => &[Side::White],
            BookSide::Black => &[Side::Black],
            BookSide::Both => &Side::BOTH,
        }
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
    /// Why a build that wants `wanted` cannot continue a book with this header: every difference in words;
    /// none if it can. A build may want more plies and more positions.
    #[must_use]
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
        let growing = |header: &BookHeader| {
            [
                ("plies", header.plies as usize),
                ("positions", header.positions),
            ]
        };
        let fixed = (fixed(self).into_iter().zip(fixed(wanted)))
            .filter(|(there, here)| there != here)
            .map(|((name, there), (_, here))| format!("{name} {there} there, {here} here"));
        let growing = (growing(self).into_iter().zip(growing(wanted)))
            .filter(|(there, here)| there > here)
            .map(|((name, there), (_, here))| {
                format!("{name} {there} there, {here} here (a book only grows)")
            });
        fixed.chain(growing).collect()
    }

    /// What is wrong with the numbers, if anything.
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
