//! Books that come back, and files that are wrong.

use super::*;
use crate::board::Symmetry;
use crate::book::{Book, BuildSettings};
use crate::notation::parse_fen;
use crate::rules::{Game, Preset};

fn book(rules: Rules) -> BookFile {
    let (start, _) = rules.canonical(&rules.start());
    let start = start.position();
    let settings = BuildSettings {
        rules,
        ..BuildSettings::default()
    };
    let mut positions = vec![start];
    let first = legal_moves(&rules, &start);
    positions.extend(first.iter().take(2).map(|&mv| start.play(mv)));
    let mut entries: Vec<BookEntry> = positions
        .iter()
        .map(|position| {
            let (key, _) = rules.canonical(position);
            let legal = legal_moves(&rules, &key.position());
            let searched = |(&mv, score)| SearchedMove {
                mv,
                score: Score::from_raw(score),
            };
            (key, legal.iter().zip([30_900, -3]).map(searched).collect())
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.words());
    entries.dedup();
    BookFile {
        header: settings.header(false),
        rules,
        entries,
    }
}

/// With a right checksum, whatever else is wrong.
fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    content.extend(crc32fast::hash(&content).to_le_bytes());
    content
}

#[test]
fn books_round_trip() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    for preset in [
        Preset::Tsivy,
        Preset::FirstTurns,
        Preset::Vela,
        Preset::Dimy,
    ] {
        let book = book(preset.rules().expect("rules"));
        book.write(&path).expect("there is room");
        assert_eq!(
            BookFile::read(&path).expect("just written"),
            book,
            "{preset}"
        );
    }
}

#[test]
fn a_changed_byte_anywhere_is_refused() {
    let bytes = book(Rules::STANDARD).to_bytes().expect("small");
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut wrong = bytes.clone();
            wrong[place] ^= change;
            let error = BookFile::from_bytes(&wrong).expect_err("changed");
            let named = match place {
                0..8 => "VATOBOOK",
                8..12 => "version",
                // The length of the header.
                12..16 if !error.contains("damaged") => "truncated",
                _ => "damaged",
            };
            assert!(error.contains(named), "byte {place}: {error}");
        }
        assert!(
            BookFile::from_bytes(&bytes[..place]).is_err(),
            "{place} bytes"
        );
    }
}

/// What a checksum does not see: files that were made wrong.
#[test]
fn nonsense_with_a_right_checksum_is_refused() {
    let bytes = book(Rules::STANDARD).to_bytes().expect("small");
    let content = &bytes[..bytes.len() - 4];
    let mut parsed = 0;
    for place in 8..content.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut wrong = content.to_vec();
            wrong[place] ^= change;
            // Some of them are books, though other ones: they answer as books do.
            let book = BookFile::from_bytes(&sealed(wrong)).and_then(Book::of);
            parsed += usize::from(book.is_ok());
            if let Ok(book) = book {
                let known = book.walk();
                let counted: usize = book.positions_by_ply().iter().sum();
                assert_eq!(known.len(), counted, "byte {place}");
                assert!(known.iter().all(|known| known.moves.len() < 3));
                assert!(book.ends().len() < 99);
                assert!(!book.moves_in(&Game::new(*book.rules())).is_empty());
            }
        }
        assert!(BookFile::from_bytes(&sealed(content[..place].to_vec())).is_err());
    }
    assert!(parsed > 10, "{parsed}");
    let longer = sealed([content, &[0; 7]].concat());
    let error = BookFile::from_bytes(&longer).expect_err("longer");
    assert!(error.contains("7 bytes after"), "{error}");
    let count = book(Rules::STANDARD).entries.len();
    let entries = content.len() - count * (17 + 2 * 10);
    let cut_short = format!("position {}: truncated", count + 1);
    for (place, byte, what) in [
        (entries - 4, 200, cut_short.as_str()),
        (entries + 7, 0x80, "invalid stones"),
        (entries + 16, 0, "no move"),
        (
            entries + 17,
            content[entries + 17] ^ 1,
            "move 1 is not legal",
        ),
        // 30,900 with other high bytes.
        (entries + 26, 0x7d, "move 1: invalid score 32180"),
        (entries + 26, 0x82, "move 1: invalid score -32076"),
    ] {
        let mut wrong = content.to_vec();
        wrong[place] = byte;
        let error = BookFile::from_bytes(&sealed(wrong)).expect_err(what);
        assert!(error.contains(what), "{what}: {error}");
    }
    let mut twice = content.to_vec();
    twice.copy_within(entries + 17..entries + 25, entries + 27);
    let error = BookFile::from_bytes(&sealed(twice)).expect_err("twice");
    assert!(error.contains("move 2 comes twice"), "{error}");
    let mut swapped = content.to_vec();
    swapped.copy_within(entries..entries + 37, entries + 37);
    let error = BookFile::from_bytes(&sealed(swapped)).expect_err("no order");
    assert!(error.contains("position 2: out of order"), "{error}");
}

#[test]
fn headers_are_checked() {
    let right = book(Rules::STANDARD);
    let error = |change: fn(&mut BookHeader)| {
        let mut wrong = right.clone();
        change(&mut wrong.header);
        let bytes = wrong.to_bytes().expect("small");
        BookFile::from_bytes(&bytes).expect_err("wrong")
    };
    let other = error(|header| header.rules = "board=4x4".to_owned());
    assert!(other.contains("no board of size '4x4'"), "{other}");
    // The stones are not those of this board.
    assert!(error(|header| header.rules = "board=5x5".to_owned()).contains("position 1"));
    assert!(error(|header| header.margin = -1).contains("margin '-1': expected 0 to 1000"));
    assert!(error(|header| header.plies = 0).contains("plies '0': expected 1 to 200"));
}

#[test]
fn words_round_trip_and_others_are_refused() {
    let rules = Preset::FirstTurns.rules().expect("rules");
    for position in [
        rules.start(),
        parse_fen("9/1b2w4/9/4b4/w8 b 7 20", rules.board).expect("good"),
    ] {
        let (key, _) = rules.canonical(&position);
        let words = key.words();
        assert_eq!(Canonical::from_words(rules.board, words), Some(key));
        let again = rules.canonical(&key.position());
        assert_eq!(again, (key, Symmetry::IDENTITY));
        // Off the board, on both sides, empty.
        let wrong = [
            [words[0] | 1 << 9, words[1]],
            [words[0] | 1 << 50, words[1]],
            [words[0] | words[1] & 1 << 44, words[1] | words[0] & 1],
            [0, words[1]],
            [words[0], BLACK_TO_MOVE],
        ];
        for words in wrong {
            let read = Canonical::from_words(rules.board, words);
            assert!(read.is_none_or(|read| read == key), "{words:?}");
        }
    }
}

#[test]
fn first_turns_are_told_apart_where_the_rules_do() {
    for (preset, differ) in [
        (Preset::Tsivy, false),
        (Preset::Riatra, true),
        (Preset::Vela, true),
    ] {
        let rules = preset.rules().expect("rules");
        let start = rules.start();
        let stones = Side::BOTH.map(|side| start.stones(side));
        let later = Position::new(stones, start.side(), 30, 20);
        let [first, later] = [start, later].map(|position| rules.canonical(&position).0);
        assert_eq!(first != later, differ, "{preset}");
    }
}
