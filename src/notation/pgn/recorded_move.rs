//! A move as its record has it.

use super::Nag;
use super::comment_text::comment_text;
use super::source_line::SourceLine;

/// A move of a record, as text: whether it is legal shows when the record is replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    text: String,
    annotations: Vec<Nag>,
    comment: Option<String>,
    line: SourceLine,
}

impl RecordedMove {
    /// A move of this line. The text is that of a move.
    pub(super) fn new(text: &str, comment: Option<String>, line: SourceLine) -> RecordedMove {
        RecordedMove {
            text: text.to_owned(),
            annotations: Vec::new(),
            comment,
            line,
        }
    }

    /// Sets a comment that has been mended.
    pub(super) fn put_comment(&mut self, comment: Option<String>) {
        self.comment = comment;
    }

    /// Adds a judgement, unless it is there.
    pub(super) fn add_annotation(&mut self, nag: Nag) {
        if !self.annotations.contains(&nag) {
            self.annotations.push(nag);
        }
    }

    /// The move, such as `d2-e3A-f4W`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The judgements of the move by number, each once.
    #[must_use]
    pub fn annotations(&self) -> &[Nag] {
        &self.annotations
    }

    /// Sets the judgements of the move; what comes again is left out.
    pub fn set_annotations(&mut self, nags: impl IntoIterator<Item = Nag>) {
        self.annotations.clear();
        for nag in nags {
            self.add_annotation(nag);
        }
    }

    /// The comment that follows it, without braces.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// Sets the comment that follows it; an empty one is none.
    pub fn set_comment(&mut self, comment: &str) {
        self.comment = comment_text(comment);
    }

    /// The line of the text that it was read from, from 1; `None` for a move that was not read.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line.number()
    }
}
