//! Riatra: sets of ten games over the five openings, as a round robin.

use super::{Format, Rounds, ScheduledGame, Scores, everybody_meets};

/// Games of a set, and half of them.
const SET: u32 = 10;
const HALF: u32 = 5;

/// An encounter is a set. Games 1 to 5 use the five openings, the opener (who plays White) alternating;
/// games 6 to 10 use them again with the openers reversed, so each player opens once with each opening. The
/// two games with the same opening are a pair.
#[derive(Debug)]
pub(super) struct Riatra(Rounds);

impl Riatra {
    /// Plays this number of sets between every two engines.
    pub(super) fn new(engines: usize, sets: u32) -> Riatra {
        Riatra(Rounds::of(
            everybody_meets(engines),
            sets.into(),
            SET.into(),
        ))
    }
}

impl Format for Riatra {
    fn rounds(&self) -> &Rounds {
        &self.0
    }

    fn game(&self, encounter: u32, game: u32, engines: [usize; 2], _: &Scores) -> ScheduledGame {
        ScheduledGame {
            pair: encounter * HALF + game % HALF + 1,
            opening: game % HALF,
            ..self.game_of_pair(encounter, game, engines)
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
            let openers: Vec<usize> = set(number).iter().map(|game| game.players[0]).collect();
            assert_eq!(openers, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
            let openings: Vec<u32> = set(number).iter().map(|game| game.opening).collect();
            assert_eq!(openings, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
            for (game, again) in set(number)[..5].iter().zip(&set(number)[5..]) {
                assert_eq!(game.pair, again.pair);
                assert_ne!(game.players[0], again.players[0]);
            }
        }
        assert_eq!(games[9].pair, 5);
        assert_eq!(games[10].pair, 6);
        assert_eq!(games.len(), 20);
        assert_eq!(games[19].number, 20);
        // Three engines: every two of them play a set.
        let games = order(Riatra::new(3, 1));
        assert_eq!(games.len(), 30);
    }
}
