//! One game between two engines, refereed.

mod adjudication;
mod checks;
mod referee;

use std::time::SystemTime;

pub use checks::{Check, Finding};

pub(super) use self::referee::Referee;
use super::formats::ScheduledGame;
use super::record::{GameEntry, MoveEntry, OpeningEntry};
use super::resources::Resources;
use super::settings::{EngineSettings, MatchSettings};
use crate::notation::pgn::{RecordResult, Termination};
use crate::openings::OpeningLine;
use vato_engine::board::Side;
use vato_engine::notation::format_fen;
use vato_engine::rules::Rules;
use vato_engine::text::timestamp;

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

/// A game that has been played, or given to one side.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) entry: GameEntry,
    /// The engines' `info string error` lines.
    pub(super) complaints: Vec<String>,
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

    /// Where the game begins; `None` for the start of its rules.
    fn fen(&self) -> Option<String> {
        let (start, rules) = (&self.opening.start, &self.rules);
        (*start != rules.start()).then(|| format_fen(start, rules.board))
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
    ) -> Finished {
        let winner = Side::BOTH.into_iter().find(|side| !absent[side.index()]);
        let reason = match winner {
            Some(winner) => format!("{} ({}) {why}", self.name(!winner), !winner),
            None => format!("draw: neither engine is there; each {why}"),
        };
        let result = GameResult::new(winner, termination, reason);
        self.finished(Vec::new(), result, SystemTime::now())
    }

    /// The game as the record has it, without its duration and findings.
    fn finished(&self, moves: Vec<MoveEntry>, result: GameResult, started: SystemTime) -> Finished {
        let opening_moves = moves.iter().take_while(|mv| mv.book);
        let entry = GameEntry {
            game: self.game.number,
            pair: self.game.pair,
            place: self.game.place,
            rules: (self.game.vela).then(|| self.rules.to_string()),
            white: self.name(Side::White).to_owned(),
            black: self.name(Side::Black).to_owned(),
            opening: OpeningEntry {
                name: self.opening.name.clone(),
                fen: self.fen(),
                moves: opening_moves.map(|mv| mv.text.clone()).collect(),
            },
            result: RecordResult::of_winner(result.winner).name().to_owned(),
            winner: result.winner.map(|side| self.name(side).to_owned()),
            termination: result.termination,
            reason: result.reason,
            line: result.line,
            plies: u32::try_from(moves.len()).unwrap_or(u32::MAX),
            started: timestamp(started, 3),
            seconds: 0.0,
            moves,
            checks: Vec::new(),
            pgn_bytes: 0,
        };
        Finished {
            entry,
            complaints: Vec::new(),
        }
    }
}
