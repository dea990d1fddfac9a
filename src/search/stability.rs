//! How settled the best move is, from iteration to iteration.

use super::root_moves::Found;
use crate::board::Move;

/// What earlier iterations chose, and what they thought of it.
#[derive(Default)]
pub(super) struct Stability {
    best: Option<Move>,
    iterations: u32,
    score: Option<i32>,
}

impl Stability {
    /// By how much the time meant for this move is stretched or shrunk.
    pub(super) fn time_scale(&mut self, found: &Found) -> f64 {
        let line = &found.lines[0];
        let best = line.line.first().copied();
        if self.best == best {
            self.iterations += 1;
        } else {
            self.best = best;
            self.iterations = 0;
        }
        let drop = self
            .score
            .map_or(0, |score| (score - line.score).clamp(0, 100));
        self.score = Some(line.score);
        let settled = [1.6, 1.3, 1.1, 1.0, 0.9, 0.8];
        let index = (self.iterations as usize).min(settled.len() - 1);
        settled[index] * (1.0 + f64::from(drop) / 100.0)
    }
}
