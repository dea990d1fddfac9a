//! Bad input quoted in errors: short, on one line, and harmless to a terminal.

/// The most characters that [`excerpt`] shows.
const MOST: usize = 40;

/// At most 40 characters of `text`, `…` for the rest, control characters made visible.
pub(crate) fn excerpt(text: &str) -> String {
    printable(text, MOST)
}

/// At most `most` characters of `text`, `…` for the rest, control characters made visible.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_visible() {
        assert_eq!(excerpt("abc"), "abc");
        assert_eq!(excerpt("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), MOST + 1);
        assert_eq!(excerpt(&"é".repeat(MOST)), "é".repeat(MOST));
    }
}
