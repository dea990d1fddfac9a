//! One game between two engines, refereed.

mod adjudication;
mod checks;
mod referee;

use std::time::SystemTime;

use humantime::format_rfc3339_millis;

pub use checks::{Check, Finding};

use self::referee::Referee;
use super::engine::Player;
use super::formats::ScheduledGame;
use super::record::{GameEntry, MoveEntry, OpeningEntry};
use super::resources::Resources;
use super::settings::{EngineSettings, MatchSettings};
use crate::openings::OpeningLine;
use vato_engine::board::Side;
use vato_engine::notation::format_fen;
use vato_engine::notation::pgn::Termination;
use vato_engine::rules::Rules;

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
    pub(super) game: ScheduledGame,
    pub(super) entry: GameEntry,
    /// The winner; `None`: a draw, or none.
    pub(super) winner: Option<Side>,
    /// Whether White's engine, and Black's, has to be started anew.
    pub(super) broken: [bool; 2],
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

    fn name(&self, side: Side) -> &'a str {
        self.engine(side).name.as_deref().unwrap_or_default()
    }

    /// Plays the game with White's engine and Black's, which are ready for it; `None` if the match is to
    /// stop now.
    pub(super) fn play(&self, players: &mut [Player; 2]) -> Option<Finished> {
        Referee::new(self, players).play()
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
        let start = &self.opening.start;
        let opening_moves = moves.iter().take_while(|mv| mv.book);
        let entry = GameEntry {
            game: self.game.number,
            pair: self.game.pair,
            place: Some(self.game.place),
            rules: (self.game.vela).then(|| self.rules.to_string()),
            white: self.name(Side::White).to_owned(),
            black: self.name(Side::Black).to_owned(),
            opening: OpeningEntry {
                name: self.opening.name.clone(),
                fen: (*start != self.rules.start()).then(|| format_fen(start, self.rules.board)),
                moves: opening_moves.map(|mv| mv.text.clone()).collect(),
            },
            result: match result.winner {
                Some(Side::White) => "1-0",
                Some(Side::Black) => "0-1",
                None => "1/2-1/2",
            }
            .to_owned(),
            winner: result.winner.map(|side| self.name(side).to_owned()),
            termination: result.termination,
            reason: result.reason,
            line: result.line,
            plies: u32::try_from(moves.len()).unwrap_or(u32::MAX),
            started: format_rfc3339_millis(started).to_string(),
            seconds: 0.0,
            moves,
            checks: Vec::new(),
            pgn_bytes: 0,
        };
        Finished {
            game: *self.game,
            entry,
            winner: result.winner,
            broken: [false; 2],
            complaints: Vec::new(),
        }
    }
}
