//! Lists of turns.

use vato_engine::notation::pgn::{PgnReader, RecordedMove};
use vato_engine::rules::{Rules, parse_rules};

use super::abstract_play::RULES;
use super::draft::capture_sign;
use super::{Draft, Item};

/// How a game of The Garden Gate begins.
pub(super) const GARDEN_GATE: &str = "0H.";

/// How a game of jeriks31's program begins.
pub(super) const JERIKS31: &str = "Engine:";

/// Whether a list has captures by signs.
pub(super) fn is_signed(head: &str) -> bool {
    let first = PgnReader::new(head.as_bytes()).next();
    let record = first.and_then(Result::ok).unwrap_or_default();
    let first = record.moves().first().map_or("", RecordedMove::text);
    let step = first.split([',', '.']).next().unwrap_or_default();
    step.ends_with(['+', '-', 'x']) || step.starts_with('x')
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

/// Reads a saved game of jeriks31's program: `Engine: White`, then `1. W e2-e3A`.
pub(super) fn jeriks31(line: u64, text: &str) -> Draft {
    let mut draft = Draft::new(line, "");
    let (engine, turns) = text.split_once('\n').unwrap_or_default();
    draft.tag(engine.trim_start_matches(JERIKS31).trim(), "Engine");
    numbered(&mut draft, turns);
    draft
}

/// Reads a game of The Garden Gate: `0H.f2-e3A;0G.d5-d4A;`. Its start has the left half of the middle rank the other way round.
/// That its first turn need not capture is not said by these rules.
pub(super) fn garden_gate(line: u64, text: &str) -> Draft {
    let mut draft = Draft::new(line, "direction=any repeat=0 limit=0");
    draft.tag("Site", "The Garden Gate");
    draft.tag("SetUp", "1");
    draft.tag(
        "FEN",
        "bbbbbbbbb/bbbbbbbbb/wbwb1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    );
    numbered(&mut draft, text);
    draft
}

/// Adds turns that have their side between the number and the turn.
fn numbered(draft: &mut Draft, text: &str) {
    for word in text.split([';', ' ', '\n']) {
        let turn = word.rsplit('.').next().unwrap_or_default().trim();
        // An exclamation mark says that the other side could have captured.
        draft.turn(if matches!(turn, "W" | "B") {
            ""
        } else {
            turn.trim_end_matches('!')
        });
    }
}

/// Reads a record of vchess. Its moves do not tell captures, but behind them it has a list of the squares that change.
pub(super) fn vchess(item: Item) -> Item {
    let record = item?;
    // Only the end of the stones ends a game.
    let mut draft = Draft::new(record.line().unwrap_or_default(), "repeat=0 limit=0");
    for name in ["Site", "Date", "White", "Black", "Url", "Cadence"] {
        draft.tag(name, record.tag_value(name).unwrap_or_default());
    }
    draft.result = record.result();
    let words: Vec<&str> = record.moves().iter().map(RecordedMove::text).collect();
    let is_side = |word: &&str| matches!(*word, "w" | "b");
    let begin = words.iter().position(is_side);
    if begin.is_none() {
        draft.fail("the list of squares is missing, which tells what is captured");
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
    for turn in words[begin.unwrap_or(words.len())..].split(is_side) {
        let text = turn.join(" ");
        // What is no step is no turn either.
        let steps = text
            .split(',')
            .map(|text| step(text).unwrap_or(text.to_owned()));
        draft.turn(&steps.collect::<Vec<_>>().join(","));
    }
    draft.finish()
}
