//! A game of a schedule.

use crate::arbiter::statistics::GameScore;
use crate::board::Side;

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arbiter) struct Fixture {
    /// Its number, from 1.
    pub(in crate::arbiter) number: u32,
    /// Who meets, and in which round.
    pub(in crate::arbiter) pairing: Pairing,
    /// Which game of the encounter it is, from 1.
    pub(in crate::arbiter) game: u32,
    /// How it begins.
    pub(in crate::arbiter) shape: GameShape,
}

/// Two engines that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arbiter) struct Pairing {
    /// The engines, by their places in the settings.
    pub(in crate::arbiter) engines: [usize; 2],
    /// The round, from 1.
    pub(in crate::arbiter) round: u32,
    /// The encounter within the round, from 1.
    pub(in crate::arbiter) encounter: u32,
    /// How many games of the encounter come before the bout.
    pub(in crate::arbiter) before: u32,
}

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arbiter) struct GameShape {
    /// Which of the two engines (0 or 1) plays White.
    pub(in crate::arbiter) white: usize,
    /// The pair that it belongs to, from 1: two games with the same opening and swapped colours.
    pub(in crate::arbiter) pair: u32,
    /// The opening, by its place in the order of the book (a vela has one of its own), from 0.
    pub(in crate::arbiter) opening: u32,
    /// Whether it is the revenge for another game.
    pub(in crate::arbiter) vela: bool,
}

/// What a game, or a round of games, adds to the score of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arbiter) struct Scored {
    /// The engines.
    pub(in crate::arbiter) engines: [usize; 2],
    /// The pair that it belongs to, from 1.
    pub(in crate::arbiter) pair: u32,
    /// The colour of the first of both (in a round: in its first game).
    pub(in crate::arbiter) colour: Side,
    /// The score of the first of both.
    pub(in crate::arbiter) score: GameScore,
}

impl Scored {
    /// What `score`, from the view of the first engine, adds where `white` of both (0 or 1) began.
    pub(super) fn new(pairing: &Pairing, pair: u32, white: usize, score: GameScore) -> Scored {
        Scored {
            engines: pairing.engines,
            pair,
            colour: if white == 0 { Side::White } else { Side::Black },
            score,
        }
    }
}
