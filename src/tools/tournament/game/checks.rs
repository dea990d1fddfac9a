//! Checks of answers that do not cost an engine the game.

use serde::{Deserialize, Serialize};

use crate::tournament::engine::SearchAnswer;
use vato_engine::board::Move;
use vato_engine::notation::parse_turn;
use vato_engine::rules::Game;
use vato_engine::text::{named_enum, printable};

/// The most characters of a line of play that is shown.
const SHOWN: usize = 300;

named_enum! {
    /// A check that an engine may fail, named by the advice to its author.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Check {
        /// A `pv` with an illegal move, or one that goes on after the end of the game.
        IllegalPv = "only legal moves in pv, none after the end of the game",
        /// A `pv` that does not begin with the move played.
        PvWithoutBestmove = "begin pv with the move of bestmove",
        /// A forced win was announced, and the game was not won.
        BrokenWinClaim = "a score of mate only for a forced win",
        /// No line with a score before the answer.
        MissingInfo = "print an info line with a score before bestmove",
        /// An unreadable `info` line.
        UnreadableInfo = "info lines as the protocol has them",
        /// A `bestmove` without `go`.
        StrayAnswer = "one bestmove for each go",
        /// An answer later than its time, within the margin or not.
        LateAnswer = "answer within the time given",
    }
}

/// How often an engine failed a check in a game, with the first example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Whose.
    pub engine: String,
    /// Which check.
    pub check: Check,
    /// How often.
    pub count: u32,
    /// The first time.
    pub example: String,
}

/// Adds a finding to those of a game.
pub(super) fn add_finding(
    findings: &mut Vec<Finding>,
    engine: &str,
    check: Check,
    count: u32,
    example: impl Into<String>,
) {
    let is_known = |known: &&mut Finding| known.engine == engine && known.check == check;
    match findings.iter_mut().find(is_known) {
        _ if count == 0 => {}
        Some(known) => known.count = known.count.saturating_add(count),
        None => findings.push(Finding {
            engine: engine.to_owned(),
            check,
            count,
            example: example.into(),
        }),
    }
}

/// Checks an engine's answer to a search of `game`'s position, and the move that it named.
pub(super) fn check_answer(
    findings: &mut Vec<Finding>,
    engine: &str,
    game: &Game,
    answer: &SearchAnswer,
    best: Move,
) {
    let reports = &answer.reports;
    if reports.scored.is_none() {
        add_finding(findings, engine, Check::MissingInfo, 1, &answer.line);
    }
    if let Some(bad) = &reports.bad {
        add_finding(findings, engine, Check::UnreadableInfo, 1, bad);
    }
    let pv = || printable(&reports.pv.join(" "), SHOWN);
    let line = || format!("pv {}; {}", pv(), answer.line);
    let mut ahead = game.clone();
    for (index, text) in reports.pv.iter().enumerate() {
        let mv = match parse_turn(text, ahead.rules(), ahead.position()) {
            Ok((_, mv)) if ahead.outcome().is_none() && ahead.play(mv).is_ok() => mv,
            _ => {
                add_finding(findings, engine, Check::IllegalPv, 1, line());
                return;
            }
        };
        if index == 0 && mv != best {
            add_finding(findings, engine, Check::PvWithoutBestmove, 1, line());
        }
    }
}
