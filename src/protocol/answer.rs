//! Answers: what an engine says to a manager or a person.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Dialect;
use super::info::Info;
use super::words::Words;
use crate::board::Side;
use crate::engine::OptionDeclaration;
use crate::text::excerpt;

/// A line that an engine prints.
///
/// [`FromStr`] reads every line: one that begins with none of the protocol's words is
/// [`Answer::Text`]. An error means a protocol word with something wrong behind it.
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
    /// `info …` with figures of a search.
    Info(Info),
    /// `info string …`.
    Note(String),
    /// `info string error …`.
    Error(String),
    /// `bestmove …`: the end of a search.
    BestMove(BestMove),
    /// `response …`: the answer to `query`.
    Response(Response),
    /// Anything else: diagrams, counts, text for people.
    Text(String),
}

/// `bestmove M [ponder P]`; moves are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move, `None` (`0000`) if there is no legal one.
    pub best: Option<String>,
    /// The reply that is expected.
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

/// How a game stands, as `query result` is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// It is under way.
    None,
    /// Player 1 has won.
    P1Win,
    /// Player 2 has won.
    P2Win,
    /// A draw.
    Draw,
}

impl GameResult {
    /// The result of a game that has ended.
    pub(super) fn won_by(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::White) => GameResult::P1Win,
            Some(Side::Black) => GameResult::P2Win,
            None => GameResult::Draw,
        }
    }

    /// The word of the answer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::None => "none",
            GameResult::P1Win => "p1win",
            GameResult::P2Win => "p2win",
            GameResult::Draw => "draw",
        }
    }
}

/// What is wrong with a line that begins like an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// Something is not there.
    #[error("{answer}: {what} is missing")]
    Missing {
        /// The answer's first word.
        answer: &'static str,
        /// What is not there.
        what: &'static str,
    },
    /// A word that does not belong where it is.
    #[error("{answer}: '{found}', want {wanted}")]
    Unexpected {
        /// The answer's first word.
        answer: &'static str,
        /// The word.
        found: String,
        /// What could have been there.
        wanted: &'static str,
    },
}

impl AnswerError {
    pub(super) fn missing(answer: &'static str, what: &'static str) -> AnswerError {
        AnswerError::Missing { answer, what }
    }

    pub(super) fn unexpected(
        answer: &'static str,
        found: &str,
        wanted: &'static str,
    ) -> AnswerError {
        AnswerError::Unexpected {
            answer,
            found: excerpt(found),
            wanted,
        }
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
                write!(f, "bestmove {}", best.as_deref().unwrap_or("0000"))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
            Answer::Response(response) => write!(f, "response {response}"),
            Answer::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Flag(flag) => write!(f, "{flag}"),
            Response::Result(result) => f.write_str(result.name()),
        }
    }
}

impl FromStr for Answer {
    type Err = AnswerError;

    fn from_str(line: &str) -> Result<Answer, AnswerError> {
        let mut words = Words::new(line);
        match words.next() {
            Some("id") => match words.next() {
                Some("name") => Ok(Answer::Name(words.rest().to_owned())),
                Some("author") => Ok(Answer::Author(words.rest().to_owned())),
                Some(other) => Err(AnswerError::unexpected("id", other, "name or author")),
                None => Err(AnswerError::missing("id", "name or author")),
            },
            Some("option") => words.rest().parse().map(Answer::Option),
            Some("ugiok") => Ok(Answer::Ok(Dialect::Ugi)),
            Some("uciok") => Ok(Answer::Ok(Dialect::Uci)),
            Some("readyok") => Ok(Answer::ReadyOk),
            Some("info") if words.peek() == Some("string") => {
                words.next();
                let text = words.rest();
                Ok(match words.next() {
                    Some("error") => Answer::Error(words.rest().to_owned()),
                    _ => Answer::Note(text.to_owned()),
                })
            }
            Some("info") => Info::parse(words).map(Answer::Info),
            Some("bestmove") => parse_best_move(words).map(Answer::BestMove),
            Some("response") => parse_response(words).map(Answer::Response),
            _ => Ok(Answer::Text(line.trim_end().to_owned())),
        }
    }
}

fn parse_best_move(mut words: Words<'_>) -> Result<BestMove, AnswerError> {
    let mv = |word: &str| match word {
        "0000" | "(none)" | "none" => None,
        _ => Some(word.to_owned()),
    };
    let best = words
        .next()
        .ok_or(AnswerError::missing("bestmove", "the move"))?;
    let ponder = match words.next() {
        None => None,
        Some("ponder") => words.next().and_then(mv),
        Some(other) => return Err(AnswerError::unexpected("bestmove", other, "ponder")),
    };
    Ok(BestMove {
        best: mv(best),
        ponder,
    })
}

fn parse_response(mut words: Words<'_>) -> Result<Response, AnswerError> {
    match words.next() {
        Some("true") => Ok(Response::Flag(true)),
        Some("false") => Ok(Response::Flag(false)),
        Some("none") => Ok(Response::Result(GameResult::None)),
        Some("p1win") => Ok(Response::Result(GameResult::P1Win)),
        Some("p2win") => Ok(Response::Result(GameResult::P2Win)),
        Some("draw") => Ok(Response::Result(GameResult::Draw)),
        Some(other) => Err(AnswerError::unexpected(
            "response",
            other,
            "true, false, none, p1win, p2win or draw",
        )),
        None => Err(AnswerError::missing("response", "the word")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
