//! From scores and outcomes to expected scores.

use crate::board::Side;
use crate::network::WdlModel;
use crate::rules::Outcome;
use crate::search::Score;

/// The score that the side to move can expect, from 0 (loss) over ½ (draw) to 1 (win), in a position
/// with so many stones: 1 or 0 if the game is decided or the tablebases know who wins, else what the
/// model says.
#[must_use]
pub fn expected_score(model: &WdlModel, score: Score, stones: u32) -> f64 {
    if score.counts_plies() {
        return if score > Score::DRAW { 1.0 } else { 0.0 };
    }
    model.expected_score(score.raw(), stones)
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
    use crate::rules::Reason;

    #[test]
    fn what_is_decided_is_certain() {
        let model = WdlModel::CLASSICAL;
        for score in [
            Score::win_in(0),
            Score::win_in(99),
            Score::tablebase_win(7),
            Score::tablebase_win(900),
        ] {
            assert_eq!(expected_score(&model, score, 9), 1.0);
            assert_eq!(expected_score(&model, -score, 9), 0.0);
        }
        assert_eq!(expected_score(&model, Score::DRAW, 9), 0.5);
        let ahead = expected_score(&model, Score::from_centi_stones(100), 30);
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
