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

/// Centi-stones over which the odds of winning grow by e.
const SCALE: f64 = 80.0;

/// How far from even, in units of [`SCALE`], a win is as likely as not, with `stones` on the board.
fn margin(stones: f64) -> f64 {
    1.4 + 15.5 / stones
}

/// The chances that an undecided score of `centi_stones` stands for at `position`, in games of this
/// engine against itself.
///
/// A logistic curve for winning and its mirror image for losing, as in Stockfish's model. The scale
/// and the margin, which grows as stones go and draws become likely, were fitted to some 100,000
/// positions of such games at 20,000 nodes a move.
#[must_use]
pub fn win_rate(centi_stones: i32, position: &Position) -> WinRate {
    let margin = margin(f64::from(position.occupied().count().max(2)));
    let x = f64::from(centi_stones) / SCALE;
    let chance = |x: f64| (1000.0 / (1.0 + (margin - x).exp())).round() as u32;
    let win = chance(x);
    let loss = chance(-x).min(1000 - win);
    WinRate {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let position = BoardSize::STANDARD.start();
        let mut last = 0;
        for score in (-2_000..=2_000).step_by(50) {
            let rate = win_rate(score, &position);
            let mirrored = win_rate(-score, &position);
            assert_eq!(rate.win + rate.draw + rate.loss, 1000);
            assert!(rate.win.abs_diff(mirrored.loss) <= 1);
            assert!(rate.win >= last);
            last = rate.win;
        }
        assert!(last > 990);
    }
}
