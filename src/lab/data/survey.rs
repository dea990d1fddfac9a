//! Statistics of a file of training data.

use super::Sample;
use vato_engine::board::Side;

/// Positions with so many stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoneClass {
    /// Positions.
    pub positions: u64,
    /// Of these, positions where the side to move cannot capture.
    pub quiet: u64,
    /// Of all, positions of games that the side to move won and lost.
    pub won: u64,
    /// See [`StoneClass::won`].
    pub lost: u64,
    /// Of all, positions off the games, without a result.
    pub asides: u64,
}

/// Statistics of a set of records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Records.
    pub positions: u64,
    /// Of these, positions off the games, without a result.
    pub asides: u64,
    /// Games, by their last positions.
    pub games: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
    /// By stones on the board: up to [`Survey::MOST_STONES`].
    pub classes: [StoneClass; 10],
    /// Sum of plies of the last positions.
    pub plies: u64,
    /// Records whose score is a proven win or loss.
    pub decided: u64,
    /// Sum of |score| of the others, in centi-stones.
    pub scores: u64,
}

impl Survey {
    /// The most stones of each class.
    pub const MOST_STONES: [u32; 10] = [6, 8, 10, 13, 16, 20, 26, 32, 38, 44];

    /// Counts one more position.
    pub fn add(&mut self, sample: &Sample) {
        self.positions += 1;
        if sample.is_decided() {
            self.decided += 1;
        } else {
            self.scores += u64::from(sample.score.unsigned_abs());
        }
        let is_aside = sample.is_aside();
        if sample.is_last && !is_aside {
            self.games += 1;
            self.plies += u64::from(sample.ply);
            self.results[match sample.result.winner() {
                Some(Side::White) => 0,
                None => 1,
                Some(Side::Black) => 2,
            }] += 1;
        }
        self.asides += u64::from(is_aside);
        let stones = sample.stones[0].count() + sample.stones[1].count();
        let mut classes = self.classes.iter_mut().zip(Survey::MOST_STONES);
        if let Some((class, _)) = classes.find(|(_, most)| stones <= *most) {
            class.positions += 1;
            class.quiet += u64::from(!sample.can_capture);
            class.won += u64::from(sample.points() == Some(1.0));
            class.lost += u64::from(sample.points() == Some(0.0));
            class.asides += u64::from(is_aside);
        }
    }
}
