//! Whatever a record holds reads back. (What the bytes of any text are does no harm: see `fuzz_corpus`.)

use proptest::prelude::*;
use vato_records::pgn::{GameRecord, Nag, RecordResult};

use super::games;

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
}
