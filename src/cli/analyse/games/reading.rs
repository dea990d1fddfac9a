//! Reading games ahead of the analysis.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use vato::notation::pgn::{GameRecord, PgnError, PgnProblem, PgnReader};

use super::selection::Selection;
use crate::cli::failure::{Context, Failure};

/// A game of the file, or what is wrong with it.
pub(super) struct Item {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    pub(super) record: Result<GameRecord, PgnError>,
}

/// Reads the wanted games on a thread of its own, one ahead of those that take them: standard input may
/// keep a reader waiting for ever, and nobody else shall wait with it. The channel is closed behind the
/// last game. An error of the input comes as an item, too, and is the last one.
pub(super) fn read_ahead(
    input: Box<dyn BufRead + Send>,
    selection: Selection,
) -> Result<Receiver<Item>, Failure> {
    let (sender, items) = sync_channel(1);
    let read = move || {
        for item in wanted(input, &selection) {
            if sender.send(item).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(read)
        .map(|_| items)
        .context("cannot start threads")
}

/// The positions of all wanted games that can be read, as long as that `goes_on`.
pub(super) fn count_positions(
    input: Box<dyn BufRead + Send>,
    selection: &Selection,
    goes_on: &dyn Fn() -> bool,
) -> u64 {
    wanted(input, selection)
        .take_while(|_| goes_on())
        .filter_map(|item| item.record.ok())
        .map(|record| record.moves().len() as u64 + 1)
        .sum()
}

/// The wanted games, and an error of the input. Nothing is read behind the last one that is wanted.
fn wanted(
    input: Box<dyn BufRead + Send>,
    selection: &Selection,
) -> impl Iterator<Item = Item> + '_ {
    let is_end = |error: &PgnError| matches!(error.problem, PgnProblem::Input(_));
    (1..)
        .take_while(|&number| !selection.ends_before(number))
        .zip(PgnReader::new(input))
        .filter(move |(number, record)| {
            selection.takes(*number, record) || record.as_ref().is_err_and(is_end)
        })
        .map(|(number, record)| Item { number, record })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_of_wanted_games_are_counted() {
        let text = "1. f2-e3A d5-d4A *\n\n[White \"Soa\"]\n\n1. f2-e3A *\n\n1. ( *\n\n*\n";
        let count = |numbers: Option<&str>, player, goes_on| {
            let numbers = numbers.map(|text| text.parse().expect("good"));
            let selection = Selection::new(numbers, player);
            count_positions(Box::new(text.as_bytes()), &selection, &|| goes_on)
        };
        assert_eq!(count(Some("1-2"), None, true), 5);
        assert_eq!(count(Some("2"), None, true), 2);
        assert_eq!(count(None, Some("soa"), true), 2);
        assert_eq!(count(None, None, false), 0);
    }
}
