//! What is wrong with an engine's answers without costing it the game.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::board::{Move, Side};
use crate::excerpt::printable;
use crate::notation::parse_turn;
use crate::rules::Game;
use crate::tournament::engine::SearchAnswer;

/// The most characters of a line of play that is shown.
const SHOWN: usize = 300;

/// Something that a good engine does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// A line of play with an illegal move, or one that goes on after the end of the game.
    IllegalPv,
    /// A line of play that does not begin with the move played.
    PvWithoutBestmove,
    /// A forced win was announced, and the game was not won.
    BrokenWinClaim,
    /// No line with a score before the answer.
    MissingInfo,
    /// An `info` line that does not read.
    UnreadableInfo,
    /// An answer that nobody had asked for.
    StrayAnswer,
    /// An option was set that it does not declare.
    UndeclaredOption,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::IllegalPv => "illegal PV",
            Check::PvWithoutBestmove => "PV does not begin with bestmove",
            Check::BrokenWinClaim => "announced win not kept",
            Check::MissingInfo => "no score before bestmove",
            Check::UnreadableInfo => "unreadable info line",
            Check::StrayAnswer => "bestmove without go",
            Check::UndeclaredOption => "option not declared",
        })
    }
}

/// How often an engine failed a check in a game, and what it did the first time.
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

/// The findings of one game, for both sides.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<(Side, Check, u32, String)>);

impl Findings {
    pub(super) fn add(&mut self, side: Side, check: Check, count: u32, example: impl Into<String>) {
        if count == 0 {
            return;
        }
        let known = self
            .0
            .iter_mut()
            .find(|(other, known, ..)| (*other, *known) == (side, check));
        match known {
            Some((_, _, known, _)) => *known = known.saturating_add(count),
            None => self.0.push((side, check, count, example.into())),
        }
    }

    /// Checks an answer to a search of `game`'s position, and the move that it named.
    pub(super) fn check_answer(&mut self, game: &Game, answer: &SearchAnswer, best: Move) {
        let side = game.position().side();
        if answer.info.is_none() {
            self.add(side, Check::MissingInfo, 1, &answer.line);
        }
        if let Some(bad) = &answer.bad_info {
            self.add(side, Check::UnreadableInfo, 1, bad);
        }
        let pv = &answer.pv;
        let line = || format!("pv {}; {}", printable(&pv.join(" "), SHOWN), answer.line);
        let mut ahead = game.clone();
        for (index, text) in pv.iter().enumerate() {
            let mv = match parse_turn(text, ahead.rules(), ahead.position()) {
                Ok((_, mv)) if ahead.outcome().is_none() && ahead.play(mv).is_ok() => mv,
                _ => {
                    self.add(side, Check::IllegalPv, 1, line());
                    return;
                }
            };
            if index == 0 && mv != best {
                self.add(side, Check::PvWithoutBestmove, 1, line());
            }
        }
    }

    /// The findings under the engines' names.
    pub(super) fn named(self, name: impl Fn(Side) -> String) -> Vec<Finding> {
        let finding = |(side, check, count, example)| Finding {
            engine: name(side),
            check,
            count,
            example,
        };
        self.0.into_iter().map(finding).collect()
    }
}
