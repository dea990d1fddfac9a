//! Scores as people read them.

use vato::search::{Bound, Score};

/// `+0.35`, `win in 7`, `loss in 6`, `table win`; a score that is only a bound has its sign before it.
pub fn score_text(score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    match score.plies_to_end() {
        Some(plies) if plies > 0 => format!("{sign}win in {plies}"),
        Some(plies) => format!("{sign}loss in {}", -plies),
        None if score.is_tablebase() => {
            let wins = score > Score::DRAW;
            format!("{sign}table {}", if wins { "win" } else { "loss" })
        }
        None => {
            let hundredths = score.raw();
            let leading = if hundredths < 0 { '-' } else { '+' };
            let size = hundredths.unsigned_abs();
            format!("{sign}{leading}{}.{:02}", size / 100, size % 100)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_stones() {
        let text = |hundredths| score_text(Score::from_centi_stones(hundredths), Bound::Exact);
        assert_eq!(text(0), "+0.00");
        assert_eq!(text(35), "+0.35");
        assert_eq!(text(-7), "-0.07");
        assert_eq!(text(-1234), "-12.34");
        assert_eq!(score_text(Score::win_in(7), Bound::Lower), ">=win in 7");
        assert_eq!(score_text(Score::loss_in(0), Bound::Exact), "loss in 0");
        let won = Score::tablebase_win(9);
        assert_eq!(score_text(won, Bound::Exact), "table win");
        assert_eq!(score_text(-won, Bound::Exact), "table loss");
    }
}
