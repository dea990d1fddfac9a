//! Comments: what they may hold, and to whom they belong.

use super::RecordResult;
use super::tokens::is_blank;

/// A comment as PGN can hold it: words with single spaces between them, parentheses for braces.
/// Nothing is left of an empty one.
pub(super) fn comment_text(text: &str) -> Option<String> {
    let mut comment = String::new();
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.extend(word.chars().map(|character| match character {
            '{' => '(',
            '}' => ')',
            other => other,
        }));
    }
    (!comment.is_empty()).then_some(comment)
}

/// Two comments as one.
pub(super) fn join(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(mut first), Some(second)) => {
            first.push(' ');
            first.push_str(&second);
            Some(first)
        }
        (first, second) => first.or(second),
    }
}

/// Whether the only comment of a game is about its end, and not about the last move or, where there are
/// none, about what is to come: nothing was played, and all the same somebody has won, or both have drawn.
pub(super) fn only_comment_is_final(move_count: usize, result: RecordResult) -> bool {
    move_count == 0 && result != RecordResult::Unfinished
}

/// The comments between two moves, or behind the last one, as a reader meets them.
#[derive(Debug, Default)]
pub(super) struct Comments {
    /// All but the latest.
    earlier: Option<String>,
    latest: Option<String>,
    /// Whether there were two or more, empty ones included.
    are_several: bool,
    is_any: bool,
}

impl Comments {
    /// Adds one; `None` is an empty one.
    pub(super) fn add(&mut self, comment: Option<String>) {
        self.are_several = self.is_any;
        self.is_any = true;
        self.earlier = join(self.earlier.take(), self.latest.take());
        self.latest = comment;
    }

    /// All of them as one.
    pub(super) fn all(self) -> Option<String> {
        join(self.earlier, self.latest)
    }

    /// At the end of a game: the comment of the last move, and that of the game, which is the last
    /// one if there are several, or if the only one `is_final`.
    pub(super) fn at_end(self, is_final: bool) -> (Option<String>, Option<String>) {
        if self.are_several || is_final {
            (self.earlier, self.latest)
        } else {
            (self.latest, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(texts: &[&str]) -> Comments {
        let mut comments = Comments::default();
        for text in texts {
            comments.add(comment_text(text));
        }
        comments
    }

    #[test]
    fn comments_are_mended() {
        assert_eq!(
            comment_text(" a\r\n{b} \t\u{1b}c "),
            Some("a (b) c".to_owned())
        );
        assert_eq!(comment_text(" \n "), None);
    }

    #[test]
    fn the_last_of_several_is_about_the_game() {
        for (texts, of_move, of_game) in [
            (&[][..], None, None),
            (&["a"], Some("a"), None),
            (&[""], None, None),
            (&["a", "b"], Some("a"), Some("b")),
            (&["", "b"], None, Some("b")),
            (&["a", "b", "", "c"], Some("a b"), Some("c")),
        ] {
            let (found_move, found_game) = comments(texts).at_end(false);
            assert_eq!(
                (found_move.as_deref(), found_game.as_deref()),
                (of_move, of_game)
            );
        }
        assert_eq!(comments(&["a"]).at_end(true), (None, Some("a".to_owned())));
        assert_eq!(comments(&["a", "", "b"]).all().as_deref(), Some("a b"));
    }
}
