//! What a book says of itself.

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::plural::counted;

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

impl std::fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SearchLimit::Depth(depth) => write!(f, "depth {depth}"),
            SearchLimit::Nodes(nodes) => f.write_str(&counted(*nodes, "node", "nodes")),
            SearchLimit::Movetime(time) => write!(f, "{time} ms"),
        }
    }
}

impl BookHeader {
    /// Why a book that was begun with `self` cannot be gone on with by a build that wants `wanted`: every
    /// difference in words; none if it can. A build may want more plies and more positions.
    #[must_use]
    pub fn differences(&self, wanted: &BookHeader) -> Vec<String> {
        let hundredths = |number: i32| format!("{:.2}", f64::from(number) / 100.0);
        let same = [
            (
                "rules",
                format!("'{}'", self.rules),
                format!("'{}'", wanted.rules),
            ),
            ("program", self.program.clone(), wanted.program.clone()),
            (
                "evaluation",
                self.evaluation.clone(),
                wanted.evaluation.clone(),
            ),
            ("limit", self.limit.to_string(), wanted.limit.to_string()),
            ("hash", self.hash.to_string(), wanted.hash.to_string()),
            ("moves", self.moves.to_string(), wanted.moves.to_string()),
            (
                "side",
                self.side.name().to_owned(),
                wanted.side.name().to_owned(),
            ),
            ("margin", hundredths(self.margin), hundredths(wanted.margin)),
            (
                "reply margin",
                hundredths(self.reply_margin),
                hundredths(wanted.reply_margin),
            ),
        ];
        let more = [
            ("plies", self.plies as usize, wanted.plies as usize),
            ("positions", self.positions, wanted.positions),
        ];
        let same = same
            .into_iter()
            .filter(|(_, there, here)| there != here)
            .map(|(name, there, here)| format!("{name} {there} there, {here} here"));
        let more = more
            .into_iter()
            .filter(|(_, there, here)| there > here)
            .map(|(name, there, here)| {
                format!("{name} {there} there, {here} here (a book only grows)")
            });
        same.chain(more).collect()
    }
}
