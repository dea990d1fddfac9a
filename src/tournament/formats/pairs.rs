//! Pairs of games: every opening twice, with colours swapped. A match of two engines, and what round
//! robins and gauntlets are made of.

use super::{Format, GameShape, Meeting, Pairing, Results};
use crate::tournament::statistics::GameScore;

/// Encounters of fixed length between engines that are known from the beginning. A bout is a pair of
/// games.
///
/// The first pairs of all encounters come before their second pairs: encounters advance together (the
/// schedule chooses between a few pairs that come next), with the same openings.
#[derive(Debug)]
pub(super) struct PairsOfGames {
    /// Who meets in each round.
    encounters: Vec<[usize; 2]>,
    /// Games of an encounter in one round.
    games: u32,
    rounds: u32,
}

impl PairsOfGames {
    /// A match of two engines. With an odd number of games the last pair has one.
    pub(super) fn match_of(games: u32) -> PairsOfGames {
        PairsOfGames::new(vec![[0, 1]], games, 1)
    }

    /// These encounters of `games` games each, again in each round.
    pub(super) fn new(encounters: Vec<[usize; 2]>, games: u32, rounds: u32) -> PairsOfGames {
        PairsOfGames {
            encounters,
            games,
            rounds,
        }
    }

    fn pairs(&self) -> u32 {
        self.games.div_ceil(2).max(1)
    }

    /// The encounter, the pair within it and the round of a bout, all from 0.
    fn place(&self, bout: u32) -> (usize, u32, u32) {
        let encounters = self.encounters.len().max(1) as u32;
        let pair = bout / encounters;
        let (pair, round) = (pair % self.pairs(), pair / self.pairs());
        ((bout % encounters) as usize, pair, round)
    }
}

impl Format for PairsOfGames {
    fn bouts(&self) -> u64 {
        let pairs = u64::from(self.pairs()) * u64::from(self.rounds);
        pairs.saturating_mul(self.encounters.len() as u64)
    }

    fn most_games(&self) -> u64 {
        2
    }

    fn meeting(&mut self, bout: u32, _: &Results) -> Meeting {
        let (encounter, pair, round) = self.place(bout);
        match self.encounters.get(encounter) {
            None => Meeting::Void,
            Some(&engines) => Meeting::Of(Pairing {
                engines,
                round: round + 1,
                encounter: encounter as u32 + 1,
                before: 2 * pair,
            }),
        }
    }

    fn games(&self, bout: u32, _: &[Option<GameScore>]) -> u32 {
        let (_, pair, _) = self.place(bout);
        (self.games - 2 * pair.min(self.games / 2)).min(2)
    }

    fn game(&self, bout: u32, game: u32, _: &[Option<GameScore>]) -> GameShape {
        let (_, pair, round) = self.place(bout);
        GameShape {
            white: game as usize % 2,
            pair: bout + 1,
            opening: round * self.pairs() + pair,
            vela: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::order;
    use super::*;

    #[test]
    fn colours_are_swapped_within_pairs() {
        let games: Vec<(u32, u32, usize, u32)> = order(PairsOfGames::match_of(5))
            .iter()
            .map(|game| {
                (
                    game.number,
                    game.shape.pair,
                    game.shape.white,
                    game.shape.opening,
                )
            })
            .collect();
        assert_eq!(
            games,
            [
                (1, 1, 0, 0),
                (2, 1, 1, 0),
                (3, 2, 0, 1),
                (4, 2, 1, 1),
                (5, 3, 0, 2)
            ]
        );
    }

    #[test]
    fn encounters_advance_together() {
        let games = order(PairsOfGames::new(vec![[0, 1], [2, 0]], 4, 2));
        let pairs: Vec<([usize; 2], u32, u32, u32)> = games
            .iter()
            .step_by(2)
            .map(|game| {
                let Pairing { engines, round, .. } = game.pairing;
                (engines, round, game.game, game.shape.opening)
            })
            .collect();
        assert_eq!(
            pairs,
            [
                ([0, 1], 1, 1, 0),
                ([2, 0], 1, 1, 0),
                ([0, 1], 1, 3, 1),
                ([2, 0], 1, 3, 1),
                ([0, 1], 2, 1, 2),
                ([2, 0], 2, 1, 2),
                ([0, 1], 2, 3, 3),
                ([2, 0], 2, 3, 3),
            ]
        );
    }
}
