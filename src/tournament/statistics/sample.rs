//! Observed results, as a distribution.

/// Independent results of equal kind, counted by their points from none to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    /// Single games: lost, drawn, won.
    Games([u64; 3]),
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

impl Sample {
    /// The counts.
    fn counts(&self) -> &[u64] {
        match self {
            Sample::Games(counts) => counts,
            Sample::Pairs(counts) => counts,
        }
    }

    /// Games in one result.
    pub(super) fn games_each(&self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// The number of results.
    pub(super) fn size(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Mean and variance (that of the sample: the sum is divided by its size) of the points a game
    /// of a result; NaN without results.
    pub(super) fn moments(&self) -> (f64, f64) {
        let counts = self.counts();
        let size = self.size() as f64;
        let most = (counts.len() - 1) as f64;
        let points = || (0..counts.len()).map(|index| index as f64 / most);
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let sum: f64 = values
                .zip(counts)
                .map(|(value, &count)| value * count as f64)
                .sum();
            sum / size
        };
        let score = mean(&mut points());
        let variance = mean(&mut points().map(|points| (points - score).powi(2)));
        (score, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        // 1 loss, 2 draws, 1 win: deviations ½ twice.
        assert_eq!(Sample::Games([1, 2, 1]).moments(), (0.5, 0.125));
        // Scores a game ¼, ¼, 1, 1: mean ⅝, deviations ⅜.
        assert_eq!(Sample::Pairs([0, 2, 0, 0, 2]).moments(), (0.625, 0.140_625));
    }
}
