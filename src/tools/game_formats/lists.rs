//! Lists of turns.

use vato_engine::rules::{Rules, parse_rules};

use super::abstract_play::RULES;
use super::draft::capture_sign;
use super::{Draft, GameFormat, Item, is_foreign};
use vato_records::pgn::{GameRecord, PgnReader, RecordedMove};

/// The format of a list, which its first turn tells: whether it has captures by signs.
pub(super) fn format(head: &str) -> Option<GameFormat> {
    let record = PgnReader::new(head.as_bytes()).next()?.ok()?;
    let first = record.moves().first()?.text();
    let step = first.split([',', '.']).next().unwrap_or_default();
    let is_signed = step.ends_with(['+', '-', 'x']) || step.starts_with('x');
    Some(match is_signed && is_foreign(&record) {
        true => GameFormat::SuperDuperGames,
        false => GameFormat::Pgn,
    })
}

/// The game of a list with signs, by the rules of AbstractPlay unless it has its own.
pub(super) fn signed(item: Item) -> Item {
    let record = item?;
    let own_rules = record.tag("Variant").or(record.tag("Rules")).is_some();
    let mut draft = Draft::of(record);
    if !own_rules {
        let rules = parse_rules(RULES).unwrap_or(Rules::STANDARD);
        draft.tag("Rules", &format!("{rules:#}"));
    }
    draft.finish()
}

/// Whether a record of PGN is one of vchess.
pub(super) fn is_vchess(record: &GameRecord) -> bool {
    record.tag_value("Variant") == Some("Fanorona") && record.tag("Fen").is_some()
}

/// Reads a record of vchess. Its moves do not tell captures, but behind them it has a list of the squares that change.
pub(super) fn vchess(record: &GameRecord) -> Item {
    // Only the end of the stones ends a game.
    let mut draft = Draft::new(record.line().unwrap_or_default(), "repeat=0 limit=0");
    let tag = |name| record.tag_value(name).unwrap_or_default();
    for name in ["Site", "Date", "White", "Black", "Url", "Cadence"] {
        draft.tag(name, tag(name));
    }
    if !tag("Fen").starts_with("ppppppppp/ppppppppp/pPpP1pPpP/PPPPPPPPP/PPPPPPPPP w ") {
        draft.fail("the tag Fen: only the start position of vchess is read");
    }
    (draft.result, draft.latin1) = (record.result(), record.latin1_line());
    let words: Vec<&str> = record.moves().iter().map(RecordedMove::text).collect();
    let is_side = |word: &&str| matches!(*word, "w" | "b");
    let begin = words.iter().position(is_side).unwrap_or(words.len());
    let (turns, list) = words.split_at(begin);
    if list.is_empty() {
        draft.fail("the list of squares is missing, which tells what is captured");
    } else if list.iter().filter(|word| is_side(word)).count() != turns.len() {
        draft.fail("the list of squares and the moves differ in the number of turns");
    }
    // `w f2.e3 wpe3/wpf2.bpd4.bpc5`, the steps of a turn joined by commas.
    let step = |text: &str| {
        let (squares, changes) = text.trim().split_once(' ')?;
        let (from, to) = squares.split_once('.')?;
        // The end of a turn that could go on: nothing moves.
        if changes.starts_with('-') {
            return Some(String::new());
        }
        let vanished = changes.split_once('/').map_or("", |(_, vanished)| vanished);
        let mut vanished = vanished.split('.').filter_map(|stone| stone.get(2..));
        let removed = vanished.find(|square| *square != from);
        let sign = |removed| capture_sign(from, to, removed);
        Some(format!("{from}{to}{}", removed.map_or("", sign)))
    };
    for turn in list.split(is_side).skip(1) {
        let text = turn.join(" ");
        // What is no step is no turn either.
        let steps = text
            .split(',')
            .map(|text| step(text).unwrap_or(text.to_owned()));
        draft.turn(&steps.collect::<Vec<_>>().join(","));
    }
    draft.finish()
}
