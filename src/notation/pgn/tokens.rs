//! PGN tokens: tags, comments, moves, results.

use super::{Nag, PgnProblem, RecordResult};
use crate::text::excerpt;

/// A token of the movetext section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `;` and the rest of the line: the comment without the semicolon.
    LineComment(&'a str),
    /// `{`, which opens a comment.
    CommentStart,
    /// `(`, which opens a variation.
    VariationStart,
    /// `)`, which closes it.
    VariationEnd,
    /// `12.`, `12...`, `12`, `...`
    MoveNumber,
    /// An annotation of a move: `$12`, `!?`; `None` if it has no meaning.
    Annotation(Option<Nag>),
    /// A result.
    Result(RecordResult),
    /// A move, without the number that may stand before it (`1.d3-e3A`).
    Move(&'a str),
    /// Anything else.
    Unexpected(&'a str),
}

/// Whether this separates words: white space or a control character.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// Whether a word ends before this character.
fn ends_word(character: char) -> bool {
    is_blank(character) || "{}()[]<>;$!?*\"".contains(character)
}

/// Whether this reads back as a move: starts with a letter and is a single word.
pub(super) fn is_move_text(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && !text.contains(ends_word)
}

/// The first token of `text` and the rest. The text does not start with white space.
///
/// A word that begins with a letter is a move token; legality is checked on replay.
pub(super) fn first_token(text: &str) -> (Token<'_>, &str) {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or(' ');
    let behind = characters.as_str();
    let token = match first {
        ';' => return (Token::LineComment(behind), ""),
        '{' => Token::CommentStart,
        '(' => Token::VariationStart,
        ')' => Token::VariationEnd,
        '*' => Token::Result(RecordResult::Unfinished),
        '!' | '?' => {
            let (sign, rest) = split(text, text.trim_start_matches(['!', '?']));
            return (Token::Annotation(Nag::parse(sign)), rest);
        }
        '$' => {
            let (number, rest) = split(behind, behind.trim_start_matches(is_digit));
            return (Token::Annotation(number.parse().ok().map(Nag)), rest);
        }
        first if ends_word(first) => Token::Unexpected(&text[..text.len() - behind.len()]),
        _ => {
            let (word, rest) = text.split_at(text.find(ends_word).unwrap_or(text.len()));
            return (word_token(word), rest);
        }
    };
    (token, behind)
}

/// Splits `text` before its suffix `rest`.
fn split<'a>(text: &'a str, rest: &str) -> (&'a str, &'a str) {
    text.split_at(text.len() - rest.len())
}

fn word_token(word: &str) -> Token<'_> {
    // Results begin like move numbers, so they are tried first.
    let without_number = word
        .trim_start_matches(is_digit)
        .trim_start_matches(['.', '…']);
    if let Some(result) =
        RecordResult::from_text(word).or_else(|| RecordResult::from_text(without_number))
    {
        return Token::Result(result);
    }
    if without_number.is_empty() {
        Token::MoveNumber
    } else if is_move_text(without_number) {
        Token::Move(without_number)
    } else {
        Token::Unexpected(word)
    }
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Whether this is a valid tag name: a letter or digit, then letters, digits and the other
/// characters used by chess programs.
pub(super) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(is_name_character)
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_+#=:-".contains(character)
}

/// The tag at the start of `text` (whose first character is `[`): name, value, and the rest of the text.
///
/// A quote not followed by `]` is part of the value, and so is a backslash not followed by a quote or a
/// backslash: some programs do not escape them.
pub(super) fn parse_tag(text: &str) -> Result<(&str, String, &str), PgnProblem> {
    let text = text.strip_prefix('[').unwrap_or(text);
    let text = text.trim_start_matches(is_blank);
    let end = text
        .find(|character| !is_name_character(character))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !is_tag_name(name) {
        return Err(PgnProblem::TagName(excerpt(text)));
    }
    let rest = rest
        .trim_start_matches(is_blank)
        .strip_prefix('"')
        .ok_or_else(|| PgnProblem::TagValue(excerpt(name)))?;
    let mut value = String::new();
    let mut characters = rest.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => {
                let behind = rest[place + 1..].trim_start_matches(is_blank);
                if let Some(behind) = behind.strip_prefix(']') {
                    return Ok((name, value, behind));
                }
                value.push('"');
            }
            '\\' => {
                let mut ahead = characters.clone();
                match ahead.next() {
                    Some((_, escaped @ ('"' | '\\'))) => {
                        value.push(escaped);
                        characters = ahead;
                    }
                    _ => value.push('\\'),
                }
            }
            other => value.push(other),
        }
    }
    Err(PgnProblem::TagEnd(excerpt(name)))
}

/// A comment normalised for PGN: single spaces between words, parentheses for braces; `None` if empty.
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

/// Joins two comments.
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

/// Whether the only comment of a game is the final comment rather than one on the last move or before
/// the first move: there are no moves, but a result.
pub(super) fn only_comment_is_final(move_count: usize, result: RecordResult) -> bool {
    move_count == 0 && result != RecordResult::Unfinished
}

/// The comments between two moves or after the last one, in reading order.
#[derive(Debug, Default)]
pub(super) struct Comments {
    /// All but the last.
    earlier: Option<String>,
    latest: Option<String>,
    /// Whether there were two or more, empty ones included.
    are_several: bool,
    is_any: bool,
}

impl Comments {
    /// Adds one; `None` is an empty comment.
    pub(super) fn add(&mut self, comment: Option<String>) {
        self.are_several = self.is_any;
        self.is_any = true;
        self.earlier = join(self.earlier.take(), self.latest.take());
        self.latest = comment;
    }

    /// All of them, joined.
    pub(super) fn all(self) -> Option<String> {
        join(self.earlier, self.latest)
    }

    /// At the end of a game: the comment on the last move and the final comment, which is the last one if
    /// there are several or if the only one `is_final`.
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
    use Token::{
        Annotation, CommentStart, LineComment, Move, MoveNumber, Unexpected, VariationEnd,
        VariationStart,
    };

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start_matches(is_blank);
        while !rest.is_empty() {
            let (token, behind) = first_token(rest);
            assert!(behind.len() < rest.len(), "no progress in '{rest}'");
            tokens.push(token);
            rest = behind.trim_start_matches(is_blank);
        }
        tokens
    }

    #[test]
    fn move_numbers_of_all_forms() {
        let (a, b) = (Move("f2-e3A-d4W"), Move("d5d4a"));
        for text in [
            "1. f2-e3A-d4W d5d4a",
            "1.f2-e3A-d4W d5d4a",
            "1 f2-e3A-d4W 1... d5d4a",
            "1. f2-e3A-d4W 1...d5d4a",
            "1 . f2-e3A-d4W 1. ... d5d4a",
            "1f2-e3A-d4W 001.…d5d4a",
            "f2-e3A-d4W!? $1 1.. ..d5d4a$22??",
            "f2-e3A-d4W\u{0}! d5d4a ! ?",
        ] {
            let mut found = tokens(text);
            found.retain(|token| !matches!(token, MoveNumber | Annotation(_)));
            assert_eq!(found, [a, b], "{text}");
        }
    }

    #[test]
    fn results_are_no_move_numbers() {
        for result in RecordResult::ALL {
            for text in [result.text().to_owned(), format!("12.{result}")] {
                assert_eq!(tokens(&text).last(), Some(&Token::Result(result)), "{text}");
            }
        }
        assert_eq!(
            tokens("a1-a2 1-0{c"),
            [
                Move("a1-a2"),
                Token::Result(RecordResult::WhiteWins),
                CommentStart,
                Move("c")
            ]
        );
        assert_eq!(tokens("11-0"), [Unexpected("11-0")]);
        assert_eq!(tokens("1/2"), [Unexpected("1/2")]);
    }

    #[test]
    fn annotations_are_numbers() {
        let nag = |number| Annotation(Some(Nag(number)));
        assert_eq!(
            tokens("a1-a2?? $255 $0!?$2 !!! $256 $ $007"),
            [
                Move("a1-a2"),
                nag(4),
                nag(255),
                nag(0),
                nag(5),
                nag(2),
                Annotation(None),
                Annotation(None),
                Annotation(None),
                nag(7),
            ]
        );
    }

    #[test]
    fn the_rest() {
        assert_eq!(
            tokens("(é) ; x (y) {"),
            [
                VariationStart,
                Unexpected("é"),
                VariationEnd,
                LineComment(" x (y) {")
            ]
        );
        assert_eq!(tokens("--"), [Unexpected("--")]);
        assert_eq!(tokens("}[<\""), ["}", "[", "<", "\""].map(Unexpected));
        assert_eq!(tokens("d3–e3"), [Move("d3–e3")]);
    }

    #[test]
    fn tags_are_read() {
        for (text, name, value, rest) in [
            (r#"[White "Rabe"]"#, "White", "Rabe", ""),
            (r#"[  White   "Rabe"  ] 1. "#, "White", "Rabe", " 1. "),
            (
                r#"[White"Rabe"][Black "B"]"#,
                "White",
                "Rabe",
                r#"[Black "B"]"#,
            ),
            (r#"[Event ""]"#, "Event", "", ""),
            (r#"[Event "a \"b\" \\ c\\"]"#, "Event", r#"a "b" \ c\"#, ""),
            (
                r#"[Event "the "big" one"]"#,
                "Event",
                r#"the "big" one"#,
                "",
            ),
            (r#"[Dir "C:\vato\new"]"#, "Dir", r"C:\vato\new", ""),
            (r#"[Event "a\"]"]"#, "Event", r#"a"]"#, ""),
            (r#"[A-1_+#=: "é"]"#, "A-1_+#=:", "é", ""),
        ] {
            let tag = parse_tag(text).expect(text);
            assert_eq!((tag.0, tag.1.as_str(), tag.2), (name, value, rest));
        }
    }

    #[test]
    fn bad_tags_say_why() {
        for (text, why) in [
            ("[", "expected a tag name"),
            ("[]", "expected a tag name"),
            ("[\"x\"]", "expected a tag name"),
            ("[é \"x\"]", "expected a tag name"),
            ("[White]", "White needs a value"),
            ("[White Rabe]", "White needs a value"),
            ("[White \"Rabe\"", "does not end"),
            ("[White \"Rabe]", "does not end"),
            ("[White \"Rabe\\\"]", "does not end"),
        ] {
            let problem = parse_tag(text).expect_err(text).to_string();
            assert!(problem.contains(why), "{text}: {problem}");
        }
    }

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
