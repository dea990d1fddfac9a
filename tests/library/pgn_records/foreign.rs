//! Files with the habits of other programs and of people: whatever stands in them is kept, or the game is named.

use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use vato_records::pgn::{GameRecord, PgnReader, RecordResult};
use vato_tools::game_formats::{self, GameFormat};
use vato_tools::games::scan;

use super::games;

/// What must be found of a game.
#[derive(Debug, Default)]
struct Expected {
    /// Words of comments, in the order of the text.
    comments: Vec<String>,
    /// Texts that stand somewhere in the game.
    texts: Vec<String>,
    moves: Vec<String>,
    result: RecordResult,
    is_damaged: bool,
}

/// A file that is being written.
struct Writer {
    random: SmallRng,
    text: String,
    /// A number for each word, so that it can be found again.
    count: usize,
    game: Expected,
}

const RESULTS: [(&str, &str); 12] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("*", "*"),
    ("1–0", "1-0"),
    ("0—1", "0-1"),
    ("0 - 1", "0-1"),
    ("1:0", "1-0"),
    ("½-½", "1/2-1/2"),
    ("½", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("0.5–0.5", "1/2-1/2"),
];

/// Annotations, and what they are in the written game.
const ANNOTATIONS: [(&str, &str); 15] = [
    ("!", "$1"),
    ("??", "$4"),
    ("?!", "$6"),
    ("$3", "$3"),
    ("$0", "$0"),
    ("$139", "$139"),
    ("$255", "$255"),
    ("$007", "$7"),
    ("$256", "$256"),
    ("!!!", "!!!"),
    ("±", "$16"),
    ("⩲", "$14"),
    ("‼", "$3"),
    ("∞", "$13"),
    ("△", "$140"),
];

impl Writer {
    fn odds(&mut self, probability: f64) -> bool {
        self.random.random_bool(probability)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        *all.choose(&mut self.random).expect("one")
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// One of these forms, in which `@` is a new word.
    fn put_one_of(&mut self, forms: &[&str], letter: char) -> String {
        self.count += 1;
        let word = format!("{letter}{}{letter}", self.count);
        let form = self.pick(forms).replace('@', &word);
        self.put(&form);
        word
    }

    fn space(&mut self) {
        let spaces = [
            " ",
            " ",
            " ",
            "\n",
            "  ",
            "\t",
            "\u{a0}",
            " \u{200b}",
            "\u{feff} ",
            "\n \n",
            "\n% @{ ( [ \n",
        ];
        let space = self.pick(&spaces);
        self.put(space);
    }

    fn comment(&mut self) {
        let forms = [
            "{@}",
            "{ @ }",
            "{é @ (;$3 {}",
            "{@\n[%clk 0:01]}",
            "{\n% @\n}",
            "; @ } ( é\n",
            ";@\n",
            "{[Event \"@\"]}",
            "{@\u{200d}\u{a0}–}",
        ];
        let word = self.put_one_of(&forms, 'c');
        self.game.comments.push(word);
    }

    fn comments(&mut self, probability: f64) {
        while self.odds(probability) {
            self.comment();
            self.space();
        }
    }

    fn annotations(&mut self) {
        for _ in 0..self.pick(&[0, 0, 0, 1, 2]) {
            let (sign, written) = self.pick(&ANNOTATIONS);
            // Glued to the next annotation it is another one.
            self.put(sign);
            self.put(" ");
            self.game.texts.push(written.to_owned());
        }
    }

    /// A line of moves; those of the main line are expected as such.
    fn line(&mut self, plies: usize, depth: usize) {
        for ply in 0..plies {
            let number = self.pick(&["", "1.", "1. ", "1...", "1 . ", "7…", "12.\u{200b}", "1.1."]);
            self.put(number);
            if depth > 0 || ply > 0 || !number.is_empty() {
                self.comments(0.1);
            }
            let words: &[&str] = match depth {
                0 => &["f2-e3A", "d5d4a", "e1-d2A-d3A"],
                // The main line's own move, illegal ones, no move at all.
                _ => &["f2-e3A", "--", "Z0", "0000", "i9-x", "@", "3-0", "d3–e3"],
            };
            let word = self.pick(words);
            match word {
                "@" => {
                    let word = self.put_one_of(&["@", "@\u{200b}z"], 'v');
                    self.game.texts.push(word);
                }
                _ => self.put(word),
            }
            match depth {
                0 => self.game.moves.push(word.to_owned()),
                _ => self.game.texts.push(word.replace('@', "")),
            }
            self.annotations();
            self.space();
            self.comments(0.3);
            while depth < 3 && self.odds(0.2) {
                self.put("(");
                self.comments(0.2);
                let plies = self.pick(&[0, 1, 1, 2, 3]);
                self.line(plies, depth + 1);
                let end = self.pick(&["", " ", " 1-0 ", " * "]);
                self.put(end);
                self.put(")");
                self.annotations();
                self.comments(0.3);
            }
        }
    }

    fn tags(&mut self) -> Option<&'static str> {
        for _ in 0..self.pick(&[0, 1, 2, 3]) {
            let name = self.pick(&["White", "Black", "Date", "Round", "X-1", "Annotator"]);
            let forms = [
                "[N \"@\"]",
                "[N \"@\"]",
                "[N @]",
                "[N \"@]",
                "[N \"@\"",
                "[ N  \"@\" ]",
                "[N\"@\"]",
                "[N '@']",
                "[N“@”]",
                "[N \"an \\\"@\\\" \\\\\"]",
                "[N: @",
                "[\"@\"]",
                "[é @]",
                "[N \"@ “é”\u{a0}½\"] ",
                "[N \"\"][X \"@\"]",
                "% \n[N \"@\"]",
            ];
            let forms = forms.map(|form| form.replace('N', name));
            let word = self.put_one_of(&forms.each_ref().map(|form| &**form), 't');
            self.game.texts.push(word);
            self.put("\n");
        }
        self.odds(0.4).then(|| {
            let (written, meant) = self.pick(&RESULTS);
            writeln!(self.text, "[Result \"{written}\"]").expect("memory");
            meant
        })
    }

    /// Writes a game. `has_tags` if it must have some; whether the next one must have some.
    fn game(&mut self, has_tags: bool) -> bool {
        // Comments behind a game without result belong to it.
        if !has_tags && self.odds(0.2) {
            self.put("\n\n");
            self.comments(0.8);
        }
        let mut stated = None;
        let plies = self.random.random_range(0..8);
        if has_tags || plies == 0 || self.odds(0.8) {
            // In the middle of moves only a line that begins with a tag does begin another game.
            let between = ["\n\n[Event \"@\"]\n", "\n \r\n[Event \"@\"]\n"];
            let word = self.put_one_of(&between, 't');
            self.game.texts.push(word);
            stated = self.tags();
        } else {
            self.put("\n\n");
        }
        self.space();
        self.comments(0.2);
        self.line(plies, 0);
        self.game.is_damaged = plies > 0 && self.odds(0.1);
        if self.game.is_damaged {
            let damage = self.pick(&[
                " ) ",
                " ] ",
                " \" ",
                " { never closed",
                " ( ",
                "(((a)",
                " < ",
            ]);
            self.put(damage);
        }
        let has_result = plies == 0 || self.odds(0.8);
        let meant = match has_result {
            true => {
                let (written, meant) = self.pick(&RESULTS);
                self.put(" ");
                self.put(written);
                meant
            }
            false => stated.unwrap_or("*"),
        };
        self.game.result = meant.parse().expect("a result");
        let must = !has_result || self.game.is_damaged;
        if !must {
            // Of the same line, of the next one.
            for between in [" ", "\n"] {
                if self.odds(0.1) {
                    // Behind `;` the line has ended.
                    if !self.text.ends_with('\n') {
                        self.put(between);
                    }
                    self.comment();
                }
            }
            let end = self.pick(&["\n", "\n\n", "\n\n\n"]);
            self.put(end);
        }
        must
    }
}

/// The bytes of a text in Latin-1, as Windows has it, if it can be written so.
fn latin1(text: &str) -> Option<Vec<u8>> {
    let byte = |character| match character {
        '–' => Some(0x96),
        '—' => Some(0x97),
        '“' => Some(0x93),
        '”' => Some(0x94),
        '\u{80}'..='\u{9f}' => None,
        other => u8::try_from(u32::from(other)).ok(),
    };
    text.chars().map(byte).collect()
}

/// Words of this letter in their order.
fn words(text: &str, letter: char) -> Vec<String> {
    let parts = text.split(|character: char| !character.is_ascii_alphanumeric());
    let is_one = |part: &&str| {
        let inner = part
            .strip_prefix(letter)
            .and_then(|part| part.strip_suffix(letter));
        inner.is_some_and(|inner| {
            inner.bytes().all(|byte| byte.is_ascii_digit()) && !inner.is_empty()
        })
    };
    parts.filter(is_one).map(str::to_owned).collect()
}

fn check_file(seed: u64) {
    let mut writer = Writer {
        random: SmallRng::seed_from_u64(seed),
        text: String::new(),
        count: 0,
        game: Expected::default(),
    };
    let mut expected: Vec<Expected> = Vec::new();
    let mut has_tags = false;
    for _ in 0..writer.random.random_range(1..5) {
        has_tags = writer.game(has_tags);
        expected.push(std::mem::take(&mut writer.game));
    }
    let ends = writer.pick(&["\n", "\n", "\r\n", "\r"]);
    let mut text = writer.text.replace('\n', ends);
    if writer.odds(0.2) {
        text.insert(0, '\u{feff}');
    }
    let bytes = latin1(&text).filter(|_| writer.odds(0.8));
    let bytes = bytes.unwrap_or_else(|| text.clone().into_bytes());
    let shown = format!("seed {seed}:\n{text}\n");

    let items: Vec<_> = PgnReader::new(&*bytes).collect();
    assert_eq!(items.len(), expected.len(), "{shown}{items:#?}");
    for (item, expected) in items.iter().zip(&expected) {
        let record = match item {
            Ok(record) => record,
            Err(error) => {
                let message = error.to_string();
                assert!(expected.is_damaged && error.line > 0, "{shown}{message}");
                assert!(
                    message
                        .chars()
                        .all(|character| !character.is_control() && character != '\u{200b}')
                );
                continue;
            }
        };
        let written = record.to_string();
        let shown = format!("{shown}{written}");
        assert!(!expected.is_damaged, "{shown}");
        let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text()).collect();
        assert_eq!(moves, expected.moves, "{shown}");
        assert_eq!(record.result(), expected.result, "{shown}");
        assert_eq!(words(&written, 'c'), expected.comments, "{shown}");
        for part in &expected.texts {
            assert!(written.contains(part), "'{part}' is missing: {shown}");
        }
    }
    // What is written reads back, and is written in the same way.
    let good: Vec<&GameRecord> = items.iter().flatten().collect();
    let written: String = good.iter().map(ToString::to_string).collect();
    let again = games(&written);
    assert_eq!(again.iter().collect::<Vec<_>>(), good, "{shown}");
    let rewritten: String = again.iter().map(ToString::to_string).collect();
    assert_eq!(written, rewritten, "{shown}");
    // On several processors the games are the same.
    let mut parts = Vec::new();
    let each = |_, item| {
        parts.push(item);
        Ok::<(), ()>(())
    };
    let format = Some(GameFormat::Pgn);
    let scanned = scan(&*bytes, format, |_, record| Ok(record), each);
    assert_eq!(scanned.expect("readable"), Ok(()));
    let whole = game_formats::read(&*bytes, format);
    let whole: Vec<_> = whole.collect();
    assert_eq!(parts, whole, "{shown}");
    // Turns that are written in another way keep their comments.
    for (item, respelled) in items.iter().zip(&whole) {
        if let (Ok(record), Ok(respelled)) = (item, respelled) {
            let [own, written] = [record, respelled].map(|record| words(&record.to_string(), 'c'));
            assert_eq!(written, own, "{shown}");
        }
    }
}

#[test]
fn files_of_others_lose_nothing() {
    (0..300).for_each(check_file);
}

/// The same for many more files: `cargo test --test library files_of_others -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_files_of_others_lose_nothing() {
    (300..100_000).for_each(check_file);
}
