//! From scores and outcomes to expected scores.

use vato_engine::board::{Position, Side};
use vato_engine::network::WdlModel;
use vato_engine::rules::Outcome;
use vato_engine::search::Score;

/// The score that the side to move can expect, from 0 (loss) over ½ (draw) to 1 (win): 1 or 0 if the
/// game is decided or the tablebases know who wins, else what the model says in this position.
#[must_use]
pub fn expected_score(model: &WdlModel, score: Score, position: &Position) -> f64 {
    if score.counts_plies() {
        return if score > Score::DRAW { 1.0 } else { 0.0 };
    }
    let (stones, quiet_plies) = (position.occupied().count(), position.halfmove_clock());
    model.expected_score(score.raw(), stones, quiet_plies)
}

/// What `side` has from a game that has ended: 1, ½ or 0.
#[must_use]
pub fn expected_of_outcome(outcome: Outcome, side: Side) -> f64 {
    match outcome.winner {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::board::BoardSize;
    use vato_engine::rules::Reason;

    #[test]
    fn what_is_decided_is_certain() {
        let model = WdlModel::CLASSICAL;
        let start = BoardSize::STANDARD.start();
        for score in [
            Score::win_in(0),
            Score::win_in(99),
            Score::tablebase_win(7),
            Score::tablebase_win(900),
        ] {
            assert_eq!(expected_score(&model, score, &start), 1.0);
            assert_eq!(expected_score(&model, -score, &start), 0.0);
        }
        assert_eq!(expected_score(&model, Score::DRAW, &start), 0.5);
        let ahead = expected_score(&model, Score::from_centi_stones(100), &start);
        assert!(ahead > 0.5 && ahead < 1.0, "{ahead}");
    }

    #[test]
    fn outcomes_are_seen_from_both_sides() {
        let outcome = |winner| Outcome {
            winner,
            reason: Reason::Limit,
        };
        let won = outcome(Some(Side::White));
        assert_eq!(expected_of_outcome(won, Side::White), 1.0);
        assert_eq!(expected_of_outcome(won, Side::Black), 0.0);
        assert_eq!(expected_of_outcome(outcome(None), Side::Black), 0.5);
    }
}
