//! The settings of a game.

use vato_engine::board::{Position, Side};
use vato_engine::eval::Evaluation;
use vato_engine::proofs::Strategy;
use vato_engine::rules::{Game, Rules};
use vato_engine::search::{Limits, Strength};
use vato_engine::text::named_enum;

use crate::clock::TimeControl;

/// The level of an engine that plays by the proof in the program where the game has followed it, so that it cannot lose
/// from the start of the standard game, and else at full strength.
pub const PERFECT_LEVEL: u32 = Strength::FULL_LEVEL + 1;

/// Nodes for a search of the only move that the proof allows, which gives it a score.
const REPLY_NODES: u64 = 20_000;

/// The limits of a search for a move at this level, with the `seed` of the errors of this game.
pub fn limits_at_level(level: u32, seed: u64, game: &Game, limits: Limits) -> Limits {
    let proof = Strategy::built_in().filter(|_| level >= PERFECT_LEVEL);
    match proof.and_then(|proof| proof.reply(game)) {
        Some(reply) => Limits {
            searchmoves: vec![reply],
            nodes: Some(REPLY_NODES),
            ..limits
        },
        None => Limits {
            strength: Strength::from_level(level).with_seed(seed),
            ..limits
        },
    }
}

/// The settings of a game.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// The rules.
    pub rules: Rules,
    /// The position that a new game begins with.
    pub start: Position,
    /// Which sides people play.
    pub player: Player,
    /// Playing strength of the engine, from 0 to [`PERFECT_LEVEL`].
    pub level: u32,
    /// Limits of a search for a move of the engine, in addition to its level and its clock.
    pub limits: Limits,
    /// Limits of a search for a hint.
    pub hint_limits: Limits,
    /// The time control, the same for both players, if any.
    pub clock: Option<TimeControl>,
    /// Conversion of scores to expected results.
    pub evaluation: Evaluation,
}

named_enum! {
    /// Which sides people play; the engine plays the others.
    #[derive(Default, clap::ValueEnum)]
    pub enum Player {
        /// White.
        #[default]
        White = "white",
        /// Black.
        Black = "black",
        /// Both sides.
        Both = "both",
        /// None: the engine plays itself.
        #[value(name = "none")]
        Neither = "none",
    }
}

impl Player {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (player, name) in Player::ALL.map(|player| (player, player.name())) {
            assert_eq!(player.to_string(), name);
            assert_eq!(Player::from_name(name), Some(player));
        }
        assert_eq!(
            Side::BOTH.map(|side| Player::Black.plays(side)),
            [false, true]
        );
    }
}
