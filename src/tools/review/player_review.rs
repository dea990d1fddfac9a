//! How a player has played.

use serde::Serialize;

use super::{Mark, MoveReview, game_accuracy};
use vato_engine::board::Side;

/// The moves of one player, in a game or several, summed up. Forced moves, of which there is no other,
/// do not count.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerReview {
    /// Moves that count.
    pub judged: u32,
    /// Moves that were the only one.
    pub forced: u32,
    /// From 0 to 100 %, see [`game_accuracy`] and, for several games, [`PlayerReview::add`]; `None` if no
    /// move counts.
    pub accuracy: Option<f64>,
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
    pub(super) fn of(side: Side, moves: &[MoveReview], expected: &[f64]) -> PlayerReview {
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
        player.accuracy = game_accuracy(expected, &losses);
        player
    }

    /// Adds another game of the player. Accuracy and average loss become the mean over the games, each
    /// weighed by its moves that count.
    pub fn add(&mut self, game: &PlayerReview) {
        let mean = |ours: Option<f64>, theirs: Option<f64>| match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                let share =
                    f64::from(game.judged) / (f64::from(self.judged) + f64::from(game.judged));
                Some(ours + (theirs - ours) * share)
            }
            (known, None) | (None, known) => known,
        };
        self.accuracy = mean(self.accuracy, game.accuracy);
        self.average_loss = mean(self.average_loss, game.average_loss);
        for (ours, theirs) in [
            (&mut self.judged, game.judged),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_weigh_as_much_as_their_moves() {
        let game = |judged, accuracy, loss| PlayerReview {
            judged,
            forced: 1,
            accuracy: Some(accuracy),
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
        assert_eq!((sum.judged, sum.forced), (40, 10));
        assert_eq!(
            Mark::ALL.map(|mark| sum.count(mark)),
            [2, 4, 6],
            "inaccuracies, mistakes, blunders"
        );
        assert_eq!(sum.missed_wins, 2);
        assert!((sum.accuracy.expect("moves") - 80.0).abs() < 1e-9);
        assert!((sum.average_loss.expect("moves") - 0.02).abs() < 1e-9);
    }
}
