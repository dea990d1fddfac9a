//! Moves as text: origin, then for each step `-`, the landing point and `A` (approach) or `W`
//! (withdrawal); a paika has no letter. `d5-d4A-c5W`, `d3-e3`. A pass is `pass`.

use std::fmt::Write;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::board::{BoardSize, Move, Point, Position};
use crate::rules::{Capture, Path, Rules, Step, follow, shortest_path};
use crate::text::printable;

/// The maximum length of a move in an error message; a long capturing turn has some fifty characters.
pub const SHOWN: usize = 60;

/// An error in a move's text. Characters count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// Malformed, at any position.
    #[error("move {0}")]
    Malformed(String),
    /// Well formed, but illegal: the text, shortened if long, and the reason.
    #[error("move '{0}' is illegal: {1}")]
    Illegal(String, String),
}

/// A pass as text.
pub const PASS: &str = "pass";

/// Parses a path. Hyphens are optional, and letters may be of either case.
///
/// # Errors
///
/// Names the first invalid character. Legality is not checked: see [`parse_turn`].
pub fn parse_path(text: &str, board: BoardSize) -> Result<Path, MoveTextError> {
    if text.eq_ignore_ascii_case(PASS) {
        return Ok(Path::pass());
    }
    let mut reader = MoveReader::new(text, board);
    let from = reader.point()?;
    let mut steps: ArrayVec<Step, { crate::rules::MAX_STEPS }> = ArrayVec::new();
    while !reader.rest.is_empty() {
        if steps.last().is_some_and(|step| step.capture.is_none()) {
            return Err(reader.error_here(match reader.peek() {
                Some('p' | 'P') => "a paika has no letter after its points",
                _ => "expected A, W or the end of the move",
            }));
        }
        reader.rest = reader.rest.strip_prefix('-').unwrap_or(reader.rest);
        let to = reader.point()?;
        let capture = reader.letter();
        steps
            .try_push(Step { to, capture })
            .map_err(|_| reader.error(" has more steps than a turn can have"))?;
    }
    if steps.is_empty() {
        return Err(reader.error(" ends after its origin"));
    }
    Ok(Path { from, steps })
}

/// The text of a turn, and what is left to read of it.
#[derive(Clone, Debug)]
pub struct MoveReader<'a> {
    text: &'a str,
    /// What is left.
    pub rest: &'a str,
    /// The board that the points are on.
    pub board: BoardSize,
}

impl<'a> MoveReader<'a> {
    /// The whole of a text.
    pub fn new(text: &'a str, board: BoardSize) -> MoveReader<'a> {
        let rest = text;
        MoveReader { text, rest, board }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads a point, or says what stands in its place.
    pub fn point(&mut self) -> Result<Point, MoveTextError> {
        let file = self
            .peek()
            .map(|character| character.to_ascii_lowercase())
            .filter(char::is_ascii_lowercase)
            .map(|character| character as u8 - b'a')
            .filter(|&file| file < self.board.columns())
            .ok_or_else(|| {
                let last = char::from(b'a' + self.board.columns() - 1);
                self.error_here(&format!("expected a file from a to {last}"))
            })?;
        self.rest = &self.rest[1..];
        let point = self
            .peek()
            .filter(|character| ('1'..='9').contains(character))
            .and_then(|character| self.board.point(file, character as u8 - b'1'))
            .ok_or_else(|| {
                let last = self.board.rows();
                self.error_here(&format!("expected a rank from 1 to {last}"))
            })?;
        self.rest = &self.rest[1..];
        Ok(point)
    }

    /// The letter of a step. An `a` followed by a digit is the file of the next step instead.
    fn letter(&mut self) -> Option<Capture> {
        let second = self.rest.chars().nth(1);
        let followed_by_digit = second.is_some_and(|second| second.is_ascii_digit());
        let capture = match self.peek()? {
            'a' | 'A' if !followed_by_digit => Capture::Approach,
            'w' | 'W' => Capture::Withdrawal,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(capture)
    }

    /// An error: the text and what is wrong with it.
    pub fn error(&self, what: &str) -> MoveTextError {
        MoveTextError::Malformed(format!("'{}'{what}", printable(self.text, SHOWN)))
    }

    /// An error at the next character.
    pub fn error_here(&self, what: &str) -> MoveTextError {
        let [all, rest] = [self.text, self.rest].map(|text| text.chars().count());
        self.error(&format!(", character {}: {what}", all - rest + 1))
    }
}

/// Parses a turn and checks that it is legal at `position`; returns the path and its move.
///
/// # Errors
///
/// Names the first invalid character, or the first illegal step and the reason.
pub fn parse_turn(
    text: &str,
    rules: &Rules,
    position: &Position,
) -> Result<(Path, Move), MoveTextError> {
    let path = parse_path(text, rules.board)?;
    let illegal = |why| MoveTextError::Illegal(printable(text, SHOWN), why);
    let mv = follow(rules, position, &path).map_err(illegal)?;
    Ok((path, mv))
}

/// Writes a path: `d5-d4A-c5W`.
pub fn format_path(path: &Path, board: BoardSize) -> String {
    if path.steps.is_empty() {
        return PASS.to_owned();
    }
    let mut text = board.name(path.from);
    for step in &path.steps {
        let letter = match step.capture {
            Some(Capture::Approach) => "A",
            Some(Capture::Withdrawal) => "W",
            None => "",
        };
        let _ = write!(text, "-{}{letter}", board.name(step.to));
    }
    text
}

/// Writes a move as the shortest path that plays it at `position`; `None` if it is not legal there.
pub fn format_move(rules: &Rules, position: &Position, mv: Move) -> Option<String> {
    shortest_path(rules, position, mv).map(|path| format_path(&path, rules.board))
}

/// Writes the moves of a line from `position` on, up to the first that is not legal.
pub fn format_line(rules: &Rules, position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let text = |&mv: &Move| {
        let text = format_move(rules, &position, mv)?;
        position = position.play(mv);
        Some(text)
    };
    moves.iter().map_while(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Result<String, String> {
        parse_path(text, BoardSize::STANDARD)
            .map(|path| format_path(&path, BoardSize::STANDARD))
            .map_err(|error| error.to_string())
    }

    /// The errors are in the transcripts `session_positions` and `refused`.
    #[test]
    fn short_forms_are_read() {
        for (text, wanted) in [
            ("d5-d4A-c5W", "d5-d4A-c5W"),
            ("d5d4ac5w", "d5-d4A-c5W"),
            ("D5D4AC5W", "d5-d4A-c5W"),
            ("d3e3", "d3-e3"),
            // The first `a` after b1 is the letter, the second the file.
            ("a1b1aa2w", "a1-b1A-a2W"),
            ("b1a1a", "b1-a1A"),
        ] {
            assert_eq!(path(text).as_deref(), Ok(wanted));
        }
        for (text, place) in [
            ("j1", 1),
            ("a6", 2),
            ("d2-e3A-", 8),
            ("d2--e3", 4),
            ("d2-e3A x", 7),
            ("d2é3", 3),
            ("i5-i4P", 6),
        ] {
            let error = path(text).expect_err(text);
            assert!(error.contains(&format!("character {place}")), "{error}");
        }
    }
}
