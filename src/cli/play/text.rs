//! Text about a game, shared by the screen and the plain mode.

use std::time::Duration;

use vato_engine::board::Side;
use vato_engine::notation::format_path;
use vato_engine::search::Bound;
use vato_tools::play::{Hint, Model, PlayedTurn};

use crate::cli::support::text::score_text;

pub fn player_name(model: &Model, side: Side) -> String {
    match model.settings.player.plays(side) {
        true => "person".to_owned(),
        false => format!("Vato, level {}", model.settings.level),
    }
}

pub fn turn_text(model: &Model, turn: &PlayedTurn) -> String {
    format_path(&turn.path, model.game.rules().board)
}

/// The best move with its score.
pub fn hint_text(model: &Model, hint: &Hint) -> String {
    let path = format_path(&hint.path, model.game.rules().board);
    let score = score_text(hint.score.score, Bound::Exact, Side::White);
    format!("best move: {path} ({score} for White)")
}

/// Time left, `4:05.3`.
pub fn time_text(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    format!("{minutes}:{seconds:02}.{}", tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_clocks_show_them() {
        let text = |milliseconds| time_text(Duration::from_millis(milliseconds));
        assert_eq!(text(0), "0:00.0");
        assert_eq!(text(9_350), "0:09.3");
        assert_eq!(text(3_725_000), "62:05.0");
    }
}
