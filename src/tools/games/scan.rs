//! Reading the games of a text on all processors.

use std::io::{self, BufRead, ErrorKind, Read};

use memchr::{memchr2_iter, memmem, memrchr2};
use rayon::prelude::*;

use crate::game_formats::{self, GameFormat, respelled};
use vato_records::pgn::{GameRecord, PgnError, PgnReader, require_text};

const BATCH: u64 = 4 << 20;

/// The maximum length of a text without a place to split it.
const MAX_BLOCK: usize = 256 << 20;

/// A place where a [`PgnReader`] always begins a new game, if a blank line is before it.
const FIRST_TAG: &[u8] = b"\n[Event ";

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

/// Calls `map` for each game, on all processors, with the number of lines to add to those of the record, and `each` for
/// what it returns and for every game that is left out, in the order of the text, with the number of the game from 1.
/// Only some MiB are in memory. Without a format it is known by the beginning.
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
    let read = |&(lines, text): &(u64, &[u8])| -> Vec<Result<T, PgnError>> {
        let games = PgnReader::new(text).map(respelled);
        let mapped = games.map(|item| item.and_then(|record| map(lines, record)));
        let placed = |damage: PgnError| PgnError {
            line: lines + damage.line,
            ..damage
        };
        mapped.map(|item| item.map_err(placed)).collect()
    };
    let (mut input, mut text, mut at_end) = (input, Vec::new(), false);
    // Of what has been done: bytes and lines.
    let (mut offset, mut lines) = (0, 0);
    while !at_end {
        at_end = input.by_ref().take(BATCH).read_to_end(&mut text)? == 0;
        if offset == 0 {
            require_text(&text)?;
        }
        // Parts of the text, most often a game, so that reading them gives the same games.
        let (mut parts, mut begin) = (Vec::new(), 0);
        let tags = memmem::find_iter(&text, FIRST_TAG).map(|at| (at + 1, false));
        for (end, is_last) in tags.chain(at_end.then_some((text.len(), true))) {
            if is_last || may_split(&text[begin..end - 1]) {
                let part = &text[begin..end];
                parts.push((lines, part));
                lines += memchr2_iter(b'\n', b'\r', part)
                    .filter(|&at| part[at] == b'\n' || part.get(at + 1) != Some(&b'\n'))
                    .count() as u64;
                begin = end;
            }
        }
        let mapped: Vec<_> = parts.par_iter().map(read).collect();
        for item in mapped.into_iter().flatten() {
            if let Err(error) = tell(item) {
                return Ok(Err(error));
            }
        }
        text.drain(..begin);
        offset += begin as u64;
        if text.len() > MAX_BLOCK {
            let mib = MAX_BLOCK >> 20;
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!(
                    "no game begins in {mib} MiB from byte {offset}: expected a tag Event after a blank line"
                ),
            ));
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
        let before: Vec<u64> = parts.iter().flatten().map(|(lines, _)| *lines).collect();
        assert!(before.iter().any(|&lines| lines > 0), "{before:?}");
        // Where each game begins, by the lines of its part and by those of the whole.
        let lines: Vec<_> = whole.iter().flatten().map(GameRecord::line).collect();
        let of_parts = parts.iter().flatten();
        let of_parts = of_parts.map(|(lines, record)| record.line().map(|line| line + lines));
        assert!(of_parts.eq(lines));
        let parts = parts.into_iter().map(|part| part.map(|(_, record)| record));
        assert!(parts.eq(whole));
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
