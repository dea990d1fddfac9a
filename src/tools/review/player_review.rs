//! How a player has played.
//!
//! Accuracy, from 0 to 100 %, is by the model of lichess (<https://lichess.org/page/accuracy>; lila,
//! `AccuracyPercent.scala`), with the expected score of this engine's win model in place of its winning chances.

use serde::Serialize;

use super::{Judged, Mark};
use vato_engine::board::Side;

/// The least and greatest window size, in positions.
const WINDOW: [usize; 2] = [2, 8];
/// The least and greatest weight of a move, in percentage points of expected score.
const WEIGHT: [f64; 2] = [0.5, 12.0];
/// From how many moves of a game that count its accuracy tells something.
const LEAST_JUDGED: u32 = 5;

/// The moves of one player, in a game or several, summed up. Forced moves, of which there is no other,
/// do not count.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerReview {
    /// Moves that count.
    pub judged: u32,
    /// Moves that were the only one.
    pub forced: u32,
    /// From 0 to 100 %, see [`game_accuracy`] and, for several games, [`PlayerReview::add`]; `None` if no
    /// game has five moves that count.
    pub accuracy: Option<f64>,
    /// The moves of the games that have an accuracy.
    #[serde(skip)]
    pub rated: u32,
    /// The expected score that a move cost on the average, from 0 to 1; `None` if no move counts.
    pub average_loss: Option<f64>,
    /// Moves that were inaccuracies, and no worse.
    pub inaccuracies: u32,
    /// Moves that were mistakes, and no worse.
    pub mistakes: u32,
    /// Moves that were blunders.
    pub blunders: u32,
    /// Blunders that gave up a win.
    pub missed_wins: u32,
}

impl PlayerReview {
    /// Sums up the moves of `side`. `expected` are the expected scores of all positions of the game,
    /// from White's view.
    pub(crate) fn of(side: Side, moves: &[Judged], expected: &[f64]) -> PlayerReview {
        let mut player = PlayerReview::default();
        let mut losses = Vec::new();
        for (place, mv) in moves.iter().enumerate() {
            if mv.side != side {
                continue;
            }
            if mv.is_forced {
                player.forced += 1;
                continue;
            }
            player.judged += 1;
            losses.push((place, mv.judgement.loss));
            match mv.judgement.mark {
                Some(Mark::Inaccuracy) => player.inaccuracies += 1,
                Some(Mark::Mistake) => player.mistakes += 1,
                Some(Mark::Blunder) => player.blunders += 1,
                None => {}
            }
            player.missed_wins += u32::from(mv.judgement.missed_win);
        }
        let sum: f64 = losses.iter().map(|(_, loss)| loss).sum();
        player.average_loss = (!losses.is_empty()).then(|| sum / losses.len() as f64);
        if player.judged >= LEAST_JUDGED {
            player.accuracy = game_accuracy(expected, &losses);
            player.rated = player.judged;
        }
        player
    }

    /// Adds another game of the player. Accuracy and average loss become the mean over the games, each
    /// weighed by its moves that count.
    pub fn add(&mut self, game: &PlayerReview) {
        let mean = |ours: Option<f64>, theirs: Option<f64>, counts: [u32; 2]| match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                let [before, added] = counts.map(f64::from);
                Some(ours + (theirs - ours) * added / (before + added))
            }
            (known, None) | (None, known) => known,
        };
        let [rated, judged] = [[self.rated, game.rated], [self.judged, game.judged]];
        self.accuracy = mean(self.accuracy, game.accuracy, rated);
        self.average_loss = mean(self.average_loss, game.average_loss, judged);
        for (ours, theirs) in [
            (&mut self.judged, game.judged),
            (&mut self.rated, game.rated),
            (&mut self.forced, game.forced),
            (&mut self.inaccuracies, game.inaccuracies),
            (&mut self.mistakes, game.mistakes),
            (&mut self.blunders, game.blunders),
            (&mut self.missed_wins, game.missed_wins),
        ] {
            *ours = ours.saturating_add(theirs);
        }
    }

    /// How many moves have this mark.
    pub const fn count(&self, mark: Mark) -> u32 {
        match mark {
            Mark::Inaccuracy => self.inaccuracies,
            Mark::Mistake => self.mistakes,
            Mark::Blunder => self.blunders,
        }
    }
}

/// The accuracy of a move that costs `loss` of the expected score (from 0 to 1), in percent: 100 for
/// nothing, 0 for everything.
///
/// An exponential curve that lichess has fitted; a point is added for what analysis cannot know.
pub fn move_accuracy(loss: f64) -> f64 {
    let percentage_points = 100.0 * loss.clamp(0.0, 1.0);
    let accuracy = 103.1668100711649 * (-0.04354415386753951 * percentage_points).exp()
        - 3.166924740191411
        + 1.0;
    accuracy.clamp(0.0, 100.0)
}

/// The accuracy of a player in a game, in percent; `None` without a move that counts.
///
/// `expected` are the expected scores of all positions of the game from the first to the last, from 0
/// to 1, all from the view of the same side; `losses` are the moves of the player that count: for each
/// the place of the position before it in `expected`, which is not the last, and its loss.
///
/// Half of it is the mean over the moves, each weighed by how much the expected score moved around it
/// (the standard deviation within a window of positions); the other half is the harmonic mean, in which
/// bad moves count for more.
///
/// # Panics
///
/// If a place is not that of a position with another one behind it.
pub fn game_accuracy(expected: &[f64], losses: &[(usize, f64)]) -> Option<f64> {
    if losses.is_empty() {
        return None;
    }
    let (mut sum, mut weights, mut reciprocals) = (0.0, 0.0, 0.0);
    for &(place, loss) in losses {
        let accuracy = move_accuracy(loss);
        let weight = weight(expected, place);
        sum += weight * accuracy;
        weights += weight;
        reciprocals += 1.0 / accuracy.max(1.0);
    }
    let harmonic = losses.len() as f64 / reciprocals;
    // Quotients of sums may be a rounding above the largest.
    Some((sum / weights).midpoint(harmonic).min(100.0))
}

/// The weight of the move after the position at `place`.
fn weight(expected: &[f64], place: usize) -> f64 {
    let moves = expected.len() - 1;
    let length = (moves / 10).clamp(WINDOW[0], WINDOW[1]);
    // The window ends with the position after the move, unless the game has only just begun.
    let begin = (place + 2).saturating_sub(length);
    let window = &expected[begin..begin + length];
    (100.0 * standard_deviation(window)).clamp(WEIGHT[0], WEIGHT[1])
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_weigh_as_much_as_their_moves() {
        let game = |judged, accuracy, loss| PlayerReview {
            judged,
            forced: 1,
            accuracy: Some(accuracy),
            rated: judged,
            average_loss: Some(loss),
            inaccuracies: 1,
            mistakes: 2,
            blunders: 3,
            missed_wins: 1,
        };
        let nothing = PlayerReview {
            forced: 4,
            ..PlayerReview::default()
        };
        let mut sum = PlayerReview::default();
        for game in [
            &nothing,
            &game(30, 90.0, 0.01),
            &nothing,
            &game(10, 50.0, 0.05),
        ] {
            sum.add(game);
        }
        assert_eq!((sum.judged, sum.forced, sum.missed_wins), (40, 10, 2));
        // Inaccuracies, mistakes, blunders.
        assert_eq!(Mark::ALL.map(|mark| sum.count(mark)), [2, 4, 6]);
        assert!((sum.accuracy.expect("moves") - 80.0).abs() < 1e-9);
        assert!((sum.average_loss.expect("moves") - 0.02).abs() < 1e-9);
    }

    #[test]
    fn the_more_a_move_costs_the_less_accurate_it_is() {
        assert_eq!([0.0, 1.0].map(move_accuracy), [100.0, 0.0]);
        let losses = (0..=100).map(|points| f64::from(points) / 100.0);
        let accuracies: Vec<f64> = losses.map(move_accuracy).collect();
        assert!(accuracies.is_sorted_by(|one, next| one >= next));
        let mut all = accuracies.iter();
        assert!(all.all(|accuracy| (0.0..=100.0).contains(accuracy)));
        // 103.1668 · exp(-0.04354 · 10) - 3.1669 + 1
        assert!((move_accuracy(0.10) - 64.58).abs() < 0.01);
    }

    #[test]
    fn perfect_play_is_a_hundred() {
        for moves in [1, 2, 9, 40, 200] {
            let expected = vec![0.5; moves + 1];
            let losses: Vec<(usize, f64)> =
                (0..moves).step_by(2).map(|place| (place, 0.0)).collect();
            let accuracy = game_accuracy(&expected, &losses).expect("moves");
            assert!((accuracy - 100.0).abs() < 1e-9, "{moves}: {accuracy}");
        }
        assert_eq!(game_accuracy(&[0.5], &[]), None);
    }

    /// Computed by hand from lila's formulas.
    ///
    /// The expected score is 50, 60, 60, 40, 44 % for White; four moves make a window of
    /// clamp(4 / 10, 2, 8) = 2 positions. Windows end with the position after the move:
    ///
    /// | move | window | deviation | weight (0.5 to 12) | loss | accuracy |
    /// |---|---|---|---|---|---|
    /// | White 1 | 50 60 | 5 | 5 | 0 | 100 |
    /// | Black 1 | 60 60 | 0 | 0.5 | 0 | 100 |
    /// | White 2 | 60 40 | 10 | 10 | 20 | 103.1668 exp(-0.0435442 · 20) - 3.1669 + 1 = 41.0168 |
    /// | Black 2 | 40 44 | 2 | 2 | 4 | 103.1668 exp(-0.0435442 · 4) - 3.1669 + 1 = 84.5085 |
    ///
    /// White: mean (5 · 100 + 10 · 41.0168) / 15 = 60.6779, harmonic mean
    /// 2 / (1/100 + 1/41.0168) = 58.1729, together 59.4254. Black: (0.5 · 100 + 2 · 84.5085) / 2.5
    /// = 87.6068, 2 / (1/100 + 1/84.5085) = 91.6039, together 89.6054.
    #[test]
    fn a_game_reckoned_by_hand() {
        let expected = [0.50, 0.60, 0.60, 0.40, 0.44];
        for (losses, accuracy) in [
            ([(0, 0.0), (2, 0.20)], 59.4254),
            ([(1, 0.0), (3, 0.04)], 89.6054),
        ] {
            let reckoned = game_accuracy(&expected, &losses).expect("moves");
            assert!((reckoned - accuracy).abs() < 1e-4, "{reckoned}");
        }
    }

    #[test]
    fn a_worse_move_makes_a_worse_game() {
        let accuracies = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].map(|loss| {
            let expected = [0.9, 0.9, 0.9 - loss, 0.9 - loss, 0.9 - loss];
            game_accuracy(&expected, &[(0, 0.0), (1, loss), (3, 0.0)]).expect("moves")
        });
        assert!(accuracies.is_sorted_by(|one, next| one > next));
        assert!(accuracies.iter().all(|accuracy| *accuracy > 0.0));
    }

    #[test]
    fn a_move_weighs_as_much_as_it_matters() {
        let mut expected = vec![0.5; 31];
        expected[20..].fill(0.9);
        assert_eq!(weight(&expected, 0), WEIGHT[0]);
        assert_eq!(weight(&expected, 19), WEIGHT[1]);
        assert_eq!(weight(&expected, 29), WEIGHT[0]);
        // The first stretch stands for all moves that have none behind them.
        expected[0] = 0.45;
        assert_eq!(weight(&expected, 0), weight(&expected, 1));
    }
}
