//! The input of a reader: one line at a time, with any line ends and of bounded length.

use std::io::{self, BufRead, ErrorKind};

use super::MAX_GAME_BYTES;
use super::tokens::{Comments, is_edge};

/// The UTF-8 byte order mark.
const MARK: char = '\u{feff}';

/// The characters that Windows has where Latin-1 has control characters.
const FROM_0X80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// An error for what begins with these bytes, if it is a text in another encoding, compressed, or no text.
pub fn require_text(begin: &[u8]) -> io::Result<()> {
    let (form, command) = match begin {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
            ("in UTF-32", "iconv -f UTF-32 -t UTF-8")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        [0x1f, 0x8b, ..] => ("compressed by gzip", "gzip -dc"),
        [b'B', b'Z', b'h', ..] => ("compressed by bzip2", "bzip2 -dc"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("compressed by xz", "xz -dc"),
        [b'P', b'K', 3, 4, ..] => ("compressed by zip", "unzip -p"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ("compressed by zstd", "zstd -dc"),
        // Without a mark: the zeros of the first character, as the text of a game begins in ASCII.
        [0, 0, 0, ..] => ("in UTF-32", "iconv -f UTF-32BE -t UTF-8"),
        [_, 0, 0, 0, ..] => ("in UTF-32", "iconv -f UTF-32LE -t UTF-8"),
        [0] | [0, 1..=0x7f, ..] => ("in UTF-16", "iconv -f UTF-16BE -t UTF-8"),
        [1..=0x7f, 0, ..] => ("in UTF-16", "iconv -f UTF-16LE -t UTF-8"),
        // PNG, JPEG, GIF, ELF, PDF.
        [0x89, b'P', b'N', b'G', ..]
        | [0xff, 0xd8, 0xff, ..]
        | [b'G', b'I', b'F', b'8', ..]
        | [0x7f, b'E', b'L', b'F', ..]
        | [b'%', b'P', b'D', b'F', b'-', ..] => {
            let problem = "this is no text, expected a text in UTF-8 or Latin-1";
            return Err(io::Error::new(ErrorKind::InvalidData, problem));
        }
        _ => return Ok(()),
    };
    let problem = format!("the text is {form}, expected UTF-8 or Latin-1: see {command}");
    Err(io::Error::new(ErrorKind::InvalidData, problem))
}

/// Appends bytes as text; whether there were some that are not UTF-8 and so are taken as Latin-1.
pub fn push_text(text: &mut String, bytes: &[u8]) -> bool {
    let mut is_latin1 = false;
    // Most lines are one chunk.
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        is_latin1 |= !chunk.invalid().is_empty();
        text.extend(chunk.invalid().iter().map(|&byte| {
            match byte {
                0x80..=0x9f => FROM_0X80
                    .chars()
                    .nth(usize::from(byte) - 0x80)
                    .unwrap_or(' '),
                _ => char::from(byte),
            }
        }));
    }
    is_latin1
}

/// The lines of an input: the current one, and the read position in it.
#[derive(Debug)]
pub struct Source<R: ?Sized> {
    /// The bytes of the current line, without its end.
    bytes: Vec<u8>,
    pub(super) text: String,
    /// The first line of the game that was not UTF-8.
    pub latin1: Option<u64>,
    /// Comments of the game that comes next.
    pub(super) held: Comments,
    /// Where they begin ([`Source::offset`]).
    pub(super) held_from: Option<u64>,
    /// Number of bytes of the text consumed.
    pub(super) at: usize,
    /// Offset of the first character of the line that is not white space.
    begins_at: usize,
    /// The number of the current line, from 1; 0 before the first.
    pub number: u64,
    /// Bytes of the input before the current line, and those before the next one.
    before: u64,
    before_next: u64,
    /// Whether the line exceeded the maximum length and its rest was dropped.
    pub(super) is_cut: bool,
    /// Whether the line before the current one was blank.
    pub(super) after_blank: bool,
    /// Whether the line ended with a carriage return, so that a line feed still belongs to its end.
    ended_by_return: bool,
    /// An error that was met behind a whole game, for whoever reads on.
    pub(super) failure: Option<io::Error>,
    input: R,
}

impl<R: BufRead> Source<R> {
    /// Before the first line.
    pub fn new(input: R) -> Source<R> {
        Source {
            input,
            bytes: Vec::new(),
            text: String::new(),
            latin1: None,
            held: Comments::default(),
            held_from: None,
            at: 0,
            begins_at: 0,
            number: 0,
            before: 0,
            before_next: 0,
            is_cut: false,
            after_blank: true,
            ended_by_return: false,
            failure: None,
        }
    }
}

impl<R: BufRead + ?Sized> Source<R> {
    /// Goes to the next line; `false` at the end. Lines end with a line feed, a carriage return, or both.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or is in another encoding or compressed.
    pub fn advance(&mut self) -> io::Result<bool> {
        self.after_blank = self.is_blank_line();
        self.bytes.clear();
        self.text.clear();
        self.at = 0;
        self.begins_at = 0;
        self.is_cut = false;
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let mut at_end = true;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(&first) = buffer.first() else {
                break;
            };
            if std::mem::take(&mut self.ended_by_return) && first == b'\n' {
                self.input.consume(1);
                self.before_next += 1;
                continue;
            }
            if std::mem::take(&mut at_end) {
                self.before = self.before_next;
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.unwrap_or(buffer.len());
            let room = MAX_GAME_BYTES - self.bytes.len();
            self.is_cut |= length > room;
            self.bytes.extend_from_slice(&buffer[..length.min(room)]);
            self.ended_by_return = end.is_some_and(|end| buffer[end] == b'\r');
            let taken = length + usize::from(end.is_some());
            self.input.consume(taken);
            self.before_next += taken as u64;
            if end.is_some() {
                break;
            }
        }
        if at_end {
            return Ok(false);
        }
        self.number += 1;
        if self.number == 1 {
            require_text(&self.bytes)?;
        } else if self.number == 2 && self.before == 1 {
            // The half of a line feed in another encoding.
            require_text(&[b"\n", &self.bytes[..]].concat())?;
        }
        if push_text(&mut self.text, &self.bytes) {
            self.latin1.get_or_insert(self.number);
        }
        let words = self.text.trim_start_matches(is_edge);
        self.begins_at = self.text.len() - words.len();
        Ok(true)
    }

    /// Consumes the byte order mark at the start of the line: in concatenated files it can stand before
    /// every part.
    pub fn skip_mark(&mut self) {
        if self.at == 0 && self.text.starts_with(MARK) {
            self.at = MARK.len_utf8();
        }
    }

    /// Bytes of the input that have been consumed, where it is valid UTF-8; a line with its end.
    pub(super) fn offset(&self) -> u64 {
        match self.rest().trim_start_matches(is_edge).is_empty() {
            true => self.before_next,
            false => self.before + self.at as u64,
        }
    }

    /// What has not been consumed of the line.
    pub fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Consumes the line except its last `length` bytes, which are whole characters.
    pub(super) fn keep(&mut self, length: usize) {
        self.at = self.text.len() - length;
    }

    pub(super) fn skip_line(&mut self) {
        self.at = self.text.len();
    }

    /// Consumes white space; the next character, `None` at the end of the line.
    pub(super) fn next_character(&mut self) -> Option<char> {
        let rest = self.rest().trim_start_matches(is_edge);
        let (length, next) = (rest.len(), rest.chars().next());
        self.keep(length);
        next
    }

    /// Whether only white space has been consumed of the current line.
    pub(super) fn is_at_line_start(&self) -> bool {
        self.at <= self.begins_at
    }

    pub(super) fn is_blank_line(&self) -> bool {
        self.begins_at == self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // Small buffers, so that line ends cross buffer boundaries.
        let mut all: Vec<Vec<String>> = (1..4)
            .map(|capacity| {
                let mut source = Source::new(BufReader::with_capacity(capacity, bytes));
                let mut lines = Vec::new();
                while source.advance().expect("readable") {
                    source.skip_mark();
                    assert_eq!(source.number, lines.len() as u64 + 1);
                    lines.push(source.rest().to_owned());
                }
                lines
            })
            .collect();
        all.dedup();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(lines(b"\r\n\r\n\n\r"), [""; 4]);
        assert_eq!(lines(b"a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(lines(b"\xef\xbb\xbfa\n\xef\xbb\xbfb"), ["a", "b"]);
        assert_eq!(lines(b"a\xffb\x96\n\xc3\xa9\xe9"), ["aÿb–", "éé"]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let long = io::repeat(b'x').take(MAX_GAME_BYTES as u64 + 9);
        let mut source = Source::new(BufReader::new(long.chain(&b"\nnext"[..])));
        assert!(source.advance().expect("readable") && source.is_cut);
        assert_eq!(source.rest().len(), MAX_GAME_BYTES);
        assert!(source.advance().expect("readable") && !source.is_cut);
        assert_eq!(source.rest(), "next");
    }
}
