//! PGN of vchess. Its moves do not tell captures, but behind them it has a list of the squares that change.

use vato_engine::notation::pgn::{GameRecord, RecordResult, RecordedMove};

use super::draft::{capture_sign, place};
use super::{Draft, Item};

/// Only the end of the stones ends a game.
const RULES: &str = "repeat=0 limit=0";

/// The game of a record.
pub(super) fn read(record: &GameRecord) -> Item {
    let mut draft = Draft::new(record.line().unwrap_or_default(), RULES);
    let start = "ppppppppp/ppppppppp/pPpP1pPpP/PPPPPPPPP/PPPPPPPPP w";
    if record
        .tag_value("Fen")
        .is_some_and(|fen| !fen.starts_with(start))
    {
        draft.fail(format_args!("the tag Fen: expected '{start}'"));
    }
    for name in ["Site", "Date", "White", "Black", "Url", "Cadence"] {
        draft.tag(name, record.tag_value(name).unwrap_or_default());
    }
    draft.result(Some(record.result()).filter(|result| *result != RecordResult::Unfinished));
    let words: Vec<&str> = record.moves().iter().map(RecordedMove::text).collect();
    let is_side = |word: &&str| matches!(*word, "w" | "b");
    if !words.iter().any(is_side) {
        draft.fail("the list of squares is missing, which tells what is captured");
    }
    // `w f2.e3 wpe3/wpf2.bpd4.bpc5`, the steps of a turn joined by commas.
    let listed = words
        .iter()
        .skip_while(|word| !is_side(word))
        .copied()
        .collect::<Vec<_>>();
    for turn in listed.split(is_side) {
        let text = turn.join(" ");
        let steps = text.split(',').filter_map(|step| {
            let (squares, changes) = step.trim().split_once(' ')?;
            let (from, to) = squares.split_once('.')?;
            let vanished = changes
                .split_once('/')
                .map_or("", |(_, vanished)| vanished)
                .split('.');
            let mut vanished = vanished.filter_map(|stone| stone.get(2..));
            let removed = vanished.find(|square| *square != from);
            let sign = removed.map_or("", |removed| {
                capture_sign(place(from), place(to), place(removed))
            });
            (from != "-").then(|| format!("{from}{to}{sign}"))
        });
        let steps: Vec<String> = steps.collect();
        if steps.is_empty() && !text.is_empty() {
            draft.fail(format_args!("no turn: '{text:.60}'"));
        }
        draft.turn(&steps.join(","));
    }
    draft.finish()
}
