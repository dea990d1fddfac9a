//! A gauntlet: the first engine against all others.

use super::pairs::PairsOfGames;

/// The first engine meets all others in each round, in encounters of `games` games.
pub(super) fn gauntlet(engines: usize, games: u32, rounds: u32) -> PairsOfGames {
    let encounters = (1..engines).map(|other| [0, other]);
    PairsOfGames::new(encounters.collect(), games, rounds)
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::order;
    use super::*;

    #[test]
    fn only_the_first_engine_has_several_opponents() {
        let games = order(gauntlet(4, 2, 2));
        assert_eq!(games.len(), 12);
        let opponents: Vec<usize> = games.iter().map(|game| game.pairing.engines[1]).collect();
        assert_eq!(opponents, [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]);
        assert!(games.iter().all(|game| game.pairing.engines[0] == 0));
    }
}
