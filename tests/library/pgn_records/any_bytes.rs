//! Whatever a record holds reads back, and whatever the bytes of a text are does no harm.

use std::io::BufReader;

use proptest::prelude::*;
use vato_records::pgn::{GameRecord, Nag, PgnReader, RecordResult};

use super::{faults, games};

/// The longest error message.
const LONGEST_MESSAGE: usize = 400;

/// Records with everything that the writer has to take care of.
fn records() -> impl Strategy<Value = GameRecord> {
    let odd =
        "[ -~]{0,9}|[{}()\\[\\]\";%\\\\\n\r\t ]{0,9}|\\PC{0,9}|(?s:.){0,9}|[a-z% \\[]{60,200}";
    let names = "White|Black|Date|Variant|FEN|SetUp|[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,5}";
    let texts = "[a-i][1-5](-[a-i][1-5][AW]){1,9}|[a-zA-Z][a-z0-9./,%+#=-]{0,30}";
    let nags = prop::collection::vec(any::<u8>().prop_map(Nag), 0..3);
    (
        prop::collection::vec((names, odd), 0..6),
        prop::collection::vec((texts, nags, prop::option::of(odd)), 0..12),
        (odd, odd),
        prop::sample::select(RecordResult::ALL.to_vec()),
        any::<bool>(),
    )
        .prop_map(|(tags, moves, (introduction, end), result, black)| {
            let mut record = GameRecord::default();
            for (name, value) in tags.iter().filter(|(name, _)| name != "Result") {
                record.set_tag(name, value).expect("a good name");
            }
            if black {
                let fen = "9/9/3w2b2/9/9 b 0 4294967295";
                record.set_tag("FEN", fen).expect("a good name");
            }
            for (text, _, comment) in &moves {
                record
                    .push_move(text, comment.as_deref())
                    .expect("a good move");
            }
            for (mv, (_, nags, _)) in record.moves_mut().iter_mut().zip(&moves) {
                mv.set_annotations(nags.iter().copied());
            }
            record.set_introduction(&introduction);
            record.set_final_comment(&end);
            record.set_result(result);
            record
        })
}

/// Pieces of records, whole and broken.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "[Event \"x\"]",
        "[White \"W\"]\n",
        "[Result \"1-0\"]\n",
        "[",
        "]",
        "\"",
        "\\",
        "[Event ",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
        " ",
        "%",
        "; ",
        "{",
        "}",
        "(",
        ")",
        "1.",
        "12...",
        "…",
        "$1",
        "!?",
        "*",
        "1-0",
        "0-1",
        "1/2-1/2",
        "f2-e3A",
        "d5d4a",
        "a",
        "9",
        "é",
        "\u{feff}",
        "\0",
        "\u{85}",
        "\u{2028}",
    ]);
    let bytes = prop::collection::vec(any::<u8>(), 0..3);
    let part = prop_oneof![
        9 => piece.prop_map(|piece| piece.as_bytes().to_vec()),
        1 => bytes,
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// Whatever the bytes are: no panic, errors that can be read, and games that can be written.
fn holds_for_any_bytes(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut good = Vec::new();
    let mut last_line = 0;
    for item in PgnReader::new(BufReader::with_capacity(7, bytes)) {
        match item {
            Ok(record) => {
                prop_assert!(record.line() >= Some(1));
                good.push(record);
            }
            Err(error) => {
                prop_assert!(error.line >= 1);
                let message = error.to_string();
                prop_assert!(message.len() < LONGEST_MESSAGE && !message.contains('\n'));
                last_line = error.line;
            }
        }
    }
    let lines = bytes
        .iter()
        .filter(|byte| matches!(byte, b'\n' | b'\r'))
        .count();
    prop_assert!(last_line <= lines as u64 + 1);
    for record in &good {
        for message in faults(record) {
            prop_assert!(message.len() < LONGEST_MESSAGE && !message.contains('\n'));
        }
    }
    let text: String = good.iter().map(ToString::to_string).collect();
    prop_assert_eq!(games(&text), good);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_reads_back(records in prop::collection::vec(records(), 1..4)) {
        let text: String = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(&games(&text), &records);
        prop_assert_eq!(&games(&text.replace('\n', "\r\n")), &records);
        // Only the first column of a line may make it a tag or an escape.
        let (_, moves) = text.split_once("\n\n").expect("a blank line");
        let moves = moves.split("\n\n").next().expect("moves");
        for line in moves.lines() {
            prop_assert!(!line.starts_with(['%', '[', ';']), "{}", line);
            let words = line.split(' ').filter(|word| !word.starts_with(['%', '[', ';'])).count();
            prop_assert!(line.chars().count() < 80 || words < line.split(' ').count() || words == 1);
        }
    }

    #[test]
    fn broken_records_do_no_harm(bytes in pieces()) {
        holds_for_any_bytes(&bytes)?;
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        holds_for_any_bytes(&bytes)?;
    }

    #[test]
    fn damaged_records_do_no_harm(
        record in records(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = record.to_string().into_bytes();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        holds_for_any_bytes(&bytes)?;
    }
}
