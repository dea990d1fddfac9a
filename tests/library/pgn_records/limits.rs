//! Texts of any length, and games that are too long.

use std::io::{self, BufReader, Read};

use vato_records::pgn::{GameRecord, MAX_GAME_BYTES, MAX_MOVES, MAX_TAGS, PgnReader};

use super::{only_game, read};

/// Repeats a text for ever.
struct Endless {
    /// The text, as often as makes some KiB.
    text: Vec<u8>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at = (self.at + count) % self.text.len();
        Ok(count)
    }
}

fn endless(text: &'static str) -> BufReader<Endless> {
    let text = text.repeat(1 << 12).into_bytes();
    BufReader::new(Endless { text, at: 0 })
}

#[test]
fn a_text_without_end_is_read_game_by_game() {
    let mut reader = PgnReader::new(endless("[White \"W\"]\n\n1. a1a2 {x} 1-0\n\n"));
    for number in 0..10_000 {
        let record = reader.next().expect("a game").expect("good");
        assert_eq!(record.line(), Some(4 * number + 1));
    }
}

#[test]
fn a_game_that_is_too_long_is_an_error() {
    let size = MAX_GAME_BYTES as u64 + 1000;
    for (begin, fill, close, why) in [
        ("[White \"W\"]\n\n{", "x", "}", "16 MiB"),
        ("[White \"W\"]\n\n{", "x\n", "}", "16 MiB"),
        ("[White \"W\"]\n\n; ", "x\n; ", "\n", "16 MiB"),
        ("[White \"W\"]\n\na1a2 (", "x\n", ")", "100000 moves"),
        ("[White \"W\"]\n\na1a2 (x ", "{}\n", ")", "16 MiB"),
        ("a1a2 ", "(a1a2\n", ")", "nested more than 64 deep"),
        ("a1a2 ", "(a1a2)\n", "", "100000 moves"),
        ("[White \"W\"]\n\n", "{}\n", "", "16 MiB"),
        ("[White \"", "x", "\"]", "16 MiB"),
        ("", "[White \"W\"]\n", "", "16 MiB"),
        ("", "a1a2 ", "", "16 MiB"),
        ("", "a1a2 a1a2\n", "", "100000 moves"),
    ] {
        let text = begin
            .as_bytes()
            .chain(endless(fill).take(size))
            .chain(close.as_bytes())
            .chain(&b" 1-0\n\n[Event \"next\"]\n\na1a2 1-0\n"[..]);
        let items: Vec<_> = PgnReader::new(BufReader::new(text)).collect();
        let [Err(error), Ok(next)] = &items[..] else {
            panic!("{begin}{fill}: {} items", items.len());
        };
        assert!(error.to_string().contains(why), "{begin}{fill}: {error}");
        assert_eq!(next.tag_value("Event"), Some("next"));
    }
    // Between games nothing is kept, so nothing is too long.
    let text = endless("% x\n\n").take(size).chain(&b"\na1a2 1-0"[..]);
    assert_eq!(PgnReader::new(BufReader::new(text)).count(), 1);
}

#[test]
fn records_at_their_limits_read_back() {
    let mut record = GameRecord::default();
    for number in record.tags().len()..MAX_TAGS {
        record.set_tag(&format!("T{number}"), "x").expect("room");
    }
    for _ in 0..MAX_MOVES {
        record.push_move("d3-e3A", None).expect("room");
    }
    assert!(record.push_move("d3-e3A", None).is_err());
    assert_eq!(only_game(&record.to_string()), record);
    let text = format!("[More \"x\"]\n{record}");
    let items = read(text.as_bytes());
    assert!(matches!(&items[..], [Err(error)] if error.contains("1000 tags")));
    // One short of the limit, but without two tags of the roster.
    let text = text.replacen("[Event \"?\"]\n[Site \"?\"]\n", "", 1);
    let items = read(text.as_bytes());
    assert!(matches!(&items[..], [Err(error)] if error.contains("1000 tags")));
}
