//! Reading games ahead of the analysis.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use vato::notation::pgn::{GameRecord, PgnError, PgnProblem, PgnReader};

use super::selection::Selection;
use crate::cli::failure::Failure;

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
        let mut games = PgnReader::new(input);
        for number in 1.. {
            if selection.ends_before(number) {
                return;
            }
            let Some(record) = games.next() else { return };
            let is_end = |error: &PgnError| matches!(error.problem, PgnProblem::Input(_));
            let is_wanted = selection.takes(number, &record) || record.as_ref().is_err_and(is_end);
            if is_wanted && sender.send(Item { number, record }).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(read)
        .map(|_| items)
        .map_err(Failure::Threads)
}
