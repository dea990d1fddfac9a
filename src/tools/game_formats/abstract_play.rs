//! Records of AbstractPlay: one, or an archive of any size.

use std::io::{self, BufRead, Read};
use std::{iter, slice};

use serde_json::Value;
use vato_engine::board::Side;
use vato_engine::counted;

use super::{Draft, Games};
use vato_records::pgn::{MAX_GAME_BYTES, PgnError, RecordResult, Termination};

/// A capture is forced, chains stop freely; the fifth occurrence draws, and there is no limit.
pub(super) const RULES: &str = "repeat=5 limit=0";

const GAME: &str = "Fanorona";

const NO_RECORD: &str = "no record of AbstractPlay: ";

/// How games end that the rules do not: as a turn, and in the tag `Termination`.
const ENDS: [(&str, &str); 4] = [
    ("resign", Termination::Resignation.pgn()),
    ("timeout", Termination::TimeLoss.pgn()),
    ("draw", "agreement"),
    ("abandoned", "abandoned"),
];

/// Reads the records of a text with objects of JSON, in an array or not.
pub(super) fn read<'a>(mut input: impl BufRead + Send + 'a) -> Games<'a> {
    let (mut rest, mut lines, mut others, mut is_over) = (Vec::new(), 1, 0, false);
    let mut torn = None;
    Box::new(iter::from_fn(move || {
        while !is_over {
            if let Some(torn) = torn.take() {
                return Some(Err(torn));
            }
            let part = match next_part(&mut input, &mut rest) {
                Ok(part) => part,
                Err(error) => {
                    is_over = true;
                    return Some(Err(PgnError::of_input(lines, &error)));
                }
            };
            is_over = part.is_empty();
            let is_between = |byte: &&u8| b"[], \t\r\n\xef\xbb\xbf".contains(*byte);
            let begin = part.iter().take_while(is_between).count();
            let end = part.len() - part.iter().rev().take_while(is_between).count();
            let text = part.get(begin..end).unwrap_or_default();
            let count = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count() as u64;
            let line = lines + count(&part[..begin]);
            lines += count(&part);
            if text.is_empty() {
                continue;
            }
            let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
            let (what, at) = match values.next()? {
                Ok(record) if record["header"].is_object() => {
                    // What is torn behind a whole record is a game of its own.
                    let behind = &text[values.byte_offset()..];
                    let between = behind.iter().take_while(is_between).count();
                    let at = text.len() - behind.len() + between;
                    let problem = format!("{NO_RECORD}its beginning is missing");
                    let line_of_rest = line + count(&text[..at]);
                    torn = (at < text.len()).then(|| PgnError::no_game(line_of_rest, problem));
                    if record["header"]["game"]["name"] == GAME {
                        return Some(draft(line, &record).finish());
                    }
                    others += 1;
                    continue;
                }
                Ok(_) => ("expected a header; a match has a PGN".to_owned(), 1),
                // The place in the record is told by the line of the text.
                Err(wrong) => (wrong.to_string(), wrong.line().max(1)),
            };
            let what = what.split(" at line ").next().unwrap_or_default();
            let problem = format!("{NO_RECORD}{what}");
            return Some(Err(PgnError::no_game(line + at as u64 - 1, problem)));
        }
        let [one, many] = ["record of another game", "records of other games"];
        match std::mem::take(&mut others) {
            0 => {}
            count => log::warn!("{} passed over", counted(count, one, many)),
        }
        None
    }))
}

/// The next part of a text, to where another record begins: one that is torn does not take others with it. What has been read
/// beyond it is the rest.
fn next_part(input: &mut impl BufRead, rest: &mut Vec<u8>) -> io::Result<Vec<u8>> {
    let mut text = std::mem::take(rest);
    loop {
        let before = text.strip_suffix(b"\"header\"");
        if let Some([before @ .., b'{']) = before.map(<[u8]>::trim_ascii_end)
            && !before.is_empty()
        {
            *rest = text.split_off(before.len());
            return Ok(text);
        }
        let room = MAX_GAME_BYTES.saturating_sub(text.len()) as u64;
        if input.take(room).read_until(b'"', &mut text)? == 0 {
            return Ok(text);
        }
    }
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
