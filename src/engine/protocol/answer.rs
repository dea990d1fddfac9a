//! Answers: lines from the engine to the manager or user.

use std::fmt;

use super::Dialect;
use super::info::Info;
use super::words::field;
use crate::engine::{EMPTY, OptionDeclaration, OptionKind};
use crate::text::named_enum;

/// A line of output.
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
