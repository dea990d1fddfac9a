//! Certificates: sets of positions.

use crate::board::{Game, Turn};
use crate::proof::take;
use crate::state::State;

/// The three words of a record.
pub type Record = [u64; 3];

/// The words by which records are ordered and found, without the rank.
fn key(record: &Record) -> [u64; 2] {
    [record[0], record[1] & ((1 << 49) - 1)]
}

pub fn rank(record: &Record) -> u32 {
    (record[1] >> 49) as u32
}

/// The record of a position.
pub fn find(records: &[Record], words: [u64; 2]) -> Option<&Record> {
    records.binary_search_by_key(&words, key).ok().map(|number| &records[number])
}

/// The moves to follow, the noted one if one is enough (`choice`) or else all, and the rank.
pub fn moves(
    records: &[Record],
    words: [u64; 2],
    mut turns: Vec<Turn>,
    choice: bool,
) -> Result<(Vec<Turn>, u32), &str> {
    let record = find(records, words).ok_or("it is not in the certificate")?;
    turns.retain(|turn| !choice || turn.word() == record[2]);
    match choice {
        true if turns.is_empty() => Err("a move that upholds the claim is missing or illegal"),
        false if record[2] != 0 => Err("it notes a move where every move has to uphold the claim"),
        _ => Ok((turns, rank(record))),
    }
}

/// Reads the records and checks their form, but for the third word.
pub fn read(game: &Game, positions: usize, mut bytes: &[u8]) -> Result<Vec<Record>, String> {
    if Some(bytes.len()) != positions.checked_mul(24) {
        return Err(format!("{} bytes of records are not {positions} records", bytes.len()));
    }
    let mut records: Vec<Record> = Vec::with_capacity(positions);
    for number in 0..positions {
        let mut word = || take(&mut bytes).map(|bytes| u64::from_le_bytes(*bytes));
        let record = [word()?, word()?, word()?];
        let words @ [white, blacks] = key(&record);
        let wrong = |what: &str| Err(format!("record {number}: {what}"));
        if (white & !(3 << 62) | blacks) & !game.all != 0 || white & blacks != 0 {
            return wrong("a reserved bit is set, a point is not on the board, or two stones are on one point");
        }
        let smallest = State::from_words(words).canonical(game).words() == words;
        if !smallest || records.last().is_some_and(|last| key(last) >= words) {
            return wrong("it is out of order, or not the smallest image of the position");
        }
        records.push(record);
    }
    Ok(records)
}
