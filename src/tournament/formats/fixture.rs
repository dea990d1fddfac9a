//! A game of a schedule.

use crate::board::Side;
use crate::tournament::statistics::GameScore;

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournament) struct Fixture {
    /// Its number, from 1.
    pub(in crate::tournament) number: u32,
    /// Who meets, and in which round.
    pub(in crate::tournament) pairing: Pairing,
    /// Which game of the encounter it is, from 1.
    pub(in crate::tournament) game: u32,
    /// How it begins.
    pub(in crate::tournament) shape: GameShape,
}

/// Two engines that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournament) struct Pairing {
    /// The engines, by their places in the settings.
    pub(in crate::tournament) engines: [usize; 2],
    /// The round, from 1.
    pub(in crate::tournament) round: u32,
    /// The encounter within the round, from 1.
    pub(in crate::tournament) encounter: u32,
    /// How many games of the encounter come before the bout.
    pub(in crate::tournament) before: u32,
}

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournament) struct GameShape {
    /// Which of the two engines (0 or 1) plays White.
    pub(in crate::tournament) white: usize,
    /// The pair that it belongs to, from 1: two games with the same opening and swapped colours.
    pub(in crate::tournament) pair: u32,
    /// The opening, by its place in the order of the book (a vela has one of its own), from 0.
    pub(in crate::tournament) opening: u32,
    /// Whether it is the revenge for another game.
    pub(in crate::tournament) vela: bool,
}

/// What a game, or a round of games, adds to the score of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournament) struct Scored {
    /// The engines.
    pub(in crate::tournament) engines: [usize; 2],
    /// The pair that it belongs to, from 1.
    pub(in crate::tournament) pair: u32,
    /// The colour of the first of both (in a round: in its first game).
    pub(in crate::tournament) colour: Side,
    /// The score of the first of both.
    pub(in crate::tournament) score: GameScore,
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
