//! Answers: lines from the engine to the manager or user.

use std::fmt;
use std::str::FromStr;

use super::Dialect;
use super::info::Info;
use super::words::{ParseError, Words, field};
use crate::engine::{EMPTY, OptionDeclaration, OptionKind};
use crate::text::named_enum;

/// A line of output.
///
/// [`FromStr`] accepts every line: one without a protocol keyword is [`Answer::Text`]. An error means a
/// keyword with invalid arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `option name …`.
    Option(OptionDeclaration),
    /// `ugiok`, `uciok`: the end of the handshake.
    Ok(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `info …` with fields of a search.
    Info(Info),
    /// `info string …`.
    Note(String),
    /// `info string error …`.
    Error(String),
    /// `bestmove …`: the end of a search.
    BestMove(BestMove),
    /// `response …`: the answer to `query`.
    Response(Response),
    /// Any other line: diagrams, counts, plain text.
    Text(String),
}

/// `bestmove M [ponder P]`; moves are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move; `None` (`0000`) without a legal move.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}

/// The answer to `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// To `query p1turn` and `query gameover`.
    Flag(bool),
    /// To `query result`.
    Result(GameResult),
}

named_enum! {
    /// Result of a game, as answered to `query result`.
    pub enum GameResult {
        /// Not finished.
        None = "none",
        /// Player 1 has won.
        P1Win = "p1win",
        /// Player 2 has won.
        P2Win = "p2win",
        /// A draw.
        Draw = "draw",
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {name}"),
            Answer::Author(author) => write!(f, "id author {author}"),
            Answer::Option(declaration) => write!(f, "option {declaration}"),
            Answer::Ok(dialect) => write!(f, "{dialect}ok"),
            Answer::ReadyOk => f.write_str("readyok"),
            Answer::Info(info) => write!(f, "info{info}"),
            Answer::Note(text) => write!(f, "info string {text}"),
            Answer::Error(text) => write!(f, "info string error {text}"),
            Answer::BestMove(BestMove { best, ponder }) => {
                let best = best.as_deref().unwrap_or("0000");
                write!(f, "bestmove {best}{}", field("ponder", ponder.as_ref()))
            }
            Answer::Response(Response::Flag(flag)) => write!(f, "response {flag}"),
            Answer::Response(Response::Result(result)) => write!(f, "response {result}"),
            Answer::Text(text) => f.write_str(text),
        }
    }
}

impl FromStr for Answer {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Answer, ParseError> {
        let mut words = Words::new(line);
        Ok(match words.next() {
            Some("id") => match words.next() {
                Some("name") => Answer::Name(words.rest.to_owned()),
                Some("author") => Answer::Author(words.rest.to_owned()),
                other => return Err(ParseError::wrong("id", other, "name or author")),
            },
            Some("option") => Answer::Option(words.rest.parse()?),
            Some("ugiok") => Answer::Ok(Dialect::Ugi),
            Some("uciok") => Answer::Ok(Dialect::Uci),
            Some("readyok") => Answer::ReadyOk,
            Some("info") => match words.next_if("string") {
                false => Answer::Info(Info::parse(words)?),
                true if words.next_if("error") => Answer::Error(words.rest.to_owned()),
                true => Answer::Note(words.rest.to_owned()),
            },
            Some("bestmove") => Answer::BestMove(parse_best_move(words)?),
            Some("response") => Answer::Response(parse_response(words)?),
            _ => Answer::Text(line.trim_end().to_owned()),
        })
    }
}

fn parse_best_move(mut words: Words<'_>) -> Result<BestMove, ParseError> {
    let mv = |word: &str| match word {
        "0000" | "(none)" | "none" => None,
        _ => Some(word.to_owned()),
    };
    let best = mv(words.required("bestmove", "the move")?);
    let ponder = match words.next() {
        None => None,
        Some("ponder") => words.next().and_then(mv),
        other => return Err(ParseError::wrong("bestmove", other, "ponder")),
    };
    Ok(BestMove { best, ponder })
}

fn parse_response(mut words: Words<'_>) -> Result<Response, ParseError> {
    const WORDS: &str = "true, false, none, p1win, p2win or draw";
    let word = words.required("response", "the word")?;
    let result = || GameResult::from_name(word).map(Response::Result);
    let known = word.parse().ok().map(Response::Flag).or_else(result);
    known.ok_or_else(|| ParseError::wrong("response", Some(word), WORDS))
}

impl fmt::Display for OptionDeclaration {
    /// The text after the word `option`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, range } => {
                let (min, max) = (range.start(), range.end());
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                let mut choices = choices.iter();
                choices.try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
            OptionKind::Button => f.write_str("button"),
        }
    }
}

impl FromStr for OptionDeclaration {
    type Err = ParseError;

    /// Parses the text after the word `option`.
    fn from_str(text: &str) -> Result<OptionDeclaration, ParseError> {
        let mut words = Words::new(text);
        match words.next() {
            Some("name") => {}
            other => return Err(ParseError::wrong("option", other, "name")),
        }
        let name: Vec<&str> = words.until("type").collect();
        words.required("option", "type")?;
        if name.is_empty() {
            return Err(ParseError::wrong("option", None, "the name"));
        }
        let kind = words.required("option", "the type")?;
        Ok(OptionDeclaration {
            name: name.join(" "),
            kind: parse_kind(kind, words)?,
        })
    }
}

fn parse_kind(kind: &str, mut words: Words<'_>) -> Result<OptionKind, ParseError> {
    if kind == "string" {
        let text = words.next_if("default").then_some(words.rest);
        let default = text.filter(|&text| text != EMPTY).unwrap_or_default();
        return Ok(OptionKind::Text {
            default: default.to_owned(),
        });
    }
    let (mut default, mut min, mut max) = Default::default();
    let mut choices = Vec::new();
    while let Some(word) = words.next() {
        let value: Vec<&str> = words.until("default min max var").collect();
        let value = value.join(" ");
        match word {
            "default" => default = value,
            "min" => min = value,
            "max" => max = value,
            "var" => choices.push(value),
            _ => {}
        }
    }
    let number = |place: &str, text: &str| {
        text.parse()
            .map_err(|_| ParseError::wrong(place, Some(text), "a whole number"))
    };
    match kind {
        "check" => Ok(OptionKind::Check {
            default: default.eq_ignore_ascii_case("true"),
        }),
        "spin" => Ok(OptionKind::Spin {
            default: number("option default", &default)?,
            range: number("option min", &min)?..=number("option max", &max)?,
        }),
        "combo" => Ok(OptionKind::Combo { default, choices }),
        "button" => Ok(OptionKind::Button),
        _ => {
            let kinds = "check, spin, combo, string or button";
            Err(ParseError::wrong("option type", Some(kind), kinds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OptionValue;

    #[test]
    fn what_other_engines_say() {
        let read = |line: &str| line.parse::<Answer>();
        let none = BestMove {
            best: None,
            ponder: None,
        };
        for word in ["0000", "(none)", "none"] {
            let line = format!("bestmove {word}\r");
            assert_eq!(read(&line), Ok(Answer::BestMove(none.clone())));
        }
        assert_eq!(read("info string"), Ok(Answer::Note(String::new())));
        assert_eq!(
            read("info string error in line 3"),
            Ok(Answer::Error("in line 3".to_owned()))
        );
        assert_eq!(
            read("Vato 0.1.0"),
            Ok(Answer::Text("Vato 0.1.0".to_owned()))
        );
        assert_eq!(read(""), Ok(Answer::Text(String::new())));
        for line in [
            "bestmove",
            "bestmove a b",
            "response",
            "response maybe",
            "id",
            "option x",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    fn option(text: &str) -> OptionDeclaration {
        text.parse().expect(text)
    }

    #[test]
    fn declarations_round_trip() {
        for text in [
            "name Clear Hash type button",
            "name Ponder type check default true",
            "name Hash type spin default 16 min 1 max 1048576",
            "name UCI_Variant type combo default free capture var tsivy var free capture",
            "name Log File type string default <empty>",
            "name Log File type string default /a b/min max 3",
        ] {
            assert_eq!(option(text).to_string(), text);
        }
        for text in [
            "",
            "x",
            "name x",
            "name type spin",
            "name x type",
            "name x type y",
            "name x type spin default a min 0 max 3",
            "name x type spin default 1",
        ] {
            assert!(text.parse::<OptionDeclaration>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_that_fit_and_values_that_do_not() {
        let value = |declaration: &str, text: Option<&str>| {
            let value = option(declaration).value(text);
            value.map_err(|error| error.to_string())
        };
        let hash = "name Hash type spin default 16 min 1 max 99";
        assert_eq!(value(hash, Some("7")), Ok(OptionValue::Number(7)));
        for wrong in ["0", "100", "x", "+7", "1.5", "--1", "99999999999999999999"] {
            let error = value(hash, Some(wrong)).expect_err(wrong);
            assert_eq!(
                error,
                format!("option Hash: '{wrong}', expected a number from 1 to 99")
            );
        }
        for missing in [None, Some("")] {
            let error = value(hash, missing).expect_err("missing");
            assert_eq!(
                error,
                "option Hash: the value is missing, expected a number from 1 to 99"
            );
        }
        let flag = "name Ponder type check default false";
        assert_eq!(value(flag, Some("True")), Ok(OptionValue::Flag(true)));
        assert!(value(flag, Some("1")).is_err());
        let combo = "name V type combo default a var a var Bc";
        assert_eq!(
            value(combo, Some("bC")),
            Ok(OptionValue::Text("Bc".to_owned()))
        );
        assert!(value(combo, Some("d")).is_err());
        let text = "name T type string default <empty>";
        for empty in [Some("<empty>"), Some(""), None] {
            assert_eq!(value(text, empty), Ok(OptionValue::Text(String::new())));
        }
        assert_eq!(value("name B type button", None), Ok(OptionValue::Pressed));
    }
}
