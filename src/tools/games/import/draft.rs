//! A game that is being read from another format.

use std::fmt::Display;

use vato_engine::notation::pgn::{GameRecord, PgnError, PgnProblem, RecordResult};
use vato_engine::rules::parse_rules;
use vato_engine::text::printable;

use super::{Item, LONGEST};

/// The tags that every record has.
const ROSTER: usize = 7;

/// A record whose turns are words as the format has them.
pub(super) struct Draft {
    record: GameRecord,
    /// The line where it begins.
    line: u64,
    result: Option<RecordResult>,
    /// How the game has ended, if not by the rules.
    termination: &'static str,
    fault: Option<String>,
}

impl Draft {
    /// A game by these rules.
    pub fn new(line: u64, rules: &str) -> Draft {
        let record = parse_rules(rules).map(|rules| GameRecord::new(&rules, &rules.start()));
        let fault = record.as_ref().err().map(ToString::to_string);
        Draft {
            record: record.unwrap_or_default(),
            line,
            result: None,
            termination: "unknown",
            fault,
        }
    }

    /// A game of a list, by these rules unless it has its own.
    pub fn of_list(record: GameRecord, rules: &str) -> Draft {
        let mut draft = Draft::new(record.line().unwrap_or_default(), rules);
        draft.result(Some(record.result()).filter(|result| *result != RecordResult::Unfinished));
        let own = std::mem::replace(&mut draft.record, record);
        if ["Variant", "Rules"]
            .iter()
            .all(|name| draft.record.tag(name).is_none())
        {
            let rules = own.tags().iter().skip(ROSTER);
            rules.for_each(|tag| draft.tag(tag.name(), tag.value()));
        }
        draft
    }

    /// Notes what is wrong; the first fault counts.
    pub fn fail(&mut self, problem: impl Display) {
        self.fault
            .get_or_insert_with(|| printable(&problem.to_string(), LONGEST));
    }

    /// Sets a tag, unless its value is empty.
    pub fn tag(&mut self, name: &str, value: &str) {
        if !value.is_empty()
            && let Err(error) = self.record.set_tag(name, value)
        {
            self.fail(error);
        }
    }

    /// Adds the words of a turn.
    pub fn turn(&mut self, text: &str) {
        for word in text.split_whitespace() {
            if let Err(error) = self.record.push_move(word, None) {
                self.fail(error);
            }
        }
    }

    /// Sets the result that the source states, if it does.
    pub fn result(&mut self, result: Option<RecordResult>) {
        self.result = result.or(self.result);
    }

    /// Says how the game has ended, if not by the rules: a value of the tag `Termination`.
    pub fn ended_by(&mut self, termination: &'static str) {
        self.termination = termination;
    }

    /// The record, if its words are legal turns.
    pub fn finish(mut self) -> Item {
        let players = self.record.players();
        let error = |line: Option<u64>, problem| PgnError {
            line: line.unwrap_or(self.line),
            players: players.clone(),
            problem: PgnProblem::Text(problem),
        };
        if let Some(fault) = self.fault.take() {
            return Err(error(None, fault));
        }
        let game = self
            .record
            .respell()
            .map_err(|fault| error(fault.line, fault.problem))?;
        let outcome = game.outcome();
        let result = self.result.unwrap_or_else(|| RecordResult::from(outcome));
        self.record.set_result(result);
        if outcome.is_none() && result != RecordResult::Unfinished {
            self.tag("Termination", self.termination);
        }
        self.record.set_line(self.line);
        Ok(self.record)
    }
}

/// How a step captures that removes this point: places are file and rank.
pub(super) fn capture_sign(from: [i32; 2], to: [i32; 2], removed: [i32; 2]) -> &'static str {
    let ahead: i32 = (0..2)
        .map(|axis| (removed[axis] - to[axis]) * (to[axis] - from[axis]))
        .sum();
    match ahead > 0 {
        true => "A",
        false => "W",
    }
}

/// File and rank of a point by its name.
pub(super) fn place(name: &str) -> [i32; 2] {
    let mut characters = name.bytes().map(i32::from);
    [(); 2].map(|()| characters.next().unwrap_or_default())
}
