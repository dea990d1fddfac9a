//! From scores to chances.

use crate::board::Position;

/// Chances of the side to move, in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRate {
    /// Wins.
    pub win: u32,
    /// Draws.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

/// The chances that an undecided score of `centi_stones` stands for at `position`, in games of this
/// engine against itself.
#[must_use]
pub fn win_rate(centi_stones: i32, position: &Position) -> WinRate {
    let stones = f64::from(position.occupied().count());
    // Fitted by eye: a stone weighs more the fewer there are, and balanced endings are drawn.
    let scale = 60.0 + 4.0 * stones;
    let margin = 1.2 + 0.02 * (45.0 - stones);
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let x = f64::from(centi_stones) / scale;
    let win = (1000.0 * logistic(x - margin)).round() as u32;
    let loss = (1000.0 * logistic(-x - margin)).round() as u32;
    let loss = loss.min(1000 - win);
    WinRate {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}
