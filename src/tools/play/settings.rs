//! The settings of a game.

use std::str::FromStr;

use vato_engine::board::{Position, Side};
use vato_engine::clock::TimeControl;
use vato_engine::eval::Evaluation;
use vato_engine::rules::Rules;
use vato_engine::search::Limits;
use vato_engine::text::{excerpt, named_enum};

/// The settings of a game.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// The rules.
    pub rules: Rules,
    /// The position that a new game begins with.
    pub start: Position,
    /// Which sides people play.
    pub player: Player,
    /// Playing strength of the engine, from 0 to
    /// [`Strength::FULL_LEVEL`](vato_engine::search::Strength::FULL_LEVEL).
    pub level: u32,
    /// Limits of a search for a move of the engine, in addition to its level and its clock.
    pub limits: Limits,
    /// Limits of a search for a hint.
    pub hint_limits: Limits,
    /// Limits of a search that only evaluates the position.
    pub judging_limits: Limits,
    /// The time control, the same for both players, if any.
    pub clock: Option<TimeControl>,
    /// Whether positions are evaluated after each move.
    pub judging: bool,
    /// Conversion of scores to expected results.
    pub evaluation: Evaluation,
}

named_enum! {
    /// Which sides people play; the engine plays the others.
    #[derive(Default)]
    pub enum Player {
        /// White.
        #[default]
        White = "white",
        /// Black.
        Black = "black",
        /// Both sides.
        Both = "both",
        /// None: the engine plays itself.
        Neither = "none",
    }
}

impl Player {
    /// The next value in the order White, Black, both, none.
    pub fn next(self) -> Player {
        Player::ALL[(self as usize + 1) % Player::ALL.len()]
    }

    /// Whether a person plays `side`.
    pub fn plays(self, side: Side) -> bool {
        match self {
            Player::White => side == Side::White,
            Player::Black => side == Side::Black,
            Player::Both => true,
            Player::Neither => false,
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        Player::from_name(&text.to_ascii_lowercase()).ok_or_else(|| {
            let text = excerpt(text);
            format!("invalid player '{text}': expected white, black, both or none")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (player, name) in Player::ALL.map(|player| (player, player.name())) {
            assert_eq!(player.to_string(), name);
            assert_eq!(name.parse(), Ok(player));
        }
        let error = "me".parse::<Player>().expect_err("nobody");
        assert_eq!(
            error.to_string(),
            "invalid player 'me': expected white, black, both or none"
        );
        assert_eq!(
            Side::BOTH.map(|side| Player::Black.plays(side)),
            [false, true]
        );
    }
}
