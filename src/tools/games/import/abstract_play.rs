//! Records of AbstractPlay: one, or an archive of any size.

use std::cmp::Ordering;
use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::{Deserializer, Value};
use vato_engine::counted;
use vato_engine::notation::pgn::{MAX_GAME_BYTES, PgnProblem, RecordResult, Termination};

use super::{Draft, Item, damage};

/// A capture is forced, chains stop freely; the fourth occurrence draws, and there is no limit.
pub(super) const RULES: &str = "repeat=4 limit=0";

/// The games of a text with JSON objects, in arrays or not.
pub(super) struct Records<R> {
    input: R,
    /// Games that are not Fanorona.
    others: u64,
    at_end: bool,
}

impl<R: BufRead> Records<R> {
    pub fn new(input: R) -> Records<R> {
        Records {
            input,
            others: 0,
            at_end: false,
        }
    }

    /// Goes to the next object; whether there is one.
    fn find(&mut self) -> Result<bool, PgnProblem> {
        loop {
            let Some(&byte) = self.input.fill_buf()?.first() else {
                return Ok(false);
            };
            match byte {
                b'{' => return Ok(true),
                b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => {
                    self.input.consume(1)
                }
                _ => {
                    let found = char::from(byte).escape_default();
                    return Err(PgnProblem::Text(format!(
                        "expected a record, an object of JSON, not '{found}'"
                    )));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while !self.at_end {
            match self.find() {
                Ok(true) => {}
                Ok(false) => break,
                Err(problem) => {
                    self.at_end = true;
                    return Some(Err(damage(0, problem)));
                }
            }
            let text = Read::by_ref(&mut self.input).take(MAX_GAME_BYTES as u64);
            let value = match Value::deserialize(&mut Deserializer::from_reader(text)) {
                Ok(value) => value,
                // Where the next record begins is not known.
                Err(wrong) => {
                    self.at_end = true;
                    let problem = match wrong.is_io() {
                        true => PgnProblem::Input(wrong.into()),
                        false => PgnProblem::Text(format!(
                            "no record: {wrong}; nothing behind it is read"
                        )),
                    };
                    return Some(Err(damage(0, problem)));
                }
            };
            if value.pointer("/header/game/name").and_then(Value::as_str) != Some("Fanorona") {
                self.others += 1;
                continue;
            }
            return Some(draft(&value).finish());
        }
        let others = std::mem::take(&mut self.others);
        if others > 0 {
            log::warn!(
                "{} passed over",
                counted(others, "record of another game", "records of other games")
            );
        }
        None
    }
}

fn draft(record: &Value) -> Draft {
    let mut draft = Draft::new(0, RULES);
    let at = |place: &str| {
        record
            .pointer(&format!("/header/{place}"))
            .unwrap_or(&Value::Null)
    };
    for (tag, place) in [
        ("Event", "event"),
        ("Site", "site/name"),
        ("Date", "date-start"),
        ("Round", "round"),
        ("White", "players/0/name"),
        ("Black", "players/1/name"),
        ("GameId", "site/gameid"),
    ] {
        let value = at(place).as_str().unwrap_or_default();
        match tag {
            "Date" => draft.tag(tag, &value.get(..10).unwrap_or_default().replace('-', ".")),
            _ => draft.tag(tag, value),
        }
    }
    if at("game/variants")
        .as_array()
        .is_some_and(|variants| !variants.is_empty())
    {
        draft.fail(format_args!(
            "variants {}: their rules are not known",
            at("game/variants")
        ));
    }
    let results = ["players/0/result", "players/1/result"].map(|place| at(place).as_f64());
    let order = results[0]
        .zip(results[1])
        .and_then(|(white, black)| white.partial_cmp(&black));
    draft.result(order.map(|order| match order {
        Ordering::Greater => RecordResult::WhiteWins,
        Ordering::Less => RecordResult::BlackWins,
        Ordering::Equal => RecordResult::Draw,
    }));
    let Some(rounds) = record["moves"].as_array() else {
        draft.fail("the record has no moves");
        return draft;
    };
    for turn in rounds
        .iter()
        .flat_map(|round| round.as_array().into_iter().flatten())
    {
        match turn.as_str().or_else(|| turn["move"].as_str()) {
            Some("resign") => draft.ended_by(Termination::Resignation.pgn()),
            Some("timeout") => draft.ended_by(Termination::TimeLoss.pgn()),
            Some("draw") => draft.ended_by("agreement"),
            Some("abandoned") => draft.ended_by("abandoned"),
            Some(turn) => draft.turn(turn),
            None if turn.is_null() => {}
            None => draft.fail(format_args!("no turn: {turn}")),
        }
    }
    draft
}
