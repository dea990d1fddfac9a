//! The books that the program carries.

/// Even positions.
pub(super) const BALANCED: &str = include_str!("balanced.fen");

/// Positions in which one side is better.
pub(super) const SHARP: &str = include_str!("sharp.fen");

use super::OpeningSource;
use super::fen_lines::without_comment;

/// A position of a built-in book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInOpening {
    /// The position, as a FEN.
    pub fen: &'static str,
    /// The position and, behind a `;`, its score in stones from White's view.
    pub with_score: &'static str,
}

impl OpeningSource {
    /// The positions of a built-in book in their order; `None` if this is not one.
    pub fn built_in(&self) -> Option<impl Iterator<Item = BuiltInOpening>> {
        let text = self.built_in_text()?;
        Some(text.lines().map(|line| BuiltInOpening {
            fen: without_comment(line),
            with_score: line,
        }))
    }

    /// The text of a built-in book.
    pub(super) fn built_in_text(&self) -> Option<&'static str> {
        match self {
            OpeningSource::Balanced => Some(BALANCED),
            OpeningSource::Sharp => Some(SHARP),
            _ => None,
        }
    }
}
