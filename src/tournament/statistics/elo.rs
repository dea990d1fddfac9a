//! The two scales of playing strength.

/// Elo for a factor of e in the odds: 400 / ln 10.
pub(super) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The normalised Elo of a game whose expected score exceeds one half by one standard deviation:
/// 800 / ln 10. The factor makes both scales agree about 0 where no game is drawn.
pub(super) const NORMALIZED_ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The (logistic) Elo difference that an expected score, points a game, stands for.
///
/// -∞ for scores of 0 or less, +∞ for scores of 1 or more.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score, points a game from 0 to 1, at a (logistic) Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -200.0, -1.0, 0.0, 0.5, 70.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        // Odds of ten to one are 400 Elo.
        assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
    }

    #[test]
    fn certain_scores_are_infinitely_far() {
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(-0.1), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(1.1), f64::INFINITY);
        assert_eq!(elo_of_score(0.5), 0.0);
    }

    #[test]
    fn both_scales_agree_at_zero_without_draws() {
        // Without draws the standard deviation of a game is one half.
        let normalized = (score_of_elo(1.0) - 0.5) / 0.5 * NORMALIZED_ELO_PER_DEVIATION;
        assert!((normalized - 1.0).abs() < 1e-5);
    }
}
