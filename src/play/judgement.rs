//! What the engine thinks of a position.

use crate::board::Side;
use crate::eval::Evaluation;
use crate::review::expected_score;
use crate::rules::{Game, Path};
use crate::search::{Line, Score};

/// Who is better, from White's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The score for White.
    pub score: Score,
    /// The points that White can expect, from 0 (lost) to 1 (won).
    pub expected: f64,
    /// How deep the search went, in plies.
    pub depth: u32,
}

/// The best move that the engine knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The move.
    pub path: Path,
    /// What comes of it.
    pub judgement: Judgement,
}

impl Judgement {
    /// What a line of play says about the position of `game` that it begins at.
    pub(super) fn of(line: &Line, game: &Game, evaluation: &Evaluation) -> Judgement {
        let position = game.position();
        let score = match position.side() {
            Side::White => line.score,
            Side::Black => -line.score,
        };
        let model = evaluation.win_model(game.rules());
        Judgement {
            score,
            expected: expected_score(&model, score, position.occupied().count()),
            depth: line.depth,
        }
    }
}
