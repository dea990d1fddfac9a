//! Books as files.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `VATOBOOK` |
//! | 4 | version of the format |
//! | 4 | length of the header |
//! | … | the header ([`BookHeader`]), as JSON |
//! | 4 | number of positions |
//! | … | the positions, ascending by their first two words |
//! | 4 | checksum (CRC-32) of all before |
//!
//! A position:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | White's stones: bit `10 * row + column`, counted from `a1` ([`Bitboard::bits`]) |
//! | 8 | Black's stones; bit 63: Black is to move; bit 62: a first turn with rules of its own |
//! | 1 | number of moves |
//! | 10 each | the moves, best first: 8 the move ([`Move::bits`]), 2 its score for its player |
//!
//! Of all images of a position under the symmetries of the board, the one stands for all whose two
//! sets of stones are the smallest numbers. The whole position is there, so nothing depends on hash
//! keys, and every move is compared with the legal ones. Integers are little-endian. Scores are those
//! that the searches gave, as [`Score::raw`]; all else follows from them ([`crate::book`]).
//!
//! [`Bitboard::bits`]: crate::board::Bitboard::bits
//! [`Move::bits`]: crate::board::Move::bits

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::BookError;
use super::folded::Folded;
use super::header::BookHeader;
use super::searching::SearchedMove;
use crate::files::require_regular;
use crate::rules::{Rules, legal_moves, parse_rules};
use crate::search::Score;

const MAGIC: [u8; 8] = *b"VATOBOOK";
/// In version 1 first turns without a capture were taken for later ones.
const VERSION: u32 = 2;
/// Bytes before the header.
const PREAMBLE: usize = 16;
/// Bytes behind the positions.
const CHECKSUM: usize = 4;

/// A position with its moves.
pub(super) type Entry = (Folded, Vec<SearchedMove>);

/// A book as it is on disk.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BookFile {
    pub(super) header: BookHeader,
    /// The rules of the header.
    pub(super) rules: Rules,
    /// Ascending, each with at least one move.
    pub(super) entries: Vec<Entry>,
}

impl BookFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no book, of another version, or damaged.
    pub(super) fn read(path: &Path) -> Result<BookFile, BookError> {
        let bytes = bytes(path).map_err(|error| BookError::Read {
            path: path.to_owned(),
            error,
        })?;
        BookFile::from_bytes(&bytes).map_err(BookError::file(path))
    }

    /// Writes a file as a whole, in place of the one before.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    #[cfg(any(feature = "tools", test))]
    pub(super) fn write(&self, path: &Path) -> Result<(), BookError> {
        let bytes = self.to_bytes().map_err(BookError::write(path))?;
        crate::files::replace(path, |file| file.write_all(&bytes)).map_err(BookError::write(path))
    }

    /// The bytes of the file. Sorts nothing: the entries are in their order.
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let header = serde_json::to_vec(&self.header)?;
        let length = |length: usize| u32::try_from(length).map_err(io::Error::other);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(length(header.len())?.to_le_bytes());
        bytes.extend(header);
        bytes.extend(length(self.entries.len())?.to_le_bytes());
        for (folded, moves) in &self.entries {
            bytes.extend(folded.words().iter().flat_map(|word| word.to_le_bytes()));
            bytes.push(u8::try_from(moves.len()).map_err(io::Error::other)?);
            for searched in moves {
                let score = i16::try_from(searched.score.raw()).map_err(io::Error::other)?;
                bytes.extend(searched.mv.bits().to_le_bytes());
                bytes.extend(score.to_le_bytes());
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The book that these bytes are, or what is wrong with them.
    fn from_bytes(bytes: &[u8]) -> Result<BookFile, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("not an opening book (it does not begin with VATOBOOK)".to_owned());
        }
        let mut start = Reader(&bytes[MAGIC.len()..]);
        let version = u32::from_le_bytes(start.take()?);
        if version != VERSION {
            return Err(format!(
                "version {version} of the format, this program reads version {VERSION}"
            ));
        }
        let length = u32::from_le_bytes(start.take()?) as usize;
        let content = bytes.len().checked_sub(CHECKSUM);
        let (content, checksum) = content
            .filter(|&content| content >= PREAMBLE)
            .and_then(|content| bytes.split_at_checked(content))
            .ok_or_else(cut_short)?;
        if crc32fast::hash(content).to_le_bytes() != checksum {
            return Err("damaged: the checksum is wrong".to_owned());
        }
        let (header, positions) = content[PREAMBLE..]
            .split_at_checked(length)
            .ok_or_else(cut_short)?;
        let header: BookHeader =
            serde_json::from_slice(header).map_err(|error| format!("the header: {error}"))?;
        header
            .check()
            .map_err(|error| format!("the header: {error}"))?;
        let rules = parse_rules(&header.rules).map_err(|error| error.to_string())?;
        let entries = entries(Reader(positions), &rules)?;
        Ok(BookFile {
            header,
            rules,
            entries,
        })
    }
}

/// What is in a file.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    require_regular(path)?;
    fs::read(path)
}

fn cut_short() -> String {
    "cut short".to_owned()
}

/// What has not been read yet.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or_else(cut_short)?;
        self.0 = rest;
        Ok(*bytes)
    }
}

/// Reads all positions, and checks them.
fn entries(mut reader: Reader<'_>, rules: &Rules) -> Result<Vec<Entry>, String> {
    let count = u32::from_le_bytes(reader.take()?);
    // Damaged files may claim any number of positions, so no memory is taken for them beforehand.
    let mut entries: Vec<Entry> = Vec::new();
    for number in 1..=count {
        let entry =
            entry(&mut reader, rules).map_err(|what| format!("position {number}: {what}"))?;
        if entries
            .last()
            .is_some_and(|last| last.0.words() >= entry.0.words())
        {
            return Err(format!("position {number}: not in its place"));
        }
        entries.push(entry);
    }
    match reader.0 {
        [] => Ok(entries),
        rest => Err(format!("{} bytes behind the last position", rest.len())),
    }
}

fn entry(reader: &mut Reader<'_>, rules: &Rules) -> Result<Entry, String> {
    let words = [reader.take()?, reader.take()?].map(u64::from_le_bytes);
    let folded =
        Folded::from_words(rules.board, words).ok_or("its stones make no sense on this board")?;
    let legal = legal_moves(rules, &folded.position());
    let [count] = reader.take()?;
    if count == 0 {
        return Err("it has no move".to_owned());
    }
    let mut moves: Vec<SearchedMove> = Vec::with_capacity(count.into());
    for number in 1..=count {
        let bits = u64::from_le_bytes(reader.take()?);
        let score = i32::from(i16::from_le_bytes(reader.take()?));
        if score.abs() > Score::WIN.raw() {
            return Err(format!("move {number}: there is no score {score}"));
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
    Ok((folded, moves))
}

#[cfg(test)]
mod tests;
