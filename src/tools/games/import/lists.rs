//! Lists of turns.

use std::io::BufRead;

use vato_engine::notation::pgn::PgnReader;

use super::{Draft, GameFormat, Item};

/// The format of a text that is PGN or a list of turns.
pub(super) fn format(head: &str) -> GameFormat {
    if head.starts_with("Engine:") {
        return GameFormat::Jeriks31;
    }
    if head.starts_with(['[', '%']) {
        return GameFormat::Pgn;
    }
    let first = PgnReader::new(head.as_bytes()).next();
    let record = first.and_then(Result::ok).unwrap_or_default();
    let first = record.moves().first().map_or("", |first| first.text());
    let step = first
        .split(',')
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    match step.ends_with(['+', '-', 'x']) || step.starts_with('x') {
        true => GameFormat::SuperDuperGames,
        false => GameFormat::Pgn,
    }
}

/// Reads the games of a list by these rules.
pub(super) fn read<'a>(
    input: impl BufRead + Send + 'a,
    rules: &'static str,
) -> Box<dyn Iterator<Item = Item> + Send + 'a> {
    Box::new(PgnReader::new(input).map(|item| Draft::of_list(item?, rules).finish()))
}

/// Reads a saved game of jeriks31's program: `Engine: White`, then `1. W e2-e3A`.
pub(super) fn jeriks31(line: u64, text: &str) -> Draft {
    let mut draft = Draft::new(line, "");
    let mut words = text.split_whitespace().skip(1);
    draft.tag(words.next().unwrap_or_default(), "Engine");
    for word in words {
        // An exclamation mark says that the other side could have captured.
        let word = word.trim_end_matches('!');
        let is_number = word.trim_end_matches('.').parse::<u32>().is_ok();
        if !is_number && !matches!(word, "W" | "B") {
            draft.turn(word);
        }
    }
    draft
}
