//! Reading the games of a text on all processors.

use std::io::{self, BufRead, ErrorKind, Read};

use memchr::{memchr2_iter, memmem, memrchr2};
use rayon::prelude::*;

use crate::game_formats::{self, GameFormat, respelled};
use vato_notation::pgn::{GameRecord, PgnError, PgnReader, require_text};

const BATCH: usize = 4 << 20;

/// The maximum length of a text without a place to split it.
const MAX_BLOCK: usize = 256 << 20;

/// A place where a [`PgnReader`] always begins a new game, if a blank line is before it.
const FIRST_TAG: &[u8] = b"\n[Event ";

/// A part of the text: whole games, most often one.
struct Block {
    /// The number of lines before it.
    lines: u64,
    text: Vec<u8>,
}

impl Block {
    fn map<T>(
        &self,
        map: impl Fn(u64, GameRecord) -> Result<T, PgnError>,
    ) -> Vec<Result<T, PgnError>> {
        let games = PgnReader::new(&*self.text).map(respelled);
        games
            .map(|item| {
                let mapped = item.and_then(|record| map(self.lines, record));
                mapped.map_err(|damage| PgnError {
                    line: self.lines + damage.line,
                    ..damage
                })
            })
            .collect()
    }
}

/// Splits a text where a [`PgnReader`] begins a new game in any case, so that reading the parts gives the
/// same games: at a tag `Event` after a blank line.
struct Blocks<R> {
    input: R,
    rest: Vec<u8>,
    /// Where the rest begins: bytes and lines.
    offset: u64,
    lines: u64,
    at_end: bool,
}

impl<R: Read> Blocks<R> {
    /// The blocks that end in the next bytes; `None` at the end of the text.
    fn next_batch(&mut self) -> io::Result<Option<Vec<Block>>> {
        loop {
            if self.at_end && self.rest.is_empty() {
                return Ok(None);
            }
            if !self.at_end {
                let limit = BATCH as u64;
                let read = self
                    .input
                    .by_ref()
                    .take(limit)
                    .read_to_end(&mut self.rest)?;
                self.at_end = read == 0;
            }
            if self.offset == 0 {
                require_text(&self.rest)?;
            }
            let mut blocks = Vec::new();
            let mut begin = 0;
            let text = std::mem::take(&mut self.rest);
            for end in memmem::find_iter(&text, FIRST_TAG) {
                if may_split(&text[begin..end]) {
                    blocks.push(self.block(&text[begin..=end]));
                    begin = end + 1;
                }
            }
            self.rest.extend_from_slice(&text[begin..]);
            if self.at_end {
                let rest = std::mem::take(&mut self.rest);
                blocks.push(self.block(&rest));
            }
            if !blocks.is_empty() {
                return Ok(Some(blocks));
            }
            if self.rest.len() > MAX_BLOCK {
                let (mib, offset) = (MAX_BLOCK >> 20, self.offset);
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    format!(
                        "no game begins in {mib} MiB from byte {offset}: expected a tag Event after a blank line"
                    ),
                ));
            }
        }
    }

    fn block(&mut self, text: &[u8]) -> Block {
        let block = Block {
            lines: self.lines,
            text: text.to_vec(),
        };
        self.offset += text.len() as u64;
        self.lines += memchr2_iter(b'\n', b'\r', text)
            .filter(|&at| text[at] == b'\n' || text.get(at + 1) != Some(&b'\n'))
            .count() as u64;
        block
    }
}

/// Whether the last line is blank, and the one before ends in a tag, a move or a result: no comment can be before it
/// that belongs to the next game.
fn may_split(text: &[u8]) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let end = text.iter().rposition(|byte| !is_blank(byte));
    let Some(before) = end.and_then(|end| text[..=end].strip_suffix(b"\n")) else {
        return false;
    };
    let before = before.trim_ascii_end();
    let line = before;
    let begin = line.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let line = &line[begin.map_or(0, |begin| begin + 1)..];
    let count = |sign| line.iter().filter(|&&byte| byte == sign).count();
    if count(b';') > 0 || line.starts_with(b"%") {
        return false;
    }
    if let [b'[', first, .., b']'] = line {
        return first.is_ascii_alphanumeric() && count(b'[') == 1;
    }
    // Outside of comments a bracket may begin a damaged tag, which is read as one.
    let is_clear = |part: &[u8]| {
        let bracket = part.iter().position(|&byte| byte == b'[');
        bracket.is_none_or(|at| part[..at].contains(&b'{'))
    };
    // A comment at the end belongs to the game if something of it stands on the same line, outside of other comments.
    let is_inside = memrchr2(b'{', b'}', &before[..before.len() - line.len()])
        .is_some_and(|brace| before[brace] == b'{');
    let brace = line
        .strip_suffix(b"}")
        .filter(|_| !is_inside)
        .and_then(|text| {
            let from = text
                .iter()
                .rposition(|&byte| byte == b'}')
                .map_or(0, |at| at + 1);
            let brace = text[from..].iter().position(|&byte| byte == b'{')?;
            Some(from + brace)
        });
    let line = brace.map_or(line, |brace| line[..brace].trim_ascii_end());
    let word = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or(line);
    let is_move = word.first().is_some_and(u8::is_ascii_alphabetic)
        && word
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_move || matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2"))
        && line.split(|&byte| byte == b'}').all(is_clear)
}

/// Calls `map` for each game, on all processors, with the number of lines to add to those of the record, and `each` for what it returns and for every game that is
/// left out, in the order of the text, with the number of the game from 1. Only some MiB are in memory. Without a
/// format it is known by the beginning.
///
/// # Errors
///
/// The text cannot be read; inside, the error of `each`.
pub fn scan<T: Send, E>(
    input: impl BufRead + Send,
    known: Option<GameFormat>,
    map: impl Fn(u64, GameRecord) -> Result<T, PgnError> + Sync,
    mut each: impl FnMut(u64, Result<T, PgnError>) -> Result<(), E>,
) -> io::Result<Result<(), E>> {
    let (format, input) = game_formats::format(input, known)?;
    let mut number = 0;
    let mut tell = |item| {
        number += 1;
        each(number, item)
    };
    if format != GameFormat::Pgn {
        for item in game_formats::read(input, Some(format)) {
            let mapped = match item {
                Ok(record) => map(0, record),
                Err(error) if error.is_input => return Err(error.input()),
                Err(error) => Err(error),
            };
            if let Err(error) = tell(mapped) {
                return Ok(Err(error));
            }
        }
        return Ok(Ok(()));
    }
    let mut blocks = Blocks {
        input,
        rest: Vec::new(),
        offset: 0,
        lines: 0,
        at_end: false,
    };
    while let Some(batch) = blocks.next_batch()? {
        let mapped: Vec<_> = batch.par_iter().map(|block| block.map(&map)).collect();
        for item in mapped.into_iter().flatten() {
            if let Err(error) = tell(item) {
                return Ok(Err(error));
            }
        }
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "; a file\n\n[Event \"a\"]\r\n\r\n1. d3-e3A {\n[Event \"no\"]\n} *\n\n[Event \"b\"]\n\n\
                        1. d3-e3A { open\n \n[Event \"c\"]\n\n1. x9 } *\r\r\n[Event \"d\"]\n1-0 0-1\n\n[White \"e\"]\n*";

    /// What is split reads as the whole does.
    #[test]
    fn parts_are_read_like_the_whole() {
        let whole: Vec<_> = PgnReader::new(TEXT.as_bytes()).collect();
        assert_eq!(whole.len(), 6);
        let mut parts = Vec::new();
        let each = |number, item: Result<(u64, GameRecord), PgnError>| {
            assert_eq!(number, parts.len() as u64 + 1);
            parts.push(item);
            Ok::<(), ()>(())
        };
        let kept = |lines, record| Ok((lines, record));
        let scanned = scan(TEXT.as_bytes(), None, kept, each).expect("readable");
        assert_eq!(scanned, Ok(()));
        for (whole, part) in whole.iter().zip(&parts) {
            let part = part.clone();
            match part {
                Ok((lines, record)) => {
                    assert_eq!(Ok(&record), whole.as_ref());
                    let whole = whole.as_ref().expect("a game");
                    let line = record.line().map(|line| line + lines);
                    assert_eq!(line, whole.line());
                }
                Err(damage) => assert_eq!(Err(&damage), whole.as_ref()),
            }
        }
        assert_eq!(parts.len(), whole.len());
        let mut before = parts.iter().flatten().map(|(lines, _)| *lines);
        assert!(before.any(|lines| lines > 0), "{parts:?}");
    }

    /// Most games are read by themselves, whatever programs write behind their results.
    #[test]
    fn a_text_is_split_between_games() {
        for (text, splits) in [
            ("1. d3-e3A *\n", true),
            ("1. d3-e3A {[%eval 1]} 1-0 {White wins}\r\n\r", true),
            ("[Result \"*\"]\n", true),
            ("1. d3-e3A\n ", true),
            ("{White wins}\n", false),
            ("1-0 {a\nb {c}\n", false),
            ("{x a {b}\n", false),
            ("[-d4A *\n", false),
            ("1.\n", false),
            ("* $1\n", false),
            ("1. d3-e3A ; a\n", false),
            ("1. d3-e3A *", false),
        ] {
            assert_eq!(may_split(text.as_bytes()), splits, "{text}");
        }
    }
}
