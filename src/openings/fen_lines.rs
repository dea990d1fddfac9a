//! Positions in a text, one a line.

use super::{OpeningLine, PositionProblem};
use crate::board::Position;
use crate::notation::parse_fen;
use crate::rules::Rules;

/// The openings of a text: one FEN a line. Blank lines and lines that begin with `#` are skipped, and
/// what stands behind a `;`; bytes that are not UTF-8 may stand there, and a byte order mark at the
/// beginning.
///
/// Openings are called by `book` and their number. An error comes with its line, from 1.
pub(super) fn read_fen_lines(
    bytes: &[u8],
    rules: &Rules,
    book: &str,
) -> Result<Vec<OpeningLine>, (usize, PositionProblem)> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fen = without_comment(line);
        if fen.is_empty() {
            continue;
        }
        let opening = parse_fen(fen, rules.board)
            .map_err(PositionProblem::from)
            .and_then(|start| opening(start, rules, book, openings.len() + 1))
            .map_err(|problem| (index + 1, problem))?;
        openings.push(opening);
    }
    Ok(openings)
}

/// The position's text in a line, empty if the line has none.
pub(super) fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('#') {
        return "";
    }
    line.split(';').next().unwrap_or_default().trim_end()
}

fn opening(
    start: Position,
    rules: &Rules,
    book: &str,
    number: usize,
) -> Result<OpeningLine, PositionProblem> {
    let opening = OpeningLine {
        name: format!("{book} {number}"),
        start,
        moves: Vec::new(),
    };
    opening.game(rules)?;
    Ok(opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<OpeningLine>, (usize, String)> {
        read_fen_lines(bytes, &Rules::STANDARD, "x")
            .map_err(|(line, problem)| (line, problem.to_string()))
    }

    #[test]
    fn everything_but_positions_is_skipped() {
        let text = b"\xef\xbb\xbf# caf\xe9\r\n\r\n9/9/3w1b3/9/9 w ; +0.35 \xff\r\n \t\n;\n  # x\n\
                     9/9/3w1b3/9/9 b 0 7;";
        let openings = read(text).expect("good");
        let names: Vec<&str> = openings.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["x 1", "x 2"]);
        assert_eq!(openings[0].start.move_number(), 2);
        assert_eq!(openings[1].start.move_number(), 7);
        assert_eq!(read(b"\n#\n"), Ok(Vec::new()));
    }

    #[test]
    fn errors_come_with_their_line() {
        let (line, problem) = read(b"#\n\n9/9/9/9 w\n").expect_err("4 rows");
        assert!((line, problem.contains("4 rows")) == (3, true), "{problem}");
        let (line, problem) = read(b"9/9/4w4/9/9 b").expect_err("no stones");
        assert_eq!(line, 1);
        assert!(problem.contains("White wins"), "{problem}");
        let (_, problem) = read(b"9/9/3w1b3/9/9 w 100 60").expect_err("the limit");
        assert!(problem.contains("no capture for too long"), "{problem}");
        let (_, problem) = read("9/9/\u{e9}\u{1b}/9/9 w".as_bytes()).expect_err("no stone");
        assert!(problem.contains("'\u{e9}'"), "{problem}");
    }
}
