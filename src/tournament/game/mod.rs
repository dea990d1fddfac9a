//! One game between two engines, refereed.

mod adjudication;
mod checks;
mod pondering;
mod table;

use std::time::{Instant, SystemTime};

use humantime::format_rfc3339_millis;

pub use checks::{Check, Finding};

use self::table::{End, Table};
use super::engine::{Player, Trouble};
use super::record::{GameEntry, MoveEntry, OpeningEntry, PlaceEntry};
use super::settings::{EngineSettings, MatchSettings};
use super::verdict::Verdict;
use crate::board::Side;
use crate::notation::format_fen;
use crate::notation::pgn::Termination;
use crate::openings::OpeningLine;
use crate::rules::Rules;
use crate::tablebase::Tablebases;

/// A game that is to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePlan<'a> {
    /// Its number in the schedule, from 1.
    pub(super) number: u32,
    /// The pair that it belongs to, from 1.
    pub(super) pair: u32,
    /// Where it belongs in the tournament, if that is of interest.
    pub(super) place: Option<PlaceEntry>,
    /// The match that it belongs to.
    pub(super) settings: &'a MatchSettings,
    /// Its rules: those of the match, or their vela.
    pub(super) rules: Rules,
    /// What decides it as soon as it gets there.
    pub(super) tables: Option<&'a Tablebases>,
    /// What it begins with.
    pub(super) opening: &'a OpeningLine,
    /// Who plays: two engines by their places in the settings.
    pub(super) engines: [usize; 2],
    /// Which of these two (0 or 1) plays White.
    pub(super) white: usize,
}

/// A game that has been played.
#[derive(Debug)]
pub(super) struct Finished {
    /// What happened.
    pub(super) entry: GameEntry,
    /// Who has won; `None`: nobody.
    pub(super) winner: Option<Side>,
    /// Which of the two engines (in the order of the plan, not of colours) have to be started anew.
    pub(super) broken: [bool; 2],
}

/// The match is to stop now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted;

impl GamePlan<'_> {
    /// Which of the two engines (0 or 1) plays `side`.
    pub(super) fn engine_of(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => 1 - self.white,
        }
    }

    fn engine(&self, side: Side) -> &EngineSettings {
        &self.settings.engines[self.engines[self.engine_of(side)]]
    }

    fn name(&self, side: Side) -> String {
        self.engine(side).name.clone().unwrap_or_default()
    }
}

/// Plays a game with engines that are ready for it; `players` are in the order of the plan, not of
/// colours.
///
/// # Errors
///
/// If the match is to stop now.
pub(super) fn play(
    plan: &GamePlan<'_>,
    players: &mut [Player; 2],
) -> Result<Finished, Interrupted> {
    let started = SystemTime::now();
    let clock = Instant::now();
    let mut table = Table::new(plan, players);
    let verdict = loop {
        match table.play_move() {
            Ok(None) => {}
            Ok(Some(verdict)) => break verdict,
            Err(End::Interrupted) => return Err(Interrupted),
            Err(End::Fault { side, fault }) => break table.fault(side, fault),
        }
    };
    table.settle(&verdict).map_err(|()| Interrupted)?;
    let seconds = clock.elapsed().as_secs_f64();
    let broken = table.broken();
    let (moves, checks) = table.into_record();
    let mut entry = entry(plan, moves, &verdict, started);
    entry.seconds = (seconds * 1e3).round() / 1e3;
    entry.checks = checks.named(|side| plan.name(side));
    Ok(Finished {
        winner: verdict.winner,
        entry,
        broken,
    })
}

/// A game without a move, as one of its engines is `absent`, or both are; `why`: the end of a sentence
/// that begins with the engine's name.
pub(super) fn forfeit(
    plan: &GamePlan<'_>,
    absent: [bool; 2],
    termination: Termination,
    why: &str,
) -> Finished {
    let is_there = |side: &Side| !absent[plan.engine_of(*side)];
    let winner = Side::BOTH.into_iter().find(is_there);
    let reason = match winner {
        Some(winner) => format!("{} ({}) {why}", plan.name(!winner), !winner),
        None => format!("draw: neither engine is there; each {why}"),
    };
    let verdict = Verdict {
        winner,
        termination,
        reason,
        line: None,
    };
    Finished {
        winner,
        entry: entry(plan, Vec::new(), &verdict, SystemTime::now()),
        broken: [false; 2],
    }
}

/// The game as the record has it, but for how long it took and what was wrong with answers.
fn entry(
    plan: &GamePlan<'_>,
    moves: Vec<MoveEntry>,
    verdict: &Verdict,
    started: SystemTime,
) -> GameEntry {
    let rules = &plan.rules;
    let start = &plan.opening.start;
    let opening_moves = moves.iter().take_while(|mv| mv.book);
    GameEntry {
        game: plan.number,
        pair: plan.pair,
        place: plan.place,
        rules: (*rules != plan.settings.rules).then(|| rules.to_string()),
        white: plan.name(Side::White),
        black: plan.name(Side::Black),
        opening: OpeningEntry {
            name: plan.opening.name.clone(),
            fen: (*start != rules.start()).then(|| format_fen(start, rules.board)),
            moves: opening_moves.map(|mv| mv.text.clone()).collect(),
        },
        result: match verdict.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
        .to_owned(),
        winner: verdict.winner.map(|side| plan.name(side)),
        termination: verdict.termination,
        reason: verdict.reason.clone(),
        line: verdict.line.clone(),
        plies: u32::try_from(moves.len()).unwrap_or(u32::MAX),
        started: format_rfc3339_millis(started).to_string(),
        seconds: 0.0,
        moves,
        checks: Vec::new(),
        pgn_bytes: 0,
    }
}

/// A trouble with the engine of `side`.
fn blame(side: Side) -> impl Fn(Trouble) -> End {
    move |trouble| match trouble {
        Trouble::Interrupted => End::Interrupted,
        Trouble::Fault(fault) => End::Fault { side, fault },
    }
}
