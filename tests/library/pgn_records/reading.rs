//! Texts of all kinds, and what is wrong with some.

use std::io::{self, BufReader, Read};

use vato_records::pgn::{GameRecord, Nag, PgnReader, RecordResult};

use super::{faults, games, only_game, read};

/// The moves with their comments.
fn moves(record: &GameRecord) -> Vec<(&str, Option<&str>)> {
    let moves = record.moves().iter();
    moves.map(|mv| (mv.text(), mv.comment.as_deref())).collect()
}

#[test]
fn what_chess_programs_write_is_read() {
    let expected = [("f2-e3A-d4W", None), ("d5d4a", None), ("e1-d2A", None)];
    for text in [
        "1. f2-e3A-d4W d5d4a 2. e1-d2A *",
        "1.f2-e3A-d4W d5d4a\r\n2.e1-d2A\r\n*\r\n",
        "1. f2-e3A-d4W\r1... d5d4a\r2. e1-d2A\r*\r",
        "\u{feff}\n\u{feff}f2-e3A-d4W d5d4a e1-d2A",
        "% an escape line ( {\n1.f2-e3A-d4W!? $1 1...d5d4a $140!\n% { again\n2.e1-d2A ?? *",
        "1. f2-e3A-d4W (1. d3-e3A {a ) b} (d4 1-0) ; ( c\n 1... e4 *) d5d4a ()\n\n\n2. e1-d2A\n*",
    ] {
        let record = only_game(text);
        assert_eq!(moves(&record), expected, "{text}");
        assert_eq!(record.result(), RecordResult::Unfinished);
        assert_eq!(record.introduction(), None);
        assert_eq!(
            record.moves()[0].annotations().is_empty(),
            !text.contains("!?")
        );
    }
    let record = only_game("$3 1. a1a2!? $1 {x} $5 (a1a3 $2) !!! b1b2 $255 $256 2. c1c2?? *");
    // What has no number or no move becomes a comment.
    assert_eq!(record.introduction(), Some("$3"));
    assert_eq!(
        record.moves()[0].variations[0].comment_after.as_deref(),
        Some("!!!")
    );
    assert_eq!(record.moves()[1].comment.as_deref(), Some("$256"));
    let nags = record.moves().iter().map(|mv| mv.annotations().to_vec());
    let expected = [vec![Nag(5), Nag(1)], vec![Nag(255)], vec![Nag::BLUNDER]];
    assert_eq!(nags.collect::<Vec<_>>(), expected);
    let record = only_game(
        "; about the file\n[Event \"a\"]  \n [White \"\\\"W\\\\\"][Black \"B\"] 1. a1a2 {+0.35/12\n \
         0.84s} {b {c} ; rest } line\na2-a3 ;\n1/2-1/2 {end\nof it}",
    );
    assert_eq!(record.tag_value("White"), Some("\"W\\"));
    assert_eq!(
        moves(&record),
        [
            ("a1a2", Some("+0.35/12 0.84s b {c rest ) line")),
            ("a2-a3", None)
        ]
    );
    assert_eq!(record.result(), RecordResult::Draw);
    assert_eq!(record.final_comment(), Some("end of it"));
    assert_eq!(record.introduction(), Some("about the file"));
    assert_eq!(record.line(), Some(2));
    assert_eq!(record.moves()[1].line(), Some(5));
    assert_eq!(record.result_line(), Some(6));
    let record = read(b"[White \"Jos\xe9\"]\n\n{\xc3\xa9\xff} 1. a1a2 1\x960")
        .remove(0)
        .expect("readable");
    assert_eq!(record.tag_value("White"), Some("José"));
    assert_eq!(record.introduction(), Some("éÿ"));
    assert_eq!(record.result(), RecordResult::WhiteWins);
    assert_eq!(record.latin1_line(), Some(1));
    assert_eq!(only_game("{é} *").latin1_line(), None);
}

/// A bad tag or an odd result does not cost the game; the check names them.
#[test]
fn what_is_mended_is_named() {
    let record = only_game(
        "[Event \"x\"]\n[White P]\n[Black \"Soa]\n[\"y\" z]\n[Result \"½-½\"]\n\n1. f2-e3A 1/2\n",
    );
    assert_eq!(record.players(), "P – Soa");
    assert_eq!(record.introduction(), Some("[\"y\" z]"));
    assert_eq!(record.result(), RecordResult::Draw);
    assert_eq!(record.tag_value("Result"), Some("1/2-1/2"));
    let named = faults(&record);
    for (line, why) in [
        (
            2,
            "the tag White needs a value in double quotes: read as 'P'",
        ),
        (
            3,
            "the tag Black does not end with '\"]' on its line: read as 'Soa'",
        ),
        (
            4,
            "expected a tag name after '[', not '\"y\" z]': kept as a comment",
        ),
        (5, "the tag Result: read '½-½' as 1/2-1/2"),
        (7, "read '1/2' as the result 1/2-1/2"),
    ] {
        let wanted = format!("line {line}: {why}");
        assert!(named.contains(&wanted), "{wanted}: {named:?}");
    }
    let again = only_game(&record.to_string());
    assert_eq!(again, record);
    let still = faults(&again);
    assert!(
        !still.iter().any(|fault| fault.contains("read")),
        "{still:?}"
    );
    // Only the tag has the result.
    assert_eq!(
        only_game("[Result \"0–1\"]\n\n1. f2-e3A").result(),
        RecordResult::BlackWins
    );
}

#[test]
fn other_forms_of_text_are_named() {
    let utf16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>()
    };
    for (bytes, form) in [
        (utf16("\u{feff}[Event \"x\"]\n"), "UTF-16"),
        (utf16("[Event \"x\"]\n"), "UTF-16"),
        (utf16("1. f2-e3A"), "-f UTF-16LE"),
        (utf16("\n1. f2-e3A"), "-f UTF-16LE"),
        (b"\0\n\x001\0.".to_vec(), "-f UTF-16BE"),
        (b"\xfe\xff\0[\0E".to_vec(), "UTF-16"),
        (b"\xff\xfe\0\0[\0\0\0".to_vec(), "-f UTF-32 "),
        (b"\0\0\xfe\xff\0\0\0[".to_vec(), "-f UTF-32 "),
        (b"1\0\0\0.\0\0\0".to_vec(), "-f UTF-32LE"),
        (b"\0\0\x001\0\0\0.".to_vec(), "-f UTF-32BE"),
        (b"\x1f\x8b\x08\0".to_vec(), "gzip -dc"),
        (b"BZh91AY&SY".to_vec(), "bzip2 -dc"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "xz -dc"),
        (b"PK\x03\x04\x14\0".to_vec(), "unzip -p"),
        (b"\x28\xb5\x2f\xfd\x04".to_vec(), "zstd -dc"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), "this is no text"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec(), "this is no text"),
        (b"GIF89a\x10\0\x10\0\x80\n".to_vec(), "this is no text"),
        (b"%PDF-1.7\n%\xe2\xe3".to_vec(), "this is no text"),
        (b"\x7fELF\x02\x01\x01\0\x80".to_vec(), "this is no text"),
    ] {
        let items = read(&bytes);
        let [Err(error)] = &items[..] else {
            panic!("{items:?}");
        };
        assert!(error.contains(form), "{error}");
    }
}

/// Comments are kept wherever they stand.
#[test]
fn comments_between_games_belong_to_one() {
    let text = "{file}\n[White \"a\"]\n\n{intro} 1. {number} a1a2 1-0 {same line}\n{next line}\n\n{second}\n\n\
                [White \"b\"]\n\n*\n\n; the\n; end\n";
    for text in [
        text.to_owned(),
        text.replace("[White", "[Event \"x\"]\n[White"),
    ] {
        let games = games(&text);
        let [first, second] = &games[..] else {
            panic!("{games:?}");
        };
        assert_eq!(first.introduction(), Some("file intro number"));
        let last = first.moves().last().and_then(|mv| mv.comment.as_deref());
        assert_eq!(last, Some("same line next line"));
        assert_eq!(second.introduction(), Some("second"));
        assert_eq!(second.final_comment(), Some("the end"));
    }
    // On the line of the result, or below it: above a blank line or above the tags of the next game.
    for comment in [
        "{about the next}",
        "; about the next",
        "; about\n{the next}",
    ] {
        for (text, is_next) in [
            (
                format!("1. a1a2 1-0\n{comment}\n[White \"x\"]\n\nb1b2 *"),
                true,
            ),
            (
                format!("1. a1a2 1-0\n\n{comment}\n[White \"x\"]\n\nb1b2 *"),
                true,
            ),
            (
                format!("1. a1a2 1-0\n\n{comment}\n\n[White \"x\"]\n\nb1b2 *"),
                true,
            ),
            (
                format!("1. a1a2 1-0\n{comment}\n\n[White \"x\"]\n\nb1b2 *"),
                false,
            ),
            (
                format!("1. a1a2 1-0 {comment}\n\n[White \"x\"]\n\nb1b2 *"),
                false,
            ),
        ] {
            let games = games(&text);
            let [first, second] = &games[..] else {
                panic!("{games:?}");
            };
            let (first, second) = (first.moves()[0].comment.as_deref(), second.introduction());
            let about = Some("about the next");
            let wanted = if is_next {
                (None, about)
            } else {
                (about, None)
            };
            assert_eq!((first, second), wanted, "{text}");
        }
    }
    let text = "[White \"a\"] *\n\n; second\n*";
    let games = games(text);
    assert_eq!(games[1].introduction(), Some("second"));
    assert_eq!(games[1].line(), Some(4));
    let mut reader = PgnReader::new(text.as_bytes());
    reader.next();
    // The comment is a part of the text of its game.
    assert!(
        text[reader.offset() as usize..]
            .trim_start()
            .starts_with(';')
    );
}

/// Nothing is added to a game by reading and writing it.
#[test]
fn a_comment_behind_the_result_stays_the_only_one() {
    for (text, written) in [
        ("1. a1a2 b1b2 * {tail}", "1. a1a2 b1b2 {tail} *"),
        (
            "1. a1a2 b1b2 {last} * {tail}",
            "1. a1a2 b1b2 {last} {tail} *",
        ),
        ("1. a1a2 (1. c1c2) * {tail}", "1. a1a2 (1. c1c2) {tail} *"),
        ("[Event \"a\"]\n\n* {tail}", "{tail} *"),
        ("[Event \"a\"]\n\n1-0 {tail}", "{tail} 1-0"),
    ] {
        let game = only_game(text).to_string();
        assert!(game.ends_with(&format!("\n\n{written}\n\n")), "{game}");
    }
}

/// A game that has its result is whole, whatever is wrong with what follows it.
#[test]
fn an_open_comment_behind_a_result_is_named() {
    for text in [
        "1. f2-e3A 1-0 {never closed\n\n[Event \"b\"]\n\n*",
        "1. f2-e3A 1-0\n\n{never closed\n\n[Event \"b\"]\n\n*",
    ] {
        let games = games(text);
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(moves(&games[0]), [("f2-e3A", None)]);
        let named = faults(&games[0]);
        assert!(
            named[0].contains("the comment that begins here"),
            "{named:?}"
        );
    }
}

/// A character that cannot be seen can be seen in the message.
#[test]
fn the_invisible_is_shown() {
    assert_eq!(
        moves(&only_game("1.\u{200b}f2-e3A\u{feff}\u{a0}d5-d4A\u{200b} *")).len(),
        2
    );
    let named = faults(&only_game("1. f2\u{200b}-e3A *"));
    assert!(named[0].contains("f2\\u{200b}-e3A"), "{named:?}");
}

/// Also on one line, and without results, which the tags have.
#[test]
fn games_follow_each_other_in_all_manners() {
    for text in [
        "[White \"a\"] a1a2 1-0 [White \"b\"] a1a2 0-1 [White \"c\"] *",
        "[White \"a\"]\na1a2 1-0\n[White \"b\"]\na1a2 0-1\n[White \"c\"]\n*",
        "[White \"a\"]\n[Result \"1-0\"]\n\na1a2\n[White \"b\"]\n[Result \"0-1\"]\n\n{x}\n\n[White \"c\"]\n",
    ] {
        let told = |game: &GameRecord| format!("{} {}", game.players(), game.result());
        let found: Vec<String> = games(text).iter().map(told).collect();
        assert_eq!(found, ["a – ? 1-0", "b – ? 0-1", "c – ? *"], "{text}");
    }
    let tags = games("[Event \"a\"]\n[White \"x\"]\n[Event \"b\"]\n[White \"y\"]\n");
    assert_eq!(tags.len(), 2);
    assert_eq!(games("a1a2 1-0 a1a2 0-1\na1a2 *").len(), 3);
    let nothing = "\n; nothing\n{but comments}\n\n%\n 1. $1";
    for text in ["", "\n\n", "\u{feff}", nothing] {
        assert_eq!(games(text), [], "{text}");
    }
}

/// Each text has a game that cannot be read, and a good one behind it.
#[test]
fn errors_name_the_line_and_the_next_game_is_read() {
    let next = "\n\n[Event \"next\"]\n\n1. a1a2 1-0\n";
    for (bad, line, why) in [
        ("[White \"W\"]\n\n1. a1a2 ) a2a3 1-0", 3, "unexpected ')'"),
        (
            "a1a2 {never closed\n\na2a3 1-0",
            1,
            "the comment that begins here",
        ),
        (
            "[White \"W\"]\n{never closed",
            2,
            "the comment that begins here",
        ),
        ("a1a2\n(a2a3 {x)} 1-0", 2, "the variation that begins here"),
        ("(a2a3) a1a2 1-0", 1, "the variation has no move before it"),
        (
            "a1a2\n((a2a3)) 1-0",
            2,
            "the variation has no move before it",
        ),
        ("a1a2 (a2a3\n]) 1-0", 2, "unexpected ']'"),
        ("a1a2 (a2a3)\n) 1-0", 2, "unexpected ')'"),
        ("a1a2\n(a2a3 {x) 1-0", 2, "the comment that begins here"),
        ("\n1-0", 2, "the result 1-0 belongs to no game"),
        ("\u{0}\u{fffd}\u{1b}[31m", 1, "unexpected '['"),
    ] {
        for text in [
            format!("{bad}{next}"),
            format!("{bad}{next}").replace('\n', "\r\n"),
        ] {
            let items = read(text.as_bytes());
            let [Err(error), Ok(good)] = &items[..] else {
                panic!("{text}\n{items:?}");
            };
            assert!(error.starts_with(&format!("line {line}: ")), "{error}");
            assert!(error.contains(why), "{error}");
            assert_eq!(good.tag_value("Event"), Some("next"));
            assert_eq!(moves(good), [("a1a2", None)]);
        }
    }
    let mut reader = PgnReader::new(&b"[White \"W\"]\n\n}"[..]);
    let error = reader.next().expect("an item").expect_err("a brace");
    assert_eq!(error.players, "W – ?");
}

#[test]
fn an_input_that_fails_is_the_end() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("pulled out"))
        }
    }
    for text in [
        "a1a2 1-0\n[White \"W\"]\n",
        "a1a2 1-0\n",
        "a1a2 1-0 {good\n",
    ] {
        let mut reader = PgnReader::new(BufReader::new(text.as_bytes().chain(Failing)));
        assert!(reader.next().expect("a game").is_ok(), "{text}");
        let error = reader.next().expect("an item").expect_err("an error");
        assert!(error.is_input, "{text}");
        assert!(error.to_string().contains("pulled out"), "{error}");
        assert!(reader.next().is_none());
    }
}
