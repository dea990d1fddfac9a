//! WDL model: win, draw and loss chances of a score.

use crate::board::Position;
use crate::network::WdlModel;

/// Win, draw and loss chances of the side to move, in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRate {
    /// Wins.
    pub win: u32,
    /// Draws.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

impl WinRate {
    /// A decided position: won or lost.
    pub const fn certain(wins: bool) -> WinRate {
        let [win, loss] = if wins { [1000, 0] } else { [0, 1000] };
        WinRate { win, draw: 0, loss }
    }

    /// The chances of an undecided score of `centi_stones` in this position, in games of the engine against
    /// itself.
    ///
    /// A logistic curve for wins and its mirror image for losses, as in Stockfish's model.
    pub fn of(model: &WdlModel, centi_stones: i32, position: &Position) -> WinRate {
        let (stones, quiet_plies) = (position.occupied().count(), position.halfmove_clock());
        let chance = |score: i32| (1000.0 * model.win(score, stones, quiet_plies)).round() as u32;
        let win = chance(centi_stones);
        let loss = chance(-centi_stones).min(1000 - win);
        WinRate {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let start = BoardSize::STANDARD.start();
        let mut last = 0;
        for score in (-2_000..=2_000).step_by(50) {
            let rate = WinRate::of(&WdlModel::CLASSICAL, score, &start);
            let mirrored = WinRate::of(&WdlModel::CLASSICAL, -score, &start);
            assert_eq!(rate.win + rate.draw + rate.loss, 1000);
            assert!(rate.win.abs_diff(mirrored.loss) <= 1);
            assert!(rate.win >= last);
            last = rate.win;
        }
        assert!(last > 990);
    }
}
