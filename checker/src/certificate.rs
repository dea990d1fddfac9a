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
}

fn find(records: &[Record], words: [u64; 2]) -> Option<&Record> {
    records.binary_search_by_key(&words, Record::key).ok().map(|number| &records[number])
}

/// The rank of a position, if it is there.
pub fn rank(records: &[Record], words: [u64; 2]) -> Option<u32> {
    find(records, words).map(Record::rank)
}

/// The moves to follow, the noted one if one is enough (`choice`) or else all, and the rank.
pub fn moves(records: &[Record], words: [u64; 2], turns: Vec<Turn>, choice: bool) -> Result<(Vec<Turn>, u32), &str> {
    let record = find(records, words).ok_or("it is not in the certificate")?;
    let noted = record.0[2];
    let turns = if choice { turns.into_iter().filter(|turn| turn.word() == noted).collect() } else { turns };
    match (choice, noted) {
        (true, _) if turns.is_empty() => Err("a move that upholds the claim is missing or illegal"),
        (false, 1..) => Err("it notes a move where every move has to uphold the claim"),
        _ => Ok((turns, record.rank())),
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
        let record = Record([word()?, word()?, word()?]);
        let words @ [white, blacks] = record.key();
        let wrong = |what: &str| Err(format!("record {number}: {what}"));
        if (white & !(3 << 62) | blacks) & !game.all != 0 || white & blacks != 0 {
            return wrong("a reserved bit is set, a point is not on the board, or two stones are on one point");
        }
        let smallest = State::from_words(words).canonical(game).words() == words;
        if !smallest || records.last().is_some_and(|last| last.key() >= words) {
            return wrong("it is out of order, or not the smallest image of the position");
        }
        records.push(record);
    }
    Ok(records)
}
