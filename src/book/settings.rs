//! How a book is made.

use super::BookError;
use super::header::{BookHeader, BookSide, SearchLimit};
use crate::eval::Evaluation;
use crate::rules::{Rules, has_move};

/// The largest margin, in centi-stones.
pub const MOST_MARGIN: i32 = 1_000;
/// The most moves of a position that are searched for.
pub const MOST_MOVES: u32 = 64;
/// The most plies of a book.
pub const MOST_PLIES: u32 = 200;
/// The most positions of a book.
pub const MOST_POSITIONS: usize = 10_000_000;

/// How a book is made.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The rules; the book begins at their start position.
    pub rules: Rules,
    /// What positions are evaluated with.
    pub evaluation: Evaluation,
    /// How far each position is searched, on one thread.
    pub limit: SearchLimit,
    /// The table of each search, in MiB.
    pub hash_mib: usize,
    /// How many moves of a position are searched for, from 1 to [`MOST_MOVES`].
    pub moves: u32,
    /// The side that the book is for.
    pub side: BookSide,
    /// How much worse than the best a move of that side may be, in centi-stones up to [`MOST_MARGIN`].
    pub margin: i32,
    /// How much worse than the best a reply of the opponent may be, in centi-stones up to
    /// [`MOST_MARGIN`].
    pub reply_margin: i32,
    /// Only positions fewer plies from the start are searched, so the book knows the moves of so many
    /// plies; from 1 to [`MOST_PLIES`].
    pub plies: u32,
    /// At most so many positions, from 1 to [`MOST_POSITIONS`], those of a book that grows included.
    pub positions: usize,
    /// Positions searched at a time. The book does not depend on it, unless searches end by time.
    pub threads: usize,
}

impl Default for BuildSettings {
    /// Those of `vato book build`, on one thread.
    fn default() -> BuildSettings {
        BuildSettings {
            rules: Rules::STANDARD,
            evaluation: Evaluation::default(),
            limit: SearchLimit::Nodes(1_000_000),
            hash_mib: 16,
            moves: 5,
            side: BookSide::Both,
            margin: 20,
            reply_margin: 60,
            plies: 12,
            positions: 1_000,
            threads: 1,
        }
    }
}

impl BuildSettings {
    /// What a book made so says of itself.
    #[must_use]
    pub fn header(&self, complete: bool) -> BookHeader {
        BookHeader {
            rules: self.rules.to_string(),
            program: format!("vato {}", env!("CARGO_PKG_VERSION")),
            evaluation: self.evaluation.name_for(&self.rules),
            limit: self.limit,
            hash: self.hash_mib,
            moves: self.moves,
            side: self.side,
            margin: self.margin,
            reply_margin: self.reply_margin,
            plies: self.plies,
            positions: self.positions,
            complete,
        }
    }

    /// Whether all numbers are within their ranges, and there is something to search.
    ///
    /// # Errors
    ///
    /// Names the first thing that is wrong.
    pub fn validate(&self) -> Result<(), BookError> {
        let header = self.header(false);
        header.check().map_err(BookError::Setting)?;
        match has_move(&self.rules, &self.rules.start()) {
            true => Ok(()),
            false => {
                let what = "the start position has no legal move".to_owned();
                Err(BookError::Setting(what))
            }
        }
    }
}

impl BookHeader {
    /// What is wrong with the numbers, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        let within = |name: &str, number: i64, least: i64, most: i64| match number {
            number if (least..=most).contains(&number) => Ok(()),
            _ => Err(format!(
                "{name} '{number}', want a number from {least} to {most}"
            )),
        };
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        within("moves", self.moves.into(), 1, MOST_MOVES.into())?;
        within("margin", self.margin.into(), 0, MOST_MARGIN.into())?;
        within(
            "reply margin",
            self.reply_margin.into(),
            0,
            MOST_MARGIN.into(),
        )?;
        within("plies", self.plies.into(), 1, MOST_PLIES.into())?;
        within("positions", count(self.positions), 1, count(MOST_POSITIONS))
    }
}
