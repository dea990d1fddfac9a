//! A move as its record has it.

use super::source_line::SourceLine;

/// A move of a record, as text: whether it is legal shows when the record is replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    text: String,
    comment: Option<String>,
    line: SourceLine,
}

impl RecordedMove {
    /// A move of this line. The text is that of a move.
    pub(super) fn new(text: &str, comment: Option<String>, line: SourceLine) -> RecordedMove {
        RecordedMove {
            text: text.to_owned(),
            comment,
            line,
        }
    }

    pub(super) fn set_comment(&mut self, comment: Option<String>) {
        self.comment = comment;
    }

    /// The move, such as `d2-e3A-f4W`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The comment that follows it, without braces.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// The line of the text that it was read from, from 1; `None` for a move that was not read.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line.number()
    }
}
