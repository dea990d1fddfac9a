//! One game between two engines, refereed.

mod adjudication;
mod checks;
mod referee;

use std::time::SystemTime;

pub use checks::{Check, Finding};

pub(super) use self::referee::Referee;
use super::formats::ScheduledGame;
use super::record::{GameEntry, OpeningEntry};
use super::resources::Resources;
use super::settings::{EngineSettings, MatchSettings};
use crate::openings::OpeningLine;
use vato_engine::board::Side;
use vato_engine::notation::format_fen;
use vato_engine::rules::Rules;
use vato_engine::text::timestamp;
use vato_records::pgn::{RecordResult, Termination};

/// Everything that defines a game.
#[derive(Debug)]
pub(super) struct GameSetup<'a> {
    game: &'a ScheduledGame,
    settings: &'a MatchSettings,
    resources: &'a Resources,
    /// Those of the match, or their vela.
    pub(super) rules: Rules,
    opening: OpeningLine,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GameResult {
    /// The winner, `None` for a draw.
    winner: Option<Side>,
    termination: Termination,
    /// Why, as a plain sentence.
    reason: String,
    /// The engine's line that shows it, for a fault.
    line: Option<String>,
}

impl GameResult {
    /// An end that no line of an engine shows.
    fn new(winner: Option<Side>, termination: Termination, reason: String) -> GameResult {
        GameResult {
            winner,
            termination,
            reason,
            line: None,
        }
    }
}

impl<'a> GameSetup<'a> {
    pub(super) fn new(
        game: &'a ScheduledGame,
        settings: &'a MatchSettings,
        resources: &'a Resources,
    ) -> GameSetup<'a> {
        GameSetup {
            game,
            settings,
            resources,
            rules: settings.game_rules(game.vela),
            opening: resources.openings.line(game),
        }
    }

    fn engine(&self, side: Side) -> &'a EngineSettings {
        &self.settings.engines[self.game.players[side.index()]]
    }

    fn name(&self, side: Side) -> &'a str {
        self.engine(side).name.as_deref().unwrap_or_default()
    }

    /// A game without a move that the `absent` engines lose; `why` ends a sentence that begins with the
    /// name of one.
    pub(super) fn forfeit(
        &self,
        absent: [bool; 2],
        termination: Termination,
        why: &str,
    ) -> GameEntry {
        let winner = Side::BOTH.into_iter().find(|side| !absent[side.index()]);
        let reason = match winner {
            Some(winner) => format!("{} ({}) {why}", self.name(!winner), !winner),
            None => format!("draw: neither engine is there; each {why}"),
        };
        self.finished(self.begun(), GameResult::new(winner, termination, reason))
    }

    /// The game as the record has it before its first move.
    fn begun(&self) -> GameEntry {
        let (start, rules) = (&self.opening.start, &self.rules);
        let has_own_rules = self.game.vela || *rules != self.settings.rules;
        GameEntry {
            game: self.game.number,
            pair: self.game.pair,
            place: self.game.place,
            rules: has_own_rules.then(|| rules.to_string()),
            white: self.name(Side::White).to_owned(),
            black: self.name(Side::Black).to_owned(),
            opening: OpeningEntry {
                name: self.opening.name.clone(),
                fen: (*start != rules.start()).then(|| format_fen(start, rules.board)),
                moves: Vec::new(),
            },
            result: RecordResult::Unfinished.name().to_owned(),
            winner: None,
            termination: Termination::Normal,
            reason: String::new(),
            line: None,
            plies: 0,
            started: timestamp(SystemTime::now(), 3),
            seconds: 0.0,
            moves: Vec::new(),
            checks: Vec::new(),
            pgn_bytes: 0,
        }
    }

    fn finished(&self, entry: GameEntry, result: GameResult) -> GameEntry {
        GameEntry {
            result: RecordResult::of_winner(result.winner).name().to_owned(),
            winner: result.winner.map(|side| self.name(side).to_owned()),
            termination: result.termination,
            reason: result.reason,
            line: result.line,
            ..entry
        }
    }
}
