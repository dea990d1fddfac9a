//! Positions as text.
//!
//! `ROWS SIDE QUIET NUMBER`, for instance
//! `bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1`: rows from the highest rank to the
//! first, stones `w` and `b`, digits for runs of empty points; the side to move; plies since the last
//! capture; the move number. The two counters may be missing.

use thiserror::Error;

use crate::board::{Bitboard, BoardSize, Position, Side};
use crate::excerpt::excerpt;
use crate::plural::counted;

/// What is wrong with a position's text, and where. Columns and ranks count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum FenError {
    /// Nothing there.
    #[error("fen: empty")]
    Empty,
    /// Too few or too many rows.
    #[error("fen: {}, but the board {board} has {wanted}", counted(*found, "row", "rows"))]
    Rows {
        found: usize,
        wanted: u8,
        board: BoardSize,
    },
    /// A row that does not fill the board's width.
    #[error(
        "fen: rank {rank} ('{text}') has {}, but the board {board} has {wanted}",
        counted(*found, "point", "points")
    )]
    Points {
        rank: usize,
        text: String,
        found: usize,
        wanted: u8,
        board: BoardSize,
    },
    /// A character that is neither a stone nor a digit.
    #[error(
        "fen: rank {rank}, character {column}: '{found}' is neither w, b nor a digit from 1 to 9"
    )]
    Character {
        rank: usize,
        column: usize,
        found: char,
    },
    /// No stone on the board.
    #[error("fen: no stones on the board")]
    NoStones,
    /// The side to move is missing.
    #[error("fen: the side to move (w or b) is missing")]
    NoSide,
    /// The side to move is neither `w` nor `b`.
    #[error("fen: side to move '{0}', want w or b")]
    Side(String),
    /// The plies since the last capture are no number in range.
    #[error("fen: plies since the last capture '{0}', want a number from 0 to 65535")]
    QuietPlies(String),
    /// The move number is no number in range.
    #[error("fen: move number '{0}', want a number from 1 to 4294967295")]
    MoveNumber(String),
    /// More than four fields.
    #[error("fen: unexpected '{0}' after the move number")]
    Trailing(String),
}

/// Reads a position of a board of this size.
///
/// Upper-case stones are accepted. Without counters there are 0 quiet plies, and the move number is
/// 1 if the stones are those of the start, else 2.
///
/// # Errors
///
/// Names what is wrong, and where. A finished game (one side without stones) is not an error.
pub fn parse_fen(text: &str, board: BoardSize) -> Result<Position, FenError> {
    let mut fields = text.split_whitespace();
    let rows = fields.next().ok_or(FenError::Empty)?;
    let stones = parse_rows(rows, board)?;
    let side = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        Some(other) => return Err(FenError::Side(excerpt(other))),
        None => return Err(FenError::NoSide),
    };
    let halfmove_clock = match fields.next() {
        Some(field) => digits(field)
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| FenError::QuietPlies(excerpt(field)))?,
        None => 0,
    };
    let start = board.start();
    let move_number = match fields.next() {
        Some(field) => digits(field)
            .and_then(|digits| digits.parse().ok())
            .filter(|&number| number > 0)
            .ok_or_else(|| FenError::MoveNumber(excerpt(field)))?,
        None if Side::BOTH.map(|side| start.stones(side)) == stones => 1,
        None => 2,
    };
    match fields.next() {
        Some(field) => Err(FenError::Trailing(excerpt(field))),
        None => Ok(Position::new(stones, side, halfmove_clock, move_number)),
    }
}

fn parse_rows(text: &str, board: BoardSize) -> Result<[Bitboard; 2], FenError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(board.rows()) {
        return Err(FenError::Rows {
            found: rows.len(),
            wanted: board.rows(),
            board,
        });
    }
    let mut stones = [Bitboard::EMPTY; 2];
    for (row, rank) in rows.iter().zip((0..board.rows()).rev()) {
        let mut file = 0_usize;
        for (index, character) in row.chars().enumerate() {
            let side = match character {
                'w' | 'W' => Some(Side::White),
                'b' | 'B' => Some(Side::Black),
                '1'..='9' => None,
                _ => {
                    return Err(FenError::Character {
                        rank: usize::from(rank) + 1,
                        column: index + 1,
                        found: character,
                    });
                }
            };
            if let Some(side) = side {
                let point = u8::try_from(file)
                    .ok()
                    .and_then(|file| board.point(file, rank));
                if let Some(point) = point {
                    stones[side.index()] |= point.into();
                }
                file += 1;
            } else {
                file += character.to_digit(10).unwrap_or(0) as usize;
            }
        }
        if file != usize::from(board.columns()) {
            return Err(FenError::Points {
                rank: usize::from(rank) + 1,
                text: excerpt(row),
                found: file,
                wanted: board.columns(),
                board,
            });
        }
    }
    if stones[0].is_empty() && stones[1].is_empty() {
        return Err(FenError::NoStones);
    }
    Ok(stones)
}

/// The text itself if it is digits only: signs are not numbers here.
fn digits(text: &str) -> Option<&str> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(text)
}

/// Writes a position, all four fields.
#[must_use]
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

    fn message(text: &str) -> String {
        parse_fen(text, BoardSize::STANDARD)
            .expect_err(text)
            .to_string()
    }

    #[test]
    fn the_start_reads_and_writes() {
        let start = BoardSize::STANDARD.start();
        assert_eq!(format_fen(&start, BoardSize::STANDARD), START);
        assert_eq!(parse_fen(START, BoardSize::STANDARD), Ok(start));
        assert_eq!(
            parse_fen(
                &START.replace(" 0 1", "").to_uppercase().replace(" W", " w"),
                BoardSize::STANDARD
            ),
            Ok(start)
        );
        for board in BoardSize::ALL {
            let text = format_fen(&board.start(), board);
            assert_eq!(parse_fen(&text, board), Ok(board.start()), "{board}");
        }
    }

    #[test]
    fn missing_counters_have_defaults() {
        let other = parse_fen("9/9/4w4/9/4b4 b", BoardSize::STANDARD).expect("legal");
        assert_eq!((other.halfmove_clock(), other.move_number()), (0, 2));
        let other = parse_fen("9/9/4w4/9/4b4 b 7", BoardSize::STANDARD).expect("legal");
        assert_eq!((other.halfmove_clock(), other.move_number()), (7, 2));
    }

    #[test]
    fn errors_name_what_and_where() {
        assert!(message("").contains("empty"));
        assert!(message("9/9/9/9 w").contains("4 rows"));
        assert!(message("9/9/9/9/9/9 w").contains("6 rows"));
        assert!(message("9/9/4w5/9/9 w").contains("rank 3 ('4w5') has 10 points"));
        assert!(message("9/9/4w3/9/9 w").contains("has 8 points"));
        assert!(message("9/9/4x4/9/9 w").contains("rank 3, character 2: 'x'"));
        assert!(message("9/9/4w40/9/9 w").contains("'0'"));
        assert!(message("9/9/9/9/9 w").contains("no stones"));
        assert!(message("9/9/4w4/9/9").contains("side to move (w or b) is missing"));
        assert!(message("9/9/4w4/9/9 x").contains("'x'"));
        assert!(message("9/9/4w4/9/9 w -1").contains("'-1'"));
        assert!(message("9/9/4w4/9/9 w 65536").contains("'65536'"));
        assert!(message("9/9/4w4/9/9 w 0 0").contains("move number '0'"));
        assert!(message("9/9/4w4/9/9 w 0 +1").contains("move number '+1'"));
        assert!(message("9/9/4w4/9/9 w 0 1 x").contains("unexpected 'x'"));
        let long = format!("9/9/{}/9/9 w", "w".repeat(100_000));
        assert!(message(&long).len() < 200);
    }
}
