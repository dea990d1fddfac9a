//! Tokens of a line: reading, writing and parse errors.

use std::fmt::Display;
use std::iter;

use thiserror::Error;

use crate::text::excerpt;

/// Error of parsing a line or a part of it.
///
/// Quoted input is cut to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Unknown command.
    #[error("unknown command: '{0}' (try 'help')")]
    Unknown(String),
    /// Ignored words after a command without arguments.
    #[error("{0}: ignored '{1}'")]
    Surplus(&'static str, String),
    /// A missing or unexpected word.
    #[error("{0}")]
    Wrong(String),
}

impl ParseError {
    /// Error in `place` (a command, an answer or a part of one): `wanted` is missing, or `found` is there instead.
    pub fn wrong(place: &str, found: Option<&str>, wanted: &str) -> ParseError {
        ParseError::Wrong(match found {
            Some(found) => format!("{place}: '{}', expected {wanted}", excerpt(found)),
            None => format!("{place}: {wanted} is missing"),
        })
    }
}

/// Tokeniser of a line.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    /// The unread text, trimmed.
    pub rest: &'a str,
}

impl<'a> Words<'a> {
    /// All of a line.
    pub fn new(text: &'a str) -> Words<'a> {
        Words { rest: text.trim() }
    }

    /// Consumes the next word if it is `wanted`; returns whether it was.
    pub fn next_if(&mut self, wanted: &str) -> bool {
        let is_next = self.clone().next() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The next word, unless it is one of `ends`, which is not consumed.
    pub fn next_unless(&mut self, ends: &str) -> Option<&'a str> {
        let mut after = self.clone();
        let is_end = |word: &&str| ends.split(' ').any(|end| end == *word);
        let word = after.next().filter(|word| !is_end(word))?;
        *self = after;
        Some(word)
    }

    /// The words up to the first of `ends`.
    pub fn until(&mut self, ends: &str) -> impl Iterator<Item = &'a str> {
        iter::from_fn(|| self.next_unless(ends))
    }

    /// The next word; otherwise an error: `what` is missing in `place` (see [`ParseError::wrong`]).
    pub fn required(&mut self, place: &str, what: &str) -> Result<&'a str, ParseError> {
        self.next()
            .ok_or_else(|| ParseError::wrong(place, None, what))
    }

    /// Consumes and returns the unread text.
    pub(super) fn take_rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self
            .rest
            .split_once(char::is_whitespace)
            .unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        Some(word)
    }
}

/// The items, each preceded by a space.
pub(super) fn spaced(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|item| format!(" {item}")).collect()
}

/// A name and its value, each preceded by a space; empty without a value.
pub(super) fn field(name: &str, value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| format!(" {name} {value}"))
}

/// A name and its value, each preceded by a space; empty if the value is.
pub(super) fn some(name: &str, value: &str) -> String {
    field(name, Some(value).filter(|value| !value.is_empty()))
}

/// The words with single spaces between them. No list of them is made: a line may have millions.
pub(super) fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
