//! What is said about a game.

use super::source_line::SourceLine;
use crate::excerpt::excerpt;

/// The seven tags that every record has, in the order in which they are written, and what they say
/// while nothing better is known.
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A name and a value that say something about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    name: String,
    value: String,
    line: SourceLine,
}

impl Tag {
    /// A tag of this line. The name is good; what the value may not have is mended.
    pub(super) fn new(name: &str, value: &str, line: SourceLine) -> Tag {
        let value = value
            .chars()
            .map(|character| match character.is_control() {
                true => ' ',
                false => character,
            })
            .collect();
        Tag {
            name: name.to_owned(),
            value,
            line,
        }
    }

    /// The name, such as `White`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value, without quotes and escapes, free of control characters.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The line of the text that it was read from, from 1; `None` for a tag that was not read.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line.number()
    }
}

/// Where the roster has this tag.
pub(super) fn roster_place(name: &str) -> Option<usize> {
    ROSTER.iter().position(|(roster, _)| *roster == name)
}

/// The two players of a game with these tags, in short.
pub(super) fn players(tags: &[Tag]) -> String {
    let [white, black] = ["White", "Black"].map(|name| {
        tags.iter()
            .find(|tag| tag.name == name)
            .map_or_else(|| "?".to_owned(), |tag| excerpt(&tag.value))
    });
    format!("{white} – {black}")
}
