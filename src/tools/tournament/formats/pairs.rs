//! Pairs of games: every opening twice, with colours swapped. Used for matches of two engines, round robins
//! and gauntlets.

use super::{Format, Rounds, ScheduledGame, Scores};
use crate::tournament::record::PlaceEntry;

/// Each pairing plays a fixed number of games in each round. An encounter is one pair of these games; all
/// pairings play their first pair before any plays its second, so all advance together, with the same
/// openings.
#[derive(Debug)]
pub(in crate::tournament) struct PairsOfGames {
    /// One turn of these rounds is a pair of games for each pairing.
    turns: Rounds,
    /// The numbers of games and of pairs of a pairing in one round.
    games: u32,
    pairs: u32,
}

impl PairsOfGames {
    /// Each of these pairings plays `games` games per round; of an odd number the last pair has one game.
    pub(in crate::tournament) fn new(
        pairings: Vec<[usize; 2]>,
        games: u32,
        rounds: u32,
    ) -> PairsOfGames {
        let pairs = games.div_ceil(2).max(1);
        PairsOfGames {
            turns: Rounds::of(pairings, u64::from(rounds) * u64::from(pairs), 2),
            games,
            pairs,
        }
    }
}

impl Format for PairsOfGames {
    fn rounds(&self) -> &Rounds {
        &self.turns
    }

    fn games(&self, encounter: u32, _: &Scores) -> u32 {
        let (turn, _) = self.turns.place(encounter);
        let pair = turn % self.pairs;
        (self.games - 2 * pair.min(self.games / 2)).min(2)
    }

    fn game(&self, encounter: u32, game: u32, engines: [usize; 2], _: &Scores) -> ScheduledGame {
        let (turn, pairing) = self.turns.place(encounter);
        let (round, pair) = (turn / self.pairs, turn % self.pairs);
        ScheduledGame {
            place: PlaceEntry {
                round: round + 1,
                encounter: pairing + 1,
                game: 2 * pair + game + 1,
            },
            ..self.game_of_pair(encounter, game, engines)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::berger::everybody_meets;
    use super::super::schedule::tests::order;
    use super::*;

    #[test]
    fn colours_are_swapped_within_pairs() {
        let games: Vec<(u32, u32, usize, u32)> = order(PairsOfGames::new(vec![[0, 1]], 5, 1))
            .iter()
            .map(|game| (game.number, game.pair, game.players[0], game.opening))
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
                let PlaceEntry {
                    round,
                    game: number,
                    ..
                } = game.place;
                (game.players, round, number, game.opening)
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

    #[test]
    fn everybody_plays_everybody_as_often_with_both_colours() {
        for engines in 2..=7 {
            let games = order(PairsOfGames::new(everybody_meets(engines), 4, 3));
            let mut met: BTreeMap<(usize, usize, u32), u32> = BTreeMap::new();
            for game in &games {
                let [white, black] = game.players;
                *met.entry((white, black, game.place.round)).or_default() += 1;
            }
            assert_eq!(met.len(), engines * (engines - 1) * 3);
            assert!(met.values().all(|&games| games == 2), "{met:?}");
            // All encounters of a round use the same openings.
            for game in &games {
                assert_eq!(game.opening / 2 + 1, game.place.round);
            }
        }
    }

    #[test]
    fn only_the_first_engine_has_several_opponents() {
        let games = order(PairsOfGames::new(vec![[0, 1], [0, 2], [0, 3]], 2, 2));
        assert_eq!(games.len(), 12);
        let opponents: Vec<usize> = games.iter().map(|game| game.players.iter().sum()).collect();
        assert_eq!(opponents, [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]);
        assert!(games.iter().all(|game| game.players.contains(&0)));
    }
}
