//! Records of AbstractPlay: one, or an archive of any size.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::{iter, slice};

use serde::Deserialize as _;
use serde_json::{Deserializer, Value};
use vato_engine::board::Side;
use vato_engine::counted;

use super::{Draft, Games, Item};
use vato_records::pgn::{MAX_GAME_BYTES, PgnError, RecordResult, Termination};

/// A capture is forced, chains stop freely; the fifth occurrence draws, and there is no limit.
pub(super) const RULES: &str = "repeat=5 limit=0";

const GAME: &str = "Fanorona";

/// How games end that the rules do not: as a turn, and in the tag `Termination`.
const ENDS: [(&str, &str); 4] = [
    ("resign", Termination::Resignation.pgn()),
    ("timeout", Termination::TimeLoss.pgn()),
    ("draw", "agreement"),
    ("abandoned", "abandoned"),
];

/// Reads the records of a text with objects of JSON, in lists or not.
pub(super) fn read<'a>(input: impl BufRead + Send + 'a) -> Games<'a> {
    let mut records = Records {
        input,
        ahead: VecDeque::new(),
        read: Vec::new(),
        line: 1,
        is_damaged: false,
        again: MAX_GAME_BYTES,
        others: 0,
    };
    let mut is_over = false;
    Box::new(iter::from_fn(move || {
        let item = if is_over { Ok(None) } else { records.next() };
        is_over |= !matches!(item, Ok(Some(_)));
        item.unwrap_or_else(|error| Some(Err(PgnError::of_input(records.line, &error))))
    }))
}

/// The records of a text.
struct Records<R> {
    input: R,
    /// What is read again, before more of the input.
    ahead: VecDeque<u8>,
    /// What has been read of what may be a record.
    read: Vec<u8>,
    /// Where that begins.
    line: u64,
    /// Whether it may be the rest of what is no record.
    is_damaged: bool,
    /// How many bytes may be read again: where all is damaged, parts are not read again for each of their braces.
    again: usize,
    /// How many records are of other games.
    others: usize,
}

impl<R: BufRead> Read for Records<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.ahead.by_ref().chain(&mut self.input).read(into)?;
        self.read.extend(&into[..count]);
        Ok(count)
    }
}

impl<R: BufRead> Records<R> {
    /// Goes on behind so many bytes of what has been read.
    fn go_on(&mut self, bytes: usize) {
        let (done, again) = self.read.split_at(bytes);
        self.line += done.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.again = (self.again + bytes).saturating_sub(again.len());
        for &byte in again.iter().rev() {
            self.ahead.push_front(byte);
        }
        self.read.clear();
    }

    /// The next record, or what is wrong. A damaged one ends where another begins, which is whole or has its header first.
    fn next(&mut self) -> io::Result<Option<Item>> {
        let mut first = [0];
        while self.read(&mut first)? > 0 {
            let line = self.line;
            if first != *b"{" {
                self.go_on(1);
                let is_between = b"[], \t\r\n\xef\xbb\xbf".contains(&first[0]);
                if !is_between && !std::mem::replace(&mut self.is_damaged, true) {
                    return Ok(no_record(line, "expected '{' at its beginning"));
                }
                continue;
            }
            let room = first.chain(self.by_ref()).take(MAX_GAME_BYTES as u64);
            match Value::deserialize(&mut Deserializer::from_reader(room)) {
                Ok(record) => {
                    self.go_on(self.read.len());
                    if record["header"].is_object() {
                        self.is_damaged = false;
                        if record["header"]["game"]["name"] == GAME {
                            return Ok(Some(draft(line, &record).finish()));
                        }
                        self.others += 1;
                    } else if !std::mem::replace(&mut self.is_damaged, true) {
                        return Ok(no_record(line, "expected a header; a match has a PGN"));
                    }
                }
                Err(wrong) if wrong.is_io() => return Err(wrong.into()),
                Err(wrong) => {
                    let key = self.read[1..].trim_ascii_start();
                    let is_record = !self.is_damaged || key.starts_with(b"\"header\"");
                    let behind = self.read.len() - 1;
                    self.go_on([behind, 1][usize::from(behind <= self.again)]);
                    if is_record {
                        self.is_damaged = true;
                        // The place in the record is told by the line of the text.
                        let what = wrong.to_string();
                        let what = what.split(" at line ").next().unwrap_or_default();
                        return Ok(no_record(line + wrong.line().max(1) as u64 - 1, what));
                    }
                }
            }
        }
        let [one, many] = ["record of another game", "records of other games"];
        if self.others > 0 {
            log::warn!("{} passed over", counted(self.others, one, many));
        }
        Ok(None)
    }
}

/// That what begins in this line is none.
fn no_record(line: u64, problem: &str) -> Option<Item> {
    let problem = format!("no record of AbstractPlay: {problem}");
    Some(Err(PgnError::no_game(line, problem)))
}

fn draft(line: u64, record: &Value) -> Draft {
    let mut draft = Draft::new(line, RULES);
    let header = |place: &str| record["header"].pointer(place).unwrap_or(&Value::Null);
    for (tag, place) in [
        ("Event", "/event"),
        ("Site", "/site/name"),
        ("Round", "/round"),
        ("White", "/players/0/name"),
        ("Black", "/players/1/name"),
        ("GameId", "/site/gameid"),
    ] {
        let value = header(place);
        let number = value.as_i64().map(|number| number.to_string());
        let text = value.as_str().or(number.as_deref());
        draft.tag(tag, text.unwrap_or_default());
    }
    let date = header("/date-start").as_str().unwrap_or_default();
    let date: String = date.chars().take(10).collect();
    draft.tag("Date", &date);
    let variants = header("/game/variants");
    if variants.get(0).is_some() {
        draft.fail(format_args!("unknown rules: variants {variants}"));
    }
    let result = |side: usize| header(&format!("/players/{side}/result")).as_f64();
    if let (Some(white), Some(black)) = (result(0), result(1)) {
        let better = [Side::Black, Side::White][usize::from(white > black)];
        draft.result = RecordResult::of_winner((white != black).then_some(better));
    }
    let Some(rounds) = record["moves"].as_array() else {
        draft.fail("the record has no moves");
        return draft;
    };
    for round in rounds {
        let turns = round
            .as_array()
            .map_or(slice::from_ref(round), Vec::as_slice);
        let mut turns: Vec<&Value> = turns.iter().collect();
        turns.sort_by_key(|turn| turn["sequence"].as_i64());
        for turn in turns {
            let text = turn.as_str().or(turn["move"].as_str());
            match ENDS.iter().find(|(word, _)| text == Some(word)) {
                Some((_, termination)) => draft.termination = termination,
                None if turn.is_null() => {}
                None => match text {
                    Some(text) => draft.turn(text),
                    None => draft.fail(format_args!("no turn: {turn}")),
                },
            }
        }
    }
    draft
}
