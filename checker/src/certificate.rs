//! Certificates: sets of positions.

use crate::board::{Game, Turn};
use crate::proof::take;
use crate::state::State;

/// The three words of a record.
#[derive(Clone, Copy)]
pub struct Record([u64; 3]);

impl Record {
    /// The words by which records are ordered and found, without the rank.
    fn key(&self) -> [u64; 2] {
        [self.0[0], self.0[1] & ((1 << 49) - 1)]
    }

    pub fn rank(&self) -> u32 {
        (self.0[1] >> 49) as u32
    }

    /// The moves to follow: the noted one if one is enough (`choice`), or else all.
    pub fn moves(&self, mut turns: Vec<Turn>, choice: bool) -> Result<Vec<Turn>, &str> {
        match self.0[2] {
            0 if choice => return Err("a move that upholds the claim is missing"),
            0 => return Ok(turns),
            _ if !choice => return Err("it notes a move where every move has to uphold the claim"),
            noted => turns.retain(|turn| turn.word() == noted),
        }
        if turns.is_empty() { Err("the move that it notes is illegal") } else { Ok(turns) }
    }
}

/// The record of a position.
pub fn find(records: &[Record], words: [u64; 2]) -> Option<&Record> {
    records.binary_search_by_key(&words, Record::key).ok().map(|number| &records[number])
}

/// Reads the records and checks their form, but for the third word.
pub fn read(game: &Game, positions: usize, mut bytes: &[u8]) -> Result<Vec<Record>, String> {
    if Some(bytes.len()) != positions.checked_mul(24) {
        return Err(format!("{} bytes of records are not {positions} records", bytes.len()));
    }
    let mut records: Vec<Record> = Vec::with_capacity(positions);
    for number in 0..positions {
        let mut word = || take(&mut bytes).map(|bytes| u64::from_le_bytes(*bytes));
        let record = Record([word()?, word()?, word()?]);
        let words @ [white, blacks] = record.key();
        let wrong = |what: &str| Err(format!("record {number}: {what}"));
        if (white & !(3 << 62) | blacks) & !game.all != 0 {
            return wrong("a reserved bit is set, or a point is not on the board");
        }
        if white & blacks != 0 {
            return wrong("two stones on one point");
        }
        if State::from_words(words).canonical(game).words() != words {
            return wrong("it does not hold the smallest image of the position");
        }
        if records.last().is_some_and(|last| last.key() >= words) {
            return wrong("it is out of order");
        }
        records.push(record);
    }
    Ok(records)
}
