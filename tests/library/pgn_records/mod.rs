//! Game records: what is written reads back, what others write is read, what is wrong is named.

mod foreign;
mod limits;
mod reading;
mod replaying;
mod variations;
mod writing;

use vato_records::pgn::{GameRecord, PgnReader};

/// The games and errors of a text.
fn read(text: &[u8]) -> Vec<Result<GameRecord, String>> {
    PgnReader::new(text)
        .map(|item| item.map_err(|error| error.to_string()))
        .collect()
}

/// The games of a text without errors.
fn games(text: &str) -> Vec<GameRecord> {
    read(text.as_bytes())
        .into_iter()
        .map(|item| item.unwrap_or_else(|error| panic!("{error} in:\n{text}")))
        .collect()
}

fn only_game(text: &str) -> GameRecord {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The messages of everything that is wrong with a record.
fn faults(record: &GameRecord) -> Vec<String> {
    let errors = record.check();
    errors.iter().map(ToString::to_string).collect()
}
