//! Records as lines of text.
//!
//! Six fields with tabs between them: the position as FEN, the score in centi-stones from the view
//! of the side to move, the result of the game (`1-0`, `1/2-1/2`, `0-1`, `*` for an aside), the
//! ply, the game's number (its low 16 bits), and `1` for the last position of a game, else `0`.

use std::fmt::Display;
use std::str::FromStr;

use super::{Record, Sample};
use vato_engine::board::Side;
use vato_engine::notation::pgn::RecordResult;
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::rules::Rules;
use vato_engine::text::excerpt;

/// A record as a line, without its end.
pub fn format_record(rules: &Rules, record: &Record) -> String {
    let sample = record.sample();
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}",
        format_fen(&sample.position(), rules.board),
        sample.score,
        sample.result,
        sample.ply,
        sample.game,
        u8::from(sample.is_last)
    )
}

/// The record of a line. Its ply counts, not the position's move number.
///
/// # Errors
///
/// Describes the error in the line.
pub fn parse_record(rules: &Rules, line: &str) -> Result<Record, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [fen, score, result, ply, game, last] = fields[..] else {
        return Err(format!(
            "{} field(s), expected 6 with tabs between them: position, score, result, ply, game, last",
            fields.len()
        ));
    };
    let position = parse_fen(fen, rules.board).map_err(|error| error.to_string())?;
    if Side::BOTH
        .iter()
        .any(|&side| position.stones(side).is_empty())
    {
        return Err("a side has no stones".to_owned());
    }
    let result = RecordResult::from_name(result).ok_or_else(|| {
        let result = excerpt(result);
        format!("result '{result}', expected 1-0, 1/2-1/2, 0-1 or * for an aside")
    })?;
    let is_last = match last {
        "0" => false,
        "1" => true,
        _ => return Err(format!("last '{}', expected 0 or 1", excerpt(last))),
    };
    if is_last && result == RecordResult::Unfinished {
        return Err(
            "the last position of a game cannot be an aside, which has no result".to_owned(),
        );
    }
    let score = number("score", score, i16::MIN, i16::MAX)?;
    let ply = number("ply", ply, 0, u16::MAX)?;
    Ok(Record::new(&Sample {
        result,
        game: number("game", game, 0, u16::MAX)?,
        is_last,
        ..Sample::of(rules, &position, score, ply)
    }))
}

fn number<N: FromStr + Display>(field: &str, text: &str, least: N, most: N) -> Result<N, String> {
    text.parse().map_err(|_| {
        let text = excerpt(text);
        format!("{field} '{text}', expected a whole number from {least} to {most}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        for line in [
            "1bb3b2/5b3/3w2b2/1ww6/3w3b1 w 6 10\t-244\t1/2-1/2\t18\t0\t0",
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b 0 1\t7\t1-0\t1\t65535\t1",
            "8b/9/9/9/w8 w 0 21\t-7\t*\t40\t3\t0",
        ] {
            let record = parse_record(&Rules::STANDARD, line).expect(line);
            assert_eq!(format_record(&Rules::STANDARD, &record), line);
        }
        let can_capture = |line: &str| {
            let record = parse_record(&Rules::STANDARD, line).expect(line);
            record.sample().can_capture
        };
        assert!(can_capture(
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1\t0\t1-0\t0\t0\t0"
        ));
        assert!(!can_capture("8b/9/9/9/w8 w 0 20\t0\t1-0\t40\t0\t0"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |line: &str| parse_record(&Rules::STANDARD, line).expect_err(line);
        assert!(error("").contains("1 field(s)"));
        assert!(error("8b/9/9/9/w8 w\t0\t1-0\t40\t0").contains("5 field(s)"));
        assert!(error("9/9/9/w8 w 0 20\t0\t1-0\t40\t0\t0").contains("4 rows"));
        assert!(error("9/9/9/9/w8 w 0 20\t0\t1-0\t40\t0\t0").contains("no stones"));
        let rest = |rest: &str| error(&format!("8b/9/9/9/w8 w 0 20\t{rest}"));
        assert_eq!(
            rest("40000\t1-0\t40\t0\t0"),
            "score '40000', expected a whole number from -32768 to 32767"
        );
        assert!(rest("0\t2-0\t40\t0\t0").contains("result '2-0'"));
        assert!(rest("0\t*\t40\t0\t1").contains("aside"));
        assert!(rest("0\t1-0\t-1\t0\t0").contains("ply '-1'"));
        assert!(rest("0\t1-0\t1\t70000\t0").contains("game '70000'"));
        assert!(rest("0\t1-0\t1\t7\tyes").contains("last 'yes'"));
    }
}
