//! What would have been better than a move.

use vato::board::Move;
use vato::review::{MoveReview, PositionReview};

/// The best line of the position `before` a move, if it is to be told beside the move: there was a choice,
/// and what was played costs something that shows. (A move that costs nothing may well have the higher
/// score, for the position after it is searched on its own.)
pub(super) fn better_line<'a>(mv: &MoveReview, before: &'a PositionReview) -> Option<&'a [Move]> {
    let costs = !mv.is_best && !mv.is_forced && mv.judgement.hundredths() > 0;
    (costs && !before.line.is_empty()).then_some(&before.line)
}

#[cfg(test)]
mod tests {
    use vato::board::Side;
    use vato::review::Judgement;
    use vato::rules::{Rules, legal_moves};
    use vato::search::Score;

    use super::*;

    #[test]
    fn what_costs_nothing_needs_no_better_line() {
        let rules = Rules::STANDARD;
        let moves = legal_moves(&rules, &rules.start());
        let mut before = PositionReview {
            position: rules.start(),
            score: Score::DRAW,
            expected: 0.5,
            depth: 1,
            nodes: 1,
            line: vec![moves[1]],
            best: Some(moves[1]),
        };
        let played = |expected: f64| MoveReview {
            side: Side::White,
            mv: moves[0],
            is_forced: false,
            is_best: false,
            score: Score::DRAW,
            expected,
            judgement: Judgement::of(0.5, expected),
        };
        assert_eq!(better_line(&played(0.49), &before), Some(&moves[1..2]));
        assert_eq!(better_line(&played(0.496), &before), None);
        assert_eq!(better_line(&played(0.6), &before), None);
        let best = MoveReview {
            is_best: true,
            ..played(0.3)
        };
        let forced = MoveReview {
            is_forced: true,
            ..played(0.3)
        };
        assert_eq!(better_line(&best, &before), None);
        assert_eq!(better_line(&forced, &before), None);
        before.line.clear();
        assert_eq!(better_line(&played(0.3), &before), None);
    }
}
