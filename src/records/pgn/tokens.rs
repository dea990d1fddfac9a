//! PGN tokens: tags, comments, moves, results.

use super::{Nag, RecordResult, RecordedMove};
use vato_engine::board::BoardSize;
use vato_engine::notation::parse_path;
use vato_engine::text::{excerpt, is_invisible};

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
    /// An annotation of a move: `$12`, `!?`, `±`.
    Annotation(Nag),
    /// What looks like an annotation and has no number: `!!!`, `$300`. It is kept as a comment.
    Remark(&'a str),
    /// A result, and how it is written.
    Result(RecordResult, &'a str),
    /// Any other word, without the number that may stand before it (`1.d3-e3A`).
    Move(&'a str),
    /// A character that stands in no word.
    Unexpected(&'a str),
}

/// Whether this separates words: white space or a control character.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// Whether this is no part of a word, at its edges: blank, or not to be seen.
pub(super) fn is_edge(character: char) -> bool {
    is_blank(character) || is_invisible(character)
}

/// Whether a word ends before this character.
fn ends_word(character: char) -> bool {
    is_blank(character) || "{}()[]<>;$!?*\"‼⁇⁉⁈±∓⩲⩱∞□△".contains(character)
}

/// Whether this is a word that begins with a letter, and reads back as a move.
pub(super) fn is_move_text(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && first_token(text) == (Token::Move(text), "")
}

/// The first token of `text` and the rest. The text does not start with white space.
pub(super) fn first_token(text: &str) -> (Token<'_>, &str) {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or(' ');
    let behind = characters.as_str();
    let token = match first {
        ';' => return (Token::LineComment(behind), ""),
        '{' => Token::CommentStart,
        '(' => Token::VariationStart,
        ')' => Token::VariationEnd,
        '*' => Token::Result(RecordResult::Unfinished, "*"),
        '!' | '?' => return annotation(text, text.trim_start_matches(['!', '?'])),
        '$' => return annotation(text, behind.trim_start_matches(is_digit)),
        first if ends_word(first) && !first.is_ascii() => return annotation(text, behind),
        first if ends_word(first) => Token::Unexpected(&text[..first.len_utf8()]),
        _ => {
            if matches!(first, '0' | '1' | '½')
                && let Some((result, rest)) = RecordResult::at_start(text)
                && (rest.is_empty() || rest.starts_with(ends_word))
            {
                return (
                    Token::Result(result, &text[..text.len() - rest.len()]),
                    rest,
                );
            }
            let (word, rest) = text.split_at(text.find(ends_word).unwrap_or(text.len()));
            let word = word.trim_end_matches(is_invisible);
            let (word, sign) = word.split_at(word.len() - glued_sign(word).len());
            // Those of check and mate say nothing.
            let rest = Nag::parse(sign).map_or(rest, |_| &text[word.len()..]);
            return (word_token(word), rest);
        }
    };
    (token, behind)
}

/// The annotation before `rest`, which is the end of `text`.
fn annotation<'a>(text: &'a str, rest: &'a str) -> (Token<'a>, &'a str) {
    let sign = &text[..text.len() - rest.len()];
    (
        Nag::parse(sign).map_or(Token::Remark(sign), Token::Annotation),
        rest,
    )
}

fn word_token(word: &str) -> Token<'_> {
    // Numbers with dots, and a number before a letter. `0000` is what engines write for no move.
    let mut text = word;
    while text != "0000" {
        let behind = text.trim_start_matches(is_digit);
        let after = behind.trim_start_matches(['.', '…']);
        let is_number = after.len() < behind.len()
            || behind.is_empty()
            || behind.starts_with(|next: char| next.is_ascii_alphabetic());
        if !is_number || after == text {
            break;
        }
        text = after.trim_start_matches(is_invisible);
    }
    if text.starts_with(['=', '+', '-'])
        && let Some(nag) = Nag::parse(text)
    {
        return Token::Annotation(nag);
    }
    match RecordResult::at_start(text) {
        Some((result, "")) => Token::Result(result, text),
        _ if text.is_empty() => Token::MoveNumber,
        _ => Token::Move(text),
    }
}

/// The sign at the end of a word that is a move. Behind a point `+` and `-` are captures in the notations of other
/// programs.
fn glued_sign(word: &str) -> &str {
    let mv = word.trim_end_matches(['+', '-', '=', '#']);
    let sign = &word[mv.len()..];
    let mv = mv.trim_start_matches(|before| is_digit(before) || matches!(before, '.' | '…'));
    let is_sign = sign.trim_matches(['+', '#']).is_empty() || Nag::parse(sign).is_some();
    let is_apart = sign.starts_with(['=', '#']) || !sign.is_empty() && mv.ends_with(['A', 'W']);
    match is_sign && is_apart && parse_path(mv, BoardSize::STANDARD).is_ok() {
        true => sign,
        false => "",
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

/// The tag at the start of `text` (whose first character is `[`): name, value, what had to be guessed, and the rest
/// of the text; of a tag without name, what is wrong.
///
/// A quote not followed by `]` is part of the value, and so is a backslash not followed by a quote or a
/// backslash: some programs do not escape them. A value that does not end, or has no quotes, is taken as it is.
pub(super) fn parse_tag(text: &str) -> Result<(&str, String, Option<String>, &str), String> {
    let text = text.strip_prefix('[').unwrap_or(text);
    let text = text.trim_start_matches(is_edge);
    let end = text
        .find(|character| !is_name_character(character))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !is_tag_name(name) {
        let text = excerpt(text);
        return Err(format!("expected a tag name after '[', not '{text}'"));
    }
    let rest = rest.trim_start_matches(is_edge);
    let repaired = |value: &str, rest, expected| {
        let value =
            value.trim_matches(|character| is_edge(character) || "\"“”„".contains(character));
        let repair = format!(
            "the tag {} {expected}: read as '{}'",
            excerpt(name),
            excerpt(value)
        );
        Ok((name, value.to_owned(), Some(repair), rest))
    };
    let Some(rest) = rest.strip_prefix('"') else {
        let (value, rest) = rest.split_once(']').unwrap_or((rest, ""));
        return repaired(value, rest, "needs a value in double quotes");
    };
    let mut value = String::new();
    let mut characters = rest.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => {
                let behind = rest[place + 1..].trim_start_matches(is_edge);
                if let Some(behind) = behind.strip_prefix(']') {
                    return Ok((name, value, None, behind));
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
    let value = value.trim_end_matches(is_edge);
    repaired(
        value.strip_suffix(']').unwrap_or(value),
        "",
        "does not end with '\"]' on its line",
    )
}

/// A comment normalised for PGN: single spaces between words, parentheses for braces if one closes; `None` if empty.
pub(super) fn comment_text(text: &str) -> Option<String> {
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    let mut comment = words.collect::<Vec<_>>().join(" ");
    // A comment of PGN would end there.
    if comment.contains('}') {
        comment = comment.replace('{', "(").replace('}', ")");
    }
    (!comment.is_empty()).then_some(comment)
}

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

/// Whether the only comment at the end of a game is the final comment: there are no moves, but a result; or
/// it follows a variation.
pub(super) fn only_comment_is_final(moves: &[RecordedMove], result: RecordResult) -> bool {
    match moves.last() {
        Some(mv) => !mv.variations.is_empty(),
        None => result != RecordResult::Unfinished,
    }
}

/// The comments between two moves or after the last one, in reading order.
#[derive(Debug, Default)]
pub(super) struct Comments {
    /// All but the last.
    earlier: Option<String>,
    latest: Option<String>,
    /// How many there were, empty ones included.
    pub(super) count: usize,
}

impl Comments {
    /// Adds one; `None` is an empty comment.
    pub(super) fn add(&mut self, comment: Option<String>) {
        self.count += 1;
        self.earlier = join(self.earlier.take(), self.latest.take());
        self.latest = comment;
    }

    pub(super) fn all(self) -> Option<String> {
        join(self.earlier, self.latest)
    }

    /// At the end of a game: the comment on the last move and the final comment, which is the last one if
    /// there are several or if the only one `is_final`.
    pub(super) fn at_end(self, is_final: bool) -> (Option<String>, Option<String>) {
        if self.count > 1 || is_final {
            (self.earlier, self.latest)
        } else {
            (self.latest, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::{CommentStart, LineComment, Move, Unexpected, VariationEnd, VariationStart};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start_matches(is_edge);
        while !rest.is_empty() {
            let (token, behind) = first_token(rest);
            assert!(behind.len() < rest.len(), "no progress in '{rest}'");
            tokens.push(token);
            rest = behind.trim_start_matches(is_edge);
        }
        tokens
    }

    #[test]
    fn results_are_no_move_numbers() {
        fn result(text: &str) -> Option<&'static str> {
            match tokens(text)[..] {
                [.., Token::Result(result, _)] => Some(result.name()),
                _ => None,
            }
        }
        for text in RecordResult::ALL.map(RecordResult::name) {
            assert_eq!(result(text), Some(text));
            assert_eq!(result(&format!("12.{text}")), Some(text));
        }
        for (text, meant) in [
            ("1–0", "1-0"),
            ("0—1", "0-1"),
            ("1 - 0", "1-0"),
            ("1:0", "1-0"),
            ("1/2", "1/2-1/2"),
            ("½", "1/2-1/2"),
            ("½–½", "1/2-1/2"),
            ("0.5-0.5", "1/2-1/2"),
            ("7. 1/2 - 1/2", "1/2-1/2"),
        ] {
            assert_eq!(result(text), Some(meant), "{text}");
        }
        let white_wins = Token::Result(RecordResult::WhiteWins, "1-0");
        let found = tokens("a1-a2 1-0{c");
        assert_eq!(found, [Move("a1-a2"), white_wins, CommentStart, Move("c")]);
        for word in ["11-0", "0-0", "1-1", "1-0x", "--", "0000", "3-0"] {
            let text = format!("{word} 1.{word}");
            assert_eq!(tokens(&text)[..], [Move(word); 2]);
        }
    }

    #[test]
    fn comments_keep_what_does_not_close_them() {
        for (text, kept) in [("see {\n here", "see { here"), (" {a} b", "(a) b")] {
            assert_eq!(comment_text(text).as_deref(), Some(kept));
        }
    }

    #[test]
    fn the_rest() {
        let found = tokens("(é) ; x (y) {");
        let comment = LineComment(" x (y) {");
        assert_eq!(found, [VariationStart, Move("é"), VariationEnd, comment]);
        assert_eq!(tokens("}[<\""), ["}", "[", "<", "\""].map(Unexpected));
        assert_eq!(tokens("d3–e3"), [Move("d3–e3")]);
    }

    #[test]
    fn signs_are_taken_off_moves() {
        for mv in ["f2-e3A", "d3e3W", "d3-e3"] {
            for (sign, number) in [("=", 10), ("=+", 15)] {
                let text = format!("1.{mv}{sign} 2.a1-a2");
                let wanted = [Move(mv), Token::Annotation(Nag(number)), Move("a1-a2")];
                assert_eq!(tokens(&text), wanted);
            }
            assert_eq!(tokens(&format!("1.{mv}# {mv}")), [Move(mv); 2]);
        }
        for (sign, number) in [("+-", 18), ("-+", 19), ("+=", 14)] {
            let text = format!("f2-e3A{sign}{{");
            let wanted = [Move("f2-e3A"), Token::Annotation(Nag(number)), CommentStart];
            assert_eq!(tokens(&text), wanted);
        }
        for mark in ["+", "++", "#", "+!"] {
            assert_eq!(tokens(&format!("f2-e3A{mark}"))[0], Move("f2-e3A"));
        }
        // Captures of other notations, and what is no whole move.
        for word in [
            "f2e3+", "f2e3-", "D3W+", "D3E+", "e3+", "f2-e3A-", "f2-e3A--", "x#", "A+", "+",
        ] {
            assert_eq!(tokens(word), [Move(word)]);
        }
    }

    #[test]
    fn tags_are_read() {
        let all = r#"
            [White "Rabe"] => White|Rabe|
            [  White   "Rabe"  ] 1. => White|Rabe| 1.
            [White"Rabe"][Black "B"] => White|Rabe|[Black "B"]
            [Event ""] => Event||
            [Event "a \"b\" \\ c\\"] => Event|a "b" \ c\|
            [Event "the "big" one"] => Event|the "big" one|
            [Dir "C:\vato\new"] => Dir|C:\vato\new|
            [Event "a\"]"] => Event|a"]|
            [A-1_+#=: "é"] => A-1_+#=:|é|"#;
        for line in all.trim().lines() {
            let (text, wanted) = line.trim_start().split_once(" => ").expect("both");
            let (name, value, repair, rest) = parse_tag(text).expect(text);
            assert_eq!(format!("{name}|{value}|{rest}"), wanted);
            assert_eq!(repair, None, "{text}");
        }
    }

    #[test]
    fn bad_tags_are_mended() {
        let no_value =
            "[White]||\n[White Rabe Soa ] x|Rabe Soa| x\n[White “Rabe”]|Rabe|\n[White Rabe|Rabe|";
        let no_end =
            "[White \"Rabe\"|Rabe|\n[White \"Rabe]|Rabe|\n[White \"Rabe\\\"]|Rabe|\n[White \"||";
        for (cases, why) in [(no_value, "White needs a value"), (no_end, "does not end")] {
            for case in cases.lines() {
                let (text, wanted) = case.split_once('|').expect("both");
                let (name, value, repair, behind) = parse_tag(text).expect(text);
                assert_eq!(
                    (name, format!("{value}|{behind}").as_str()),
                    ("White", wanted)
                );
                let repair = repair.unwrap_or_default();
                assert!(repair.contains(why), "{text}: {repair}");
            }
        }
        for text in ["[", "[]", "[\"x\"]", "[é \"x\"]"] {
            let problem = parse_tag(text).expect_err(text);
            assert!(problem.contains("expected a tag name"), "{text}: {problem}");
        }
    }
}
