//! How a player has played.

use super::{Mark, MoveReview, game_accuracy};
use crate::board::Side;

/// The moves of one player, summed up. Forced moves, of which there is no other, do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerReview {
    /// Moves that count.
    pub judged: u32,
    /// Moves that were the only one.
    pub forced: u32,
    /// From 0 to 100 %, see [`game_accuracy`]; `None` if no move counts.
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

    /// How many moves have this mark.
    #[must_use]
    pub const fn count(&self, mark: Mark) -> u32 {
        match mark {
            Mark::Inaccuracy => self.inaccuracies,
            Mark::Mistake => self.mistakes,
            Mark::Blunder => self.blunders,
        }
    }
}
