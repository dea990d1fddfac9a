//! Riatra: sets of ten games over the five openings, every engine against every other.

use super::circle::EverybodyMeets;
use super::{Format, GameShape, Meeting, Results};
use crate::tournament::statistics::GameScore;

/// Games of a set, and half of them.
const SET: u32 = 10;
const HALF: u32 = 5;

/// A bout is a set. Games 1 to 5 take the five openings, the opener (who plays White) alternating,
/// games 6 to 10 take them again with the openers reversed: each player opens once with each opening.
/// The games with the same opening are a pair.
#[derive(Debug)]
pub(super) struct Riatra {
    sets: EverybodyMeets,
}

impl Riatra {
    /// So many sets of each encounter.
    pub(super) fn new(engines: usize, sets: u32) -> Riatra {
        Riatra {
            sets: EverybodyMeets::new(engines, sets),
        }
    }
}

impl Format for Riatra {
    fn bouts(&self) -> u64 {
        self.sets.bouts()
    }

    fn most_games(&self) -> u64 {
        SET.into()
    }

    fn meeting(&mut self, bout: u32, _: &Results) -> Meeting {
        self.sets.meeting(bout)
    }

    fn games(&self, _: u32, _: &[Option<GameScore>]) -> u32 {
        SET
    }

    fn game(&self, bout: u32, game: u32, _: &[Option<GameScore>]) -> GameShape {
        GameShape {
            white: game as usize % 2,
            pair: bout * HALF + game % HALF + 1,
            opening: game % HALF,
            vela: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::order;
    use super::*;

    #[test]
    fn a_set_has_every_opening_once_from_either_side() {
        let games = order(Riatra::new(2, 2));
        let set = |set: usize| &games[set * 10..(set + 1) * 10];
        for number in 0..2 {
            let openers: Vec<usize> = set(number).iter().map(|game| game.shape.white).collect();
            assert_eq!(openers, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
            let openings: Vec<u32> = set(number).iter().map(|game| game.shape.opening).collect();
            assert_eq!(openings, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
            for (game, again) in set(number)[..5].iter().zip(&set(number)[5..]) {
                assert_eq!(game.shape.pair, again.shape.pair);
                assert_ne!(game.shape.white, again.shape.white);
            }
        }
        assert_eq!(games[9].shape.pair, 5);
        assert_eq!(games[10].shape.pair, 6);
        assert_eq!(games.len(), 20);
        assert_eq!(games[19].number, 20);
        // Three engines: every two of them play a set.
        let games = order(Riatra::new(3, 1));
        assert_eq!(games.len(), 30);
    }
}
