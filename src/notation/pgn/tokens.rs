//! The words of a game's moves.

use super::{Nag, RecordResult};

/// What a text of moves consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `;` and the rest of the line: the comment without the semicolon.
    LineComment(&'a str),
    /// `{`, which opens a comment.
    CommentStart,
    /// `(`, which opens a variation.
    VariationStart,
    /// `12.`, `12...`, `12`, `...`
    MoveNumber,
    /// A judgement of a move: `$12`, `!?`; `None` if it means nothing.
    Annotation(Option<Nag>),
    /// What ends a game.
    Result(RecordResult),
    /// A move, without the number that may stand before it (`1.d3-e3A`).
    Move(&'a str),
    /// Anything else.
    Unexpected(&'a str),
}

/// Whether this separates words: white space, and control characters, which nobody sees.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// Whether a word ends before this character.
fn ends_word(character: char) -> bool {
    is_blank(character) || "{}()[]<>;$!?*\"".contains(character)
}

/// Whether this reads back as a move: a letter first, and nothing that ends the word.
pub(super) fn is_move_text(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && !text.contains(ends_word)
}

/// The token that `text` begins with, and what follows it. The text begins with something else than
/// white space.
///
/// A word that begins with a letter is a move, legal or not: what is wrong with it shows when it is
/// played, and is better said then.
pub(super) fn first_token(text: &str) -> (Token<'_>, &str) {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or(' ');
    let behind = characters.as_str();
    let token = match first {
        ';' => return (Token::LineComment(behind), ""),
        '{' => Token::CommentStart,
        '(' => Token::VariationStart,
        '*' => Token::Result(RecordResult::Unfinished),
        '!' | '?' => {
            let (sign, rest) = split(text, text.trim_start_matches(['!', '?']));
            return (Token::Annotation(Nag::from_sign(sign)), rest);
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

/// What stands before `rest`, which is the end of `text`, and `rest`.
fn split<'a>(text: &'a str, rest: &str) -> (&'a str, &'a str) {
    text.split_at(text.len() - rest.len())
}

fn word_token(word: &str) -> Token<'_> {
    // Results begin like move numbers, so they come first.
    let without_number = word
        .trim_start_matches(is_digit)
        .trim_start_matches(['.', '…']);
    if let Some(result) = result(word).or_else(|| result(without_number)) {
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

fn result(word: &str) -> Option<RecordResult> {
    RecordResult::ALL
        .into_iter()
        .find(|result| result.text() == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::{
        Annotation, CommentStart, LineComment, Move, MoveNumber, Unexpected, VariationStart,
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
                Unexpected(")"),
                LineComment(" x (y) {")
            ]
        );
        assert_eq!(tokens("--"), [Unexpected("--")]);
        assert_eq!(tokens("}[<\""), ["}", "[", "<", "\""].map(Unexpected));
        assert_eq!(tokens("d3–e3"), [Move("d3–e3")]);
    }
}
