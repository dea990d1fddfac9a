//! An opening: a start position and moves.

use vato_engine::board::{Move, Position};
use vato_engine::notation::{format_fen, format_line};
use vato_engine::rules::{Game, Rules};

/// An opening: the start position of a game, and the book moves played before the engines take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// The name in records: its suite or file and its number there, such as `sharp 17`.
    pub name: String,
    /// The start position.
    pub start: Position,
    /// The moves of the opening.
    pub moves: Vec<Move>,
}

impl OpeningLine {
    /// The game after the opening, still in progress.
    ///
    /// # Errors
    ///
    /// If a move is illegal under these rules, or the opening ends the game. Openings of an
    /// [`OpeningSuite`](super::OpeningSuite) can fail only under rules other than those it was opened for.
    pub fn game(&self, rules: &Rules) -> Result<Game, String> {
        let mut game = Game::from_position(*rules, self.start);
        for (number, &mv) in (1..).zip(&self.moves) {
            game.play(mv)
                .map_err(|_| format!("move {number} of the opening is illegal"))?;
        }
        match game.outcome() {
            None => Ok(game),
            Some(outcome) => Err(format!("the game is over ({outcome})")),
        }
    }

    /// The opening without its name: the position, then the moves.
    pub(super) fn text(&self, rules: &Rules) -> String {
        let fen = format_fen(&self.start, rules.board);
        let moves = format_line(rules, &self.start, &self.moves);
        [vec![fen], moves].concat().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::notation::{parse_fen, parse_turn};

    #[test]
    fn only_playable_openings_make_games() {
        let rules = Rules::STANDARD;
        let start = rules.start();
        let (_, mv) = parse_turn("d3-e3W", &rules, &start).expect("legal");
        let mut line = OpeningLine {
            name: "kobaka".to_owned(),
            start,
            moves: vec![mv],
        };
        let game = line.game(&rules).expect("playable");
        assert_eq!((game.start(), game.moves()), (&start, &[mv][..]));
        assert!(line.text(&rules).ends_with(" w 0 1 d3-e3W"));

        line.moves.push(mv);
        let error = line.game(&rules).expect_err("nobody moves twice");
        assert_eq!(error, "move 2 of the opening is illegal");

        line.start = parse_fen("9/9/4w4/9/9 b", rules.board).expect("good");
        line.moves.clear();
        let error = line.game(&rules).expect_err("Black has no stones");
        assert!(error.contains("White wins"), "{error}");
    }
}
