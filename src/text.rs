//! Shared text helpers: excerpts of bad input, counts with nouns, panic messages.

use std::any::Any;
use std::fmt::Display;

/// The maximum length of an [`excerpt`], in characters.
const MOST: usize = 40;

/// At most 40 characters of `text`, `…` for the rest, characters that cannot be seen escaped.
pub(crate) fn excerpt(text: &str) -> String {
    printable(text, MOST)
}

/// Whether nothing of this character is to be seen but perhaps space: control characters, spaces other than the
/// common one, characters of no width, changes of direction.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || character.is_whitespace() && character != ' '
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// At most `most` characters of `text`, `…` for the rest, characters that cannot be seen escaped.
pub(crate) fn printable(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(4 * most));
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        if is_invisible(character) {
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
        assert_eq!(excerpt("d3\u{200b}-é\u{a0}3"), "d3\\u{200b}-é\\u{a0}3");
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
