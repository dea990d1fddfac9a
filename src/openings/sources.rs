//! Where listed openings come from: named ones, the built-in books, files.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use rustc_hash::FxHashSet;

use super::error::shown;
use super::fen_lines::read_fen_lines;
use super::game_records::read_game_records;
use super::{OpeningError, OpeningLine, OpeningSuiteError};
use crate::board::{BoardSize, Side};
use crate::notation::{Opening, parse_turn};
use crate::plural::{counted, plural};
use crate::rules::Rules;

/// The start position as an opening.
pub(super) fn start_position(rules: &Rules) -> Result<OpeningLine, OpeningSuiteError> {
    let opening = OpeningLine {
        name: "start".to_owned(),
        start: rules.start(),
        moves: Vec::new(),
    };
    match opening.game(rules) {
        Ok(_) => Ok(opening),
        Err(error) => Err(OpeningSuiteError::Named {
            name: "start",
            error,
        }),
    }
}

/// The five openings of a riatra set.
pub(super) fn riatra(rules: &Rules) -> Result<Vec<OpeningLine>, OpeningSuiteError> {
    on_standard_board("riatra", rules)?;
    let start = rules.start();
    Opening::ALL
        .into_iter()
        .map(|named| {
            let name = named.name();
            let illegal = OpeningError::Illegal { number: 1 };
            let (_, mv) = parse_turn(named.first_move(), rules, &start).map_err(|_| {
                OpeningSuiteError::Named {
                    name,
                    error: illegal,
                }
            })?;
            let opening = OpeningLine {
                name: name.to_owned(),
                start,
                moves: vec![mv],
            };
            match opening.game(rules) {
                Ok(_) => Ok(opening),
                Err(error) => Err(OpeningSuiteError::Named { name, error }),
            }
        })
        .collect()
}

/// A built-in book.
pub(super) fn built_in(
    name: &'static str,
    text: &str,
    rules: &Rules,
) -> Result<Vec<OpeningLine>, OpeningSuiteError> {
    on_standard_board(name, rules)?;
    read_fen_lines(text.as_bytes(), rules, name).map_err(|(line, problem)| {
        OpeningSuiteError::Position {
            file: format!("the book '{name}'"),
            line,
            problem,
        }
    })
}

fn on_standard_board(name: &'static str, rules: &Rules) -> Result<(), OpeningSuiteError> {
    let board = rules.board;
    if board == BoardSize::STANDARD {
        Ok(())
    } else {
        Err(OpeningSuiteError::Board { name, board })
    }
}

/// Whether a file has game records.
pub(super) fn is_pgn(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// The openings of a file, one at least.
pub(super) fn from_file(
    path: &Path,
    rules: &Rules,
    plies: u32,
) -> Result<Vec<OpeningLine>, OpeningSuiteError> {
    let file = shown(path);
    let unreadable = |error: io::Error| OpeningSuiteError::Input {
        file: file.clone(),
        error,
    };
    let book = path
        .file_name()
        .map_or_else(String::new, |name| super::error::shown(Path::new(name)));
    let openings = if is_pgn(path) {
        let input = BufReader::new(File::open(path).map_err(unreadable)?);
        read_game_records(input, rules, plies as usize, &book).map_err(
            |(line, number, problem)| OpeningSuiteError::Game {
                file: file.clone(),
                line,
                number,
                problem,
            },
        )?
    } else {
        let bytes = fs::read(path).map_err(unreadable)?;
        read_fen_lines(&bytes, rules, &book).map_err(|(line, problem)| {
            OpeningSuiteError::Position {
                file: file.clone(),
                line,
                problem,
            }
        })?
    };
    if openings.is_empty() {
        return Err(OpeningSuiteError::Empty { file });
    }
    let repeated = count_repeated(&openings, rules);
    if repeated > 0 {
        log::warn!(
            "{file}: {repeated} of {} {} in the same position as one before",
            counted(openings.len(), "opening", "openings"),
            plural(repeated, "ends", "end")
        );
    }
    Ok(openings)
}

/// How many openings end in the position of one before them.
fn count_repeated(openings: &[OpeningLine], rules: &Rules) -> usize {
    let mut known = FxHashSet::default();
    openings
        .iter()
        .filter_map(|opening| opening.game(rules).ok())
        .filter(|game| {
            let position = game.position();
            let stones = Side::BOTH.map(|side| position.stones(side));
            !known.insert((stones, position.side()))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;

    #[test]
    fn repeated_positions_are_counted() {
        let rules = Rules::STANDARD;
        let openings: Vec<OpeningLine> = [
            "9/9/3w1b3/9/9 w",
            "9/9/3w1b3/9/9 b",
            "9/9/3w1b3/9/9 w 3 9",
            "9/9/3b1w3/9/9 w",
            "9/9/3w1b3/9/9 w",
        ]
        .into_iter()
        .map(|fen| OpeningLine {
            name: String::new(),
            start: parse_fen(fen, rules.board).expect("good"),
            moves: Vec::new(),
        })
        .collect();
        assert_eq!(count_repeated(&openings, &rules), 2);
    }

    #[test]
    fn records_are_told_by_their_name() {
        for (path, pgn) in [
            ("a.pgn", true),
            ("a.b/C.PGN", true),
            ("pgn", false),
            ("a.pgn.txt", false),
            ("", false),
        ] {
            assert_eq!(is_pgn(Path::new(path)), pgn, "{path}");
        }
    }
}
