//! A round robin: every engine against every other.

use super::circle::everybody_meets;
use super::pairs::PairsOfGames;

/// Everybody meets everybody in each round, in encounters of `games` games.
pub(super) fn round_robin(engines: usize, games: u32, rounds: u32) -> PairsOfGames {
    PairsOfGames::new(everybody_meets(engines), games, rounds)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::schedule::tests::order;
    use super::*;

    #[test]
    fn everybody_plays_everybody_as_often_with_both_colours() {
        for engines in 2..=7 {
            let games = order(round_robin(engines, 4, 3));
            let mut met: BTreeMap<(usize, usize, u32), u32> = BTreeMap::new();
            for game in &games {
                let pairing = game.pairing;
                let white = pairing.engines[game.shape.white];
                let black = pairing.engines[1 - game.shape.white];
                *met.entry((white, black, pairing.round)).or_default() += 1;
            }
            assert_eq!(met.len(), engines * (engines - 1) * 3);
            assert!(met.values().all(|&games| games == 2), "{met:?}");
            // The openings of a round are those of all its encounters.
            for game in &games {
                assert_eq!(game.shape.opening / 2 + 1, game.pairing.round);
            }
        }
    }
}
