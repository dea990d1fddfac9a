//! The lines of a record: the match, and then a line for each finished game.

use crate::openings::OpeningSuite;
use crate::tournament::game::Finding;
use crate::tournament::settings::MatchSettings;
use crate::tournament::statistics::SprtState;
use std::time::SystemTime;
use vato_engine::search::ScoreEntry;
use vato_engine::text::timestamp;
use vato_records::pgn::Termination;

use serde::{Deserialize, Serialize};

pub(super) const FORMAT: u32 = 1;

/// What match this is: the first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// Version of the program that began the match.
    pub version: String,
    /// When it began (UTC).
    pub started: String,
    /// Its settings, with the engines' names.
    pub settings: MatchSettings,
    /// Its openings, to be recognised.
    pub openings: OpeningsHeader,
    /// How the test over several machines has ended, if it had when this head was written. It stands, whatever games
    /// that end later say: otherwise some machines would stop and others go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<SprtState>,
}

/// What a book is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsHeader {
    /// Number of openings; `None` if they are made up without end.
    pub count: Option<usize>,
    /// Checksum over their text.
    pub crc32: u32,
}

impl OpeningsHeader {
    /// What this book is recognised by.
    pub fn of(book: &OpeningSuite) -> OpeningsHeader {
        OpeningsHeader {
            count: book.count(),
            crc32: book.checksum,
        }
    }
}

impl Header {
    /// The header of a match that begins now.
    pub fn new(settings: MatchSettings, openings: OpeningsHeader) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: timestamp(SystemTime::now(), 3),
            settings,
            openings,
            verdict: None,
        }
    }
}

/// The first line, with a key that tells it from games.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeaderLine {
    #[serde(rename = "match")]
    pub(super) header: Header,
}

/// A finished game: one line of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its number in the schedule, from 1.
    pub game: u32,
    /// The pair that it belongs to, from 1: two games with the same opening and swapped colours (in a
    /// vela two rounds).
    pub pair: u32,
    /// Where it belongs in the tournament.
    #[serde(default)]
    pub place: PlaceEntry,
    /// Its rules, as a rules string: of a vela, and where they are not those of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// What it began with.
    pub opening: OpeningEntry,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Who won; `None` for a draw.
    pub winner: Option<String>,
    /// Of which kind the end was.
    pub termination: Termination,
    /// Why the game ended, as a plain sentence.
    pub reason: String,
    /// The engine's line that shows it, for a fault.
    pub line: Option<String>,
    /// Number of moves, those of the opening included.
    pub plies: u32,
    /// When it began (UTC).
    pub started: String,
    /// How long it lasted, in seconds.
    pub seconds: f64,
    /// The moves.
    pub moves: Vec<MoveEntry>,
    /// What was wrong with the engines' answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Finding>,
    /// Length of the PGN file with this game at its end, in bytes.
    #[serde(default)]
    pub pgn_bytes: u64,
}

/// Where a game belongs in a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceEntry {
    /// The round, from 1.
    pub round: u32,
    /// The encounter within the round, from 1.
    pub encounter: u32,
    /// The game within the encounter, from 1.
    pub game: u32,
}

/// What a game began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningEntry {
    /// Its name.
    pub name: String,
    /// The position that the moves begin at; `None` for the start of the rules.
    pub fen: Option<String>,
    /// The moves that were not the engines' own.
    pub moves: Vec<String>,
}

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveEntry {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether it belongs to the opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// What the mover thought of its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreEntry>,
    /// The depth that it reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The selective depth that it reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The nodes that it searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds from the command to the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<f64>,
    /// Milliseconds that the engine says to have searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced_ms: Option<u64>,
    /// Whether it had expected the move before, and thought on the opponent's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pondered: bool,
}
