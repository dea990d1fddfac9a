//! The openings of game records.

use std::io::BufRead;

use super::{GameProblem, OpeningLine};
use crate::notation::pgn::{GameRecord, PgnReader};
use crate::rules::{Game, Rules};

/// Where the openings of a file went wrong: the line if one is to blame, the game from 1, and why.
pub(super) type GameFault = (Option<u64>, usize, GameProblem);

/// The openings of game records: the first `plies` plies of each game, all of them if there are fewer,
/// played under `rules`. Openings are called by `book` and their number.
pub(super) fn read_game_records(
    input: impl BufRead,
    rules: &Rules,
    plies: usize,
    book: &str,
) -> Result<Vec<OpeningLine>, GameFault> {
    let mut openings = Vec::new();
    for (index, record) in PgnReader::new(input).enumerate() {
        let number = index + 1;
        let record =
            record.map_err(|error| (Some(error.line), number, GameProblem::Read(error.problem)))?;
        let line = record.line();
        let game = replay(record, rules, plies).map_err(|(line, why)| (line, number, why))?;
        let opening = OpeningLine {
            name: format!("{book} {number}"),
            start: *game.start(),
            moves: game.moves().to_vec(),
        };
        opening.game(rules).map_err(|error| {
            let plies = opening.moves.len();
            (line, number, GameProblem::Opening { error, plies })
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// Plays the beginning of a game under these rules, whatever its tags say of its own.
fn replay(
    mut record: GameRecord,
    rules: &Rules,
    plies: usize,
) -> Result<Game, (Option<u64>, GameProblem)> {
    let names_rules = ["Rules", "Variant"]
        .iter()
        .any(|name| record.tag_value(name).is_some());
    if names_rules {
        let own = record
            .rules()
            .map_err(|error| (error.line, GameProblem::Replay(error.problem)))?;
        if own.board != rules.board {
            let problem = GameProblem::Board {
                found: own.board,
                wanted: rules.board,
            };
            return Err((record.line(), problem));
        }
    }
    record
        .set_tag("Rules", &format!("{rules:#}"))
        .map_err(|error| (record.line(), GameProblem::Tags(error)))?;
    record
        .replay_plies(plies)
        .map_err(|error| (error.line, GameProblem::Replay(error.problem)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_rules;

    const GAME: &str = "[White \"A\"]\n[Result \"*\"]\n\n1. f2-e3A d5-d4A 2. e1-d2A {x} *\n\n";

    fn read(text: &str, rules: &str, plies: usize) -> Result<Vec<OpeningLine>, String> {
        let rules = parse_rules(rules).expect("good rules");
        read_game_records(text.as_bytes(), &rules, plies, "x.pgn")
            .map_err(|(line, number, problem)| format!("{line:?} {number} {problem}"))
    }

    #[test]
    fn games_are_cut() {
        for (plies, expected) in [(0, 0), (2, 2), (3, 3), (8, 3)] {
            let openings = read(&GAME.repeat(2), "tsivy", plies).expect("good");
            assert_eq!(openings.len(), 2);
            assert_eq!(openings[1].name, "x.pgn 2");
            assert_eq!(openings[1].moves.len(), expected);
        }
    }

    #[test]
    fn games_are_played_under_the_rules_of_the_match() {
        let text = "[Variant \"tsivy\"]\n\n1. f2-e3A c3-d4W-c5W *";
        assert!(read(text, "tsivy", 2).is_ok());
        let error = read(text, "chain=single", 2).expect_err("a chain");
        assert!(error.starts_with("Some(3) 1 move 1, Black"), "{error}");
        assert!(read(text, "chain=single", 1).is_ok());
        let error = read(text, "dimy", 1).expect_err("another board");
        assert!(error.contains("9x5") && error.contains("5x5"), "{error}");
        // Without a word of its rules a record is what the match wants it to be.
        assert!(read("1. c2-c3A *", "dimy", 8).is_ok());
    }

    #[test]
    fn errors_name_game_and_line() {
        let error = read(&format!("{GAME}1. f2-e3W *"), "tsivy", 8).expect_err("illegal");
        assert!(error.starts_with("Some(6) 2 move 1, White"), "{error}");
        let error = read(&format!("{GAME}1. f2-e3A {{ *"), "tsivy", 8).expect_err("open");
        assert!(error.starts_with("Some(6) 2 the comment"), "{error}");
        let ended = "[FEN \"9/9/3w1b3/9/9 w\"]\n\n1. d3-e3A 1-0";
        let error = read(ended, "tsivy", 8).expect_err("over");
        assert!(error.contains("over (White wins"), "{error}");
        assert!(error.ends_with("after ply 1: want fewer plies"), "{error}");
        assert!(read(ended, "tsivy", 0).is_ok());
    }
}
