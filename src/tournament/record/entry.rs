//! A finished game as the record holds it.

use serde::{Deserialize, Serialize};

use crate::notation::pgn::{ScoreEntry, Termination};
use crate::tournament::game::Finding;

/// A finished game: one line of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its number in the schedule, from 1.
    pub game: u32,
    /// The pair that it belongs to, from 1: two games with the same opening and swapped colours (in a
    /// vela two rounds).
    pub pair: u32,
    /// Where it belongs in the tournament; `None` in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceEntry>,
    /// Its rules, as a rules string, where they are not those of the match: in a vela.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveEntry {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether it belongs to the opening.
    #[serde(default, skip_serializing_if = "is_false")]
    pub book: bool,
    /// What the mover thought of its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreEntry>,
    /// The depth that it reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
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
    #[serde(default, skip_serializing_if = "is_false")]
    pub pondered: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_false(flag: &bool) -> bool {
    !flag
}

impl MoveEntry {
    /// A move of which nothing else is known.
    #[must_use]
    pub fn new(text: String) -> MoveEntry {
        MoveEntry {
            text,
            book: false,
            score: None,
            depth: None,
            nodes: None,
            time_ms: None,
            announced_ms: None,
            pondered: false,
        }
    }
}

impl GameEntry {
    /// A line of the record, with its end.
    ///
    /// # Errors
    ///
    /// If it cannot be put into JSON.
    pub fn to_line(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}
