//! A game that is being read from another format.

use std::fmt::Display;

use vato_engine::rules::{Rules, parse_rules};
use vato_engine::text::printable;

use super::Item;
use vato_records::pgn::{GameRecord, PgnError, RecordFault, RecordResult};

/// How a game has ended whose source does not tell it.
const UNKNOWN: &str = "unknown";

/// The most characters of a message.
const LONGEST: usize = 300;

/// A record whose turns are words as the format has them.
pub(super) struct Draft {
    record: GameRecord,
    /// The line where it begins.
    line: u64,
    /// The first line of it that was read as Latin-1.
    pub latin1: Option<u64>,
    /// The result that the source states, if it does.
    pub result: RecordResult,
    /// How the game has ended, if not by the rules: a value of the tag `Termination`.
    pub termination: &'static str,
    fault: Option<RecordFault>,
    /// How many words a turn may have.
    words: usize,
}

impl Draft {
    /// A game by these rules.
    pub fn new(line: u64, rules: &str) -> Draft {
        let rules = parse_rules(rules).unwrap_or(Rules::STANDARD);
        let draft = Draft::of(GameRecord::new(&rules, &rules.start()));
        Draft {
            line,
            words: 1,
            ..draft
        }
    }

    /// A game whose record says by which rules.
    pub fn of(record: GameRecord) -> Draft {
        Draft {
            line: record.line().unwrap_or_default(),
            latin1: record.latin1_line(),
            result: record.result(),
            termination: UNKNOWN,
            fault: None,
            words: usize::MAX,
            record,
        }
    }

    /// Notes what is wrong; the first fault counts.
    pub fn fail(&mut self, problem: impl Display) {
        self.fault.get_or_insert_with(|| RecordFault {
            line: None,
            problem: printable(&problem.to_string(), LONGEST),
        });
    }

    /// Sets a tag, unless its value is empty.
    pub fn tag(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            let value = match name {
                "Date" => &value.replace('-', "."),
                _ => value,
            };
            let set = self.record.set_tag(name, value);
            set.unwrap_or_else(|error| self.fail(error));
        }
    }

    /// Adds a turn, which is a whole one.
    pub fn turn(&mut self, text: &str) {
        if self.termination != UNKNOWN {
            self.fail(format_args!("'{text}' comes after the end of the game"));
        }
        let is_between = |c: char| c.is_whitespace() || c == ',';
        let words: Vec<&str> = text
            .split(is_between)
            .filter(|word| !word.is_empty())
            .collect();
        let added = self.record.push_move(&words.join(","), None);
        added.unwrap_or_else(|error| self.fail(error));
    }

    /// The record. A turn that is not legal is named where it is played, as that of a game of PGN, if there is one before it.
    pub fn finish(mut self) -> Item {
        let read = match self.fault.take() {
            Some(fault) => Err(fault),
            None => (self.record.respell(self.words))
                .or_else(|fault| self.record.replay_plies(1).map_err(|_| fault)),
        };
        let game = read.map_err(|fault| {
            let line = fault.line.or(Some(self.line));
            PgnError::of(&self.record, RecordFault { line, ..fault })
        })?;
        if self.result == RecordResult::Unfinished {
            self.result = game.outcome().into();
        } else if game.outcome().is_none() && self.record.tag("Termination").is_none() {
            self.tag("Termination", self.termination);
        }
        self.record.set_result(self.result);
        self.record.set_lines(self.line, self.latin1);
        Ok(self.record)
    }
}

/// How a step between two points captures that removes a third.
pub(super) fn capture_sign(from: &str, to: &str, removed: &str) -> &'static str {
    let [from, to, removed] = [from, to, removed].map(str::as_bytes);
    let at = |name: &[u8], axis| i32::from(name.get(axis).copied().unwrap_or_default());
    let ahead = |axis| (at(removed, axis) - at(to, axis)) * (at(to, axis) - at(from, axis));
    if ahead(0) + ahead(1) > 0 { "A" } else { "W" }
}
