//! Shared text helpers: excerpts of bad input, counts with nouns, panic messages.

use std::any::Any;
use std::fmt::Display;

/// The maximum length of an [`excerpt`], in characters.
const MOST: usize = 40;

/// At most 40 characters of `text`, `…` for the rest, control characters escaped.
pub(crate) fn excerpt(text: &str) -> String {
    printable(text, MOST)
}

/// At most `most` characters of `text`, `…` for the rest, control characters escaped.
pub(crate) fn printable(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(4 * most));
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A count with its noun: `1 game`, `12 games`.
///
/// ```
/// assert_eq!(vato::counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(vato::counted(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, several: &str) -> String {
    let shown = count.to_string();
    format!("{shown} {}", plural(count, one, several))
}

/// `one` for 1, else `several`.
#[must_use]
pub fn plural<'a, N: PartialEq + From<u8>>(count: N, one: &'a str, several: &'a str) -> &'a str {
    if count == N::from(1) { one } else { several }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, panic_any};

    use super::*;

    #[test]
    fn excerpts_are_short_and_visible() {
        assert_eq!(excerpt("abc"), "abc");
        assert_eq!(excerpt("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), MOST + 1);
        assert_eq!(excerpt(&"é".repeat(MOST)), "é".repeat(MOST));
    }

    #[test]
    fn only_one_is_singular() {
        let games = |count: u64| counted(count, "game", "games");
        assert_eq!(games(0), "0 games");
        assert_eq!(games(1), "1 game");
        assert_eq!(games(21), "21 games");
        assert_eq!(counted(1.0, "stone", "stones"), "1 stone");
        assert_eq!(counted(0.1, "stone", "stones"), "0.1 stones");
        assert_eq!(plural(1_u32, "game has", "games have"), "game has");
    }

    #[test]
    fn all_kinds_of_panics_are_understood() {
        let said = |panicking: fn()| {
            let panic = catch_unwind(panicking).expect_err("it panics");
            panic_message(&*panic).to_owned()
        };
        assert_eq!(said(|| panic!("plain")), "plain");
        assert_eq!(said(|| panic!("number {}", 1 + 1)), "number 2");
        assert_eq!(said(|| panic_any(7)), "no message");
    }
}
