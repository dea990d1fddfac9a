//! FEN: positions as text.
//!
//! `ROWS SIDE QUIET NUMBER`, for instance
//! `bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1`: rows from the highest rank to the
//! lowest, with digits for empty points; `w` or `b`, the side to move; the plies since the last
//! capture; the move number. The two counters are optional.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::board::{Bitboard, BoardSize, Position, Side};
use crate::text::{counted, excerpt};

fn error<T>(what: impl Display) -> Result<T, String> {
    Err(format!("fen: {what}"))
}

/// Parses a FEN of a board of this size.
///
/// Upper-case stones are accepted. Missing counters default to 0 quiet plies, and to move number 1 if the
/// stones are those of the start position, else 2.
///
/// # Errors
///
/// Names what is wrong and where; characters and ranks count from 1. A finished game (a side without stones) is not an error.
pub fn parse_fen(text: &str, board: BoardSize) -> Result<Position, String> {
    let mut fields = text.split_whitespace();
    let Some(rows) = fields.next() else {
        return error("empty");
    };
    let stones = parse_rows(rows, board)?;
    let side = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        Some(other) => {
            let other = excerpt(other);
            return error(format!("invalid side to move '{other}': expected w or b"));
        }
        None => return error("the side to move (w or b) is missing"),
    };
    let halfmove_clock = match fields.next() {
        Some(field) => number(field, 0..=u16::MAX, "plies since the last capture")?,
        None => 0,
    };
    let start = board.start();
    let move_number = match fields.next() {
        Some(field) => number(field, 1..=u32::MAX, "move number")?,
        None if Side::BOTH.map(|side| start.stones(side)) == stones => 1,
        None => 2,
    };
    match fields.next() {
        Some(field) => error(format!(
            "unexpected '{}' after the move number",
            excerpt(field)
        )),
        None => Ok(Position::new(stones, side, halfmove_clock, move_number)),
    }
}

/// Reads a position as a person gives it. Besides what [`parse_fen`] takes: `startpos`, what stands behind a `;`, operations
/// of EPD (which are skipped), `-` in place of a field and `_` in place of a space, `W` or `white` for the side, and
/// what is often copied with a FEN: quotation marks, `position fen`, the tag of a game record.
///
/// # Errors
///
/// As [`parse_fen`].
pub fn read_position(text: &str, board: BoardSize) -> Result<Position, String> {
    let is_around = |c: char| c.is_whitespace() || "\"'[]\u{feff}".contains(c);
    let is_before = |word: &&str| ["position", "fen"].contains(&&*word.to_lowercase());
    let mut words: Vec<&str> = without_operations(text)
        .split(|c: char| c == '_' || is_around(c))
        .filter(|word| !word.is_empty() && *word != "-")
        .skip_while(is_before)
        .collect();
    if let [only] = words[..]
        && ["startpos", "start"].contains(&&*only.to_lowercase())
    {
        return Ok(board.start());
    }
    let side = words.get(1).map(|side| side.to_lowercase());
    match side.as_deref() {
        Some("white" | "w") => words[1] = "w",
        Some("black" | "b") => words[1] = "b",
        _ => {}
    }
    parse_fen(&words.join(" "), board)
}

/// The FEN of a text: what stands before a `;`, and before operations of EPD, which end with one.
pub fn without_operations(text: &str) -> &str {
    let Some((given, _)) = text.split_once(';') else {
        return text;
    };
    let (mut words, mut end) = (0, 0);
    for piece in given.split_inclusive(char::is_whitespace) {
        // Counters begin with a digit.
        if words >= 2 && piece.starts_with(|first: char| first.is_ascii_alphabetic()) {
            break;
        }
        // What may stand before the ranks does not count.
        words += usize::from(!piece.trim().is_empty() && (words > 0 || piece.contains('/')));
        end += piece.len();
    }
    &given[..end]
}

fn parse_rows(text: &str, board: BoardSize) -> Result<[Bitboard; 2], String> {
    let rows = text.split('/');
    let count = rows.clone().count();
    if count != usize::from(board.rows()) {
        return error(format!(
            "{}, but the board {board} has {}",
            counted(count, "row", "rows"),
            board.rows()
        ));
    }
    let mut stones = [Bitboard::EMPTY; 2];
    for (row, rank) in rows.zip((0..board.rows()).rev()) {
        let mut file = 0_usize;
        for (index, character) in row.chars().enumerate() {
            let (side, points) = match character {
                'w' | 'W' => (Some(Side::White), 1),
                'b' | 'B' => (Some(Side::Black), 1),
                '1'..='9' => (None, usize::from(character as u8 - b'0')),
                _ => {
                    return error(format!(
                        "rank {}, character {}: unexpected '{}': expected w, b or a digit from 1 to 9",
                        rank + 1,
                        index + 1,
                        excerpt(&character.to_string())
                    ));
                }
            };
            let place = u8::try_from(file).ok();
            let point = place.and_then(|file| board.point(file, rank));
            if let Some((side, point)) = side.zip(point) {
                stones[side.index()] |= point.into();
            }
            file += points;
        }
        if file != usize::from(board.columns()) {
            return error(format!(
                "rank {} ('{}') has {}, but the board {board} has {}",
                rank + 1,
                excerpt(row),
                counted(file, "point", "points"),
                board.columns()
            ));
        }
    }
    if stones[0].is_empty() && stones[1].is_empty() {
        return error("no stones on the board");
    }
    Ok(stones)
}

fn number<N>(text: &str, range: RangeInclusive<N>, name: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display,
{
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    match number.filter(|number| range.contains(number)) {
        Some(number) => Ok(number),
        None => error(format!(
            "invalid {name} '{}': expected a number from {} to {}",
            excerpt(text),
            range.start(),
            range.end()
        )),
    }
}

/// Writes a FEN with all four fields.
pub fn format_fen(position: &Position, board: BoardSize) -> String {
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        let mut empty = 0;
        for file in 0..board.columns() {
            let stone = board.point(file, rank).and_then(|point| {
                Side::BOTH
                    .into_iter()
                    .find(|&side| position.stones(side).contains(point))
            });
            match stone {
                None => empty += 1,
                Some(side) => {
                    push_run(&mut text, &mut empty);
                    text.push(side.letter());
                }
            }
        }
        push_run(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    format!(
        "{text} {} {} {}",
        position.side().letter(),
        position.halfmove_clock(),
        position.move_number()
    )
}

fn push_run(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";

    #[test]
    fn the_start_reads_and_writes() {
        let board = BoardSize::STANDARD;
        assert_eq!(format_fen(&board.start(), board), START);
        let short = START.replace(" 0 1", "").to_uppercase().replace(" W", " w");
        assert_eq!(parse_fen(&short, board), Ok(board.start()));
        for board in BoardSize::ALL {
            let text = format_fen(&board.start(), board);
            assert_eq!(parse_fen(&text, board), Ok(board.start()), "{board}");
        }
        // Missing counters have defaults.
        for (text, counters) in [("b", (0, 2)), ("b 7", (7, 2))] {
            let other = parse_fen(&format!("9/9/4w4/9/4b4 {text}"), board);
            let other = other.expect(text);
            assert_eq!((other.halfmove_clock(), other.move_number()), counters);
        }
    }

    #[test]
    fn positions_are_given_in_many_ways() {
        let board = BoardSize::STANDARD;
        let position = parse_fen("w8/9/9/9/8b b 3 41", board);
        assert!(position.is_ok());
        let ways = "w8/9/9/9/8b b 3 41| w8/9/9/9/8b b 3 41\n|w8/9/9/9/8b b 3 41 ; an ending|w8/9/9/9/8b b 3 41;|\
            w8/9/9/9/8b b 3 41 bm i1-i2; id \"an ending; won\";|w8/9/9/9/8b Black 3 41|w8/9/9/9/8b B - - 3 41|\
            w8/9/9/9/8b_b_3_41|\"w8/9/9/9/8b b 3 41\"|position fen w8/9/9/9/8b b 3 41|[FEN \"w8/9/9/9/8b b 3 41\"]|\
            \x20 w8/9/9/9/8b b  3 41  bm i1-i2; ce 3;|position fen w8/9/9/9/8b b 3 41;|[FEN \"w8/9/9/9/8b b 3 41\"] ; x|\
            \u{feff}w8/9/9/9/8b\u{a0}b 3 41";
        for text in ways.split('|') {
            assert_eq!(read_position(text, board), position, "{text}");
        }
        for text in ["startpos", "start", " Startpos ; x", "position startpos"] {
            assert_eq!(read_position(text, board), Ok(board.start()), "{text}");
        }
        let small = parse_fen("w8/9/9/9/8b b", board);
        assert_eq!(read_position("w8/9/9/9/8b b bm i1-i2;", board), small);
        let wrong =
            "|;|fen|w8/9/9/9/8b b 3 41 x|w8/9/9/9/8b ; b|w8/9/9/9/8b b 3 41 5 ; x|startpos x";
        for text in wrong.split('|') {
            assert!(read_position(text, board).is_err(), "{text}");
        }
    }

    /// The transcript `session_positions` has the sentences.
    #[test]
    fn what_is_no_position_is_refused_briefly() {
        let error = |text: &str| parse_fen(text, BoardSize::STANDARD).expect_err(text);
        for text in [
            "9/9/9/9/9/9 w",
            "9/9/4w5/9/9 w",
            "9/9/4w40/9/9 w",
            "9/9/4w4/9/9 w 65536",
        ] {
            error(text);
        }
        for number in ["-1", "0 +1"] {
            error(&format!("9/9/4w4/9/9 w {number}"));
        }
        let long = format!("9/9/{}/9/9 w", "w".repeat(100_000));
        assert!(error(&long).to_string().len() < 200);
    }
}
