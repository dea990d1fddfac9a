//! The book's file format.
//!
//! The layout is that of [`container`](crate::container): magic `VATOBOOK`, a [`BookHeader`], CRC-32. The
//! body is the number of positions (4 bytes) and the positions, ascending by their first two words.
//!
//! A position:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | White's stones: bit `10 * row + column`, counted from `a1` ([`Bitboard::bits`]) |
//! | 8 | Black's stones; bit 63: Black is to move; bit 62: a first turn with rules of its own |
//! | 1 | number of moves |
//! | 10 each | the moves, best first: 8 the move ([`Move::bits`]), 2 its score for the mover |
//!
//! A position stands for all its images under the symmetries of the board: it is the one whose two sets
//! of stones are the smallest numbers. Positions are stored in full, so nothing depends on hash keys, and
//! every move is checked for legality. Integers are little-endian. Scores are those of the searches, as
//! [`Score::raw`]; everything else is derived from them ([`crate::book`]).
//!
//! [`Bitboard::bits`]: crate::board::Bitboard::bits
//! [`Move::bits`]: crate::board::Move::bits

use std::path::Path;

use super::BookError;
use super::graph::SearchedMove;
use super::header::BookHeader;
use crate::board::{Bitboard, BoardSize, Canonical, Position, Side};
use crate::container::{ByteReader, Checksum, ContainerError, Format};
use crate::rules::{Rules, legal_moves, parse_rules};
use crate::search::Score;

const FORMAT: Format = Format {
    name: "an opening book",
    magic: *b"VATOBOOK",
    // Version 1 treated first turns without a capture as later ones.
    version: 2,
    checksum: Checksum::Crc32,
    max_bytes: 1 << 33,
};

pub(super) type BookEntry = (Canonical, Vec<SearchedMove>);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct BookFile {
    pub(super) header: BookHeader,
    pub(super) rules: Rules,
    /// Ascending, each with at least one move.
    pub(super) entries: Vec<BookEntry>,
}

impl BookFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is of another format or version, or damaged.
    pub(super) fn read(path: &Path) -> Result<BookFile, BookError> {
        let bytes = FORMAT.load(path)?;
        Ok(BookFile::from_bytes(&bytes).map_err(ContainerError::content(path))?)
    }

    /// Replaces a file atomically.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write(&self, path: &Path) -> Result<(), BookError> {
        let bytes = self.to_bytes().map_err(ContainerError::content(path))?;
        Ok(crate::container::save(path, &bytes)?)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let count = u32::try_from(self.entries.len()).map_err(|error| error.to_string())?;
        let mut body = count.to_le_bytes().to_vec();
        for (key, moves) in &self.entries {
            body.extend(key.words().iter().flat_map(|word| word.to_le_bytes()));
            body.push(u8::try_from(moves.len()).map_err(|error| error.to_string())?);
            for searched in moves {
                let score =
                    i16::try_from(searched.score.raw()).map_err(|error| error.to_string())?;
                body.extend(searched.mv.bits().to_le_bytes());
                body.extend(score.to_le_bytes());
            }
        }
        FORMAT.encode(&self.header, &body)
    }

    /// Decodes a book; an error describes what is wrong.
    fn from_bytes(bytes: &[u8]) -> Result<BookFile, String> {
        let (header, body): (BookHeader, _) = FORMAT.decode(bytes, |_| None)?;
        header
            .check()
            .map_err(|error| format!("invalid header: {error}"))?;
        let rules = parse_rules(&header.rules).map_err(|error| error.to_string())?;
        let mut reader = ByteReader(body);
        let count = reader.u32()?;
        // A damaged file may claim any number of positions, so no memory is reserved for them.
        let mut entries: Vec<BookEntry> = Vec::new();
        for number in 1..=count {
            let entry =
                entry(&mut reader, &rules).map_err(|what| format!("position {number}: {what}"))?;
            let last = entries.last();
            if last.is_some_and(|last| last.0.words() >= entry.0.words()) {
                return Err(format!("position {number}: out of order"));
            }
            entries.push(entry);
        }
        match reader.0 {
            [] => Ok(BookFile {
                header,
                rules,
                entries,
            }),
            rest => Err(format!("{} bytes after the last position", rest.len())),
        }
    }
}

/// The bits of the second word that are not stones.
const BLACK_TO_MOVE: u64 = 1 << 63;
const FIRST_TURN: u64 = 1 << 62;

impl Canonical {
    /// The position in two words: White's stones; Black's stones, bit 63 if Black is to move, bit 62
    /// on a special first turn.
    pub(super) fn words(self) -> [u64; 2] {
        let [white, black] = self.stones;
        let side = self.side as u64 * BLACK_TO_MOVE;
        let first_turn = u64::from(self.first_turn) * FIRST_TURN;
        [white, black | side | first_turn]
    }

    /// The inverse of [`Canonical::words`]; `None` unless the words are a canonical position of this board with
    /// stones of both sides.
    pub(super) fn from_words(board: BoardSize, words: [u64; 2]) -> Option<Canonical> {
        let stones = [words[0], words[1] & !(BLACK_TO_MOVE | FIRST_TURN)].map(Bitboard::from_bits);
        let is_sound = !stones[0].intersects(stones[1])
            && stones
                .iter()
                .all(|set| !set.is_empty() && set.is_subset_of(board.points()));
        if !is_sound {
            return None;
        }
        let side = Side::BOTH[usize::from(words[1] & BLACK_TO_MOVE != 0)];
        let position = Position::new(stones, side, 0, 2);
        let (key, _) = Canonical::fold(board, &position, words[1] & FIRST_TURN != 0);
        // Otherwise another image is canonical, or bits off the lattice are set.
        (key.words() == words).then_some(key)
    }
}

fn entry(reader: &mut ByteReader<'_>, rules: &Rules) -> Result<BookEntry, String> {
    let words = [reader.array()?, reader.array()?].map(u64::from_le_bytes);
    let key = Canonical::from_words(rules.board, words).ok_or("invalid stones for this board")?;
    let legal = legal_moves(rules, &key.position());
    let [count] = reader.array()?;
    if count == 0 {
        return Err("it has no move".to_owned());
    }
    let mut moves: Vec<SearchedMove> = Vec::with_capacity(count.into());
    for number in 1..=count {
        let bits = u64::from_le_bytes(reader.array()?);
        let score = i32::from(i16::from_le_bytes(reader.array()?));
        if score.abs() > Score::WIN.raw() {
            return Err(format!("move {number}: invalid score {score}"));
        }
        let score = Score::from_raw(score);
        let known = moves.iter().any(|searched| searched.mv.bits() == bits);
        let mv = legal.iter().copied().find(|mv| mv.bits() == bits);
        match mv {
            Some(mv) if !known => moves.push(SearchedMove { mv, score }),
            Some(_) => return Err(format!("move {number} comes twice")),
            None => return Err(format!("move {number} is not legal")),
        }
    }
    Ok((key, moves))
}

#[cfg(test)]
mod tests;
