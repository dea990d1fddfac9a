//! How settled the best move is, from iteration to iteration.

use super::constants::{FAR_AHEAD, FAR_AHEAD_SCALE, TIME_DOUBLING_DROP, TIME_SCALE};
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
    /// By how much the time meant for this move is stretched or shrunk. `effort` is the part of all
    /// nodes that went into the best move: where it is large, the others were refuted at a glance.
    pub(super) fn time_scale(&mut self, found: &Found, effort: f64) -> f64 {
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
            .map_or(0, |score| (score - line.score).clamp(0, TIME_DOUBLING_DROP));
        self.score = Some(line.score);
        let index = (self.iterations as usize).min(TIME_SCALE.len() - 1);
        let ahead = (effort - FAR_AHEAD).max(0.0) / (1.0 - FAR_AHEAD);
        let ahead = 1.0 - ahead * (1.0 - FAR_AHEAD_SCALE);
        ahead * TIME_SCALE[index] * (1.0 + f64::from(drop) / f64::from(TIME_DOUBLING_DROP))
    }
}
