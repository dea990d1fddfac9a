//! Formats whose pairings are known from the start: pairs of games, for matches of two engines, round robins and
//! gauntlets; and the sets of riatra.

use super::{Format, Rounds, ScheduledGame, Scores};
use crate::tournament::record::PlaceEntry;

/// All pairs of `engines` engines in the order of the Berger tables: in each of `engines - 1` rounds
/// (`engines` rounds, if their number is odd) every engine has at most one encounter, so no engine waits
/// long for its next one. Every pair occurs once; each engine is named first and second equally often, or
/// with a difference of one.
///
/// The tables, by Johann Berger ("Schach-Jahrbuch für 1892/93"), are those of the FIDE Handbook, C.05,
/// annex 1. They are the circle method with the rounds in steps of half the engines.
pub(super) fn everybody_meets(engines: usize) -> Vec<[usize; 2]> {
    let places = engines.next_multiple_of(2);
    let Some(circle) = places.checked_sub(1) else {
        return Vec::new();
    };
    let mut order = Vec::with_capacity(engines * engines.saturating_sub(1) / 2);
    for round in 0..circle {
        // Circle method: one engine stays, the others rotate and meet the one across the circle.
        let top = round * (places / 2) % circle;
        let fixed = match round % 2 {
            0 => [top, circle],
            _ => [circle, top],
        };
        let across =
            (1..places / 2).map(|step| [(top + step) % circle, (top + circle - step) % circle]);
        let pairs = std::iter::once(fixed).chain(across);
        // With an odd number of engines, one is paired with the dummy and has no opponent.
        order.extend(pairs.filter(|pair| pair.iter().all(|&engine| engine < engines)));
    }
    order
}

/// Every opening twice, with colours swapped: each pairing plays a fixed number of games in each round. An encounter is one pair of these games; all
/// pairings play their first pair before any plays its second, so all advance together, with the same
/// openings.
#[derive(Debug)]
pub(super) struct PairsOfGames {
    /// One turn of these rounds is a pair of games for each pairing.
    turns: Rounds,
    /// The numbers of games and of pairs of a pairing in one round.
    games: u32,
    pairs: u32,
}

impl PairsOfGames {
    /// Each of these pairings plays `games` games per round; of an odd number the last pair has one game.
    pub(super) fn new(pairings: Vec<[usize; 2]>, games: u32, rounds: u32) -> PairsOfGames {
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
    use std::collections::BTreeSet;

    use super::super::schedule::tests::order;
    use super::*;

    /// And is named first as often as second.
    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for engines in 0..=17 {
            let order = everybody_meets(engines);
            let met: BTreeSet<[usize; 2]> = order
                .iter()
                .map(|&[one, other]| [one.min(other), one.max(other)])
                .collect();
            assert_eq!(met.len(), order.len(), "{engines}");
            assert_eq!(order.len(), engines * engines.saturating_sub(1) / 2);
            assert!(order.iter().flatten().all(|&engine| engine < engines));
            assert!(order.iter().all(|[one, other]| one != other));
            for round in order.chunks((engines / 2).max(1)) {
                let playing: BTreeSet<&usize> = round.iter().flatten().collect();
                assert_eq!(playing.len(), 2 * round.len(), "{engines}: {round:?}");
            }
            for engine in (0..engines).filter(|_| engines > 1) {
                let first = order.iter().filter(|pair| pair[0] == engine).count();
                let second = engines - 1 - first;
                let least = usize::from(engines.is_multiple_of(2));
                assert_eq!(first.abs_diff(second), least, "{engine} of {engines}");
            }
        }
    }

    /// The tables for three or four and for five or six, as the FIDE Handbook prints them.
    #[test]
    fn the_order_is_that_of_bergers_tables() {
        let four = [[1, 4], [2, 3], [4, 3], [1, 2], [2, 4], [3, 1]];
        let six = [
            [[1, 6], [2, 5], [3, 4]],
            [[6, 4], [5, 3], [1, 2]],
            [[2, 6], [3, 1], [4, 5]],
            [[6, 5], [1, 4], [2, 3]],
            [[3, 6], [4, 2], [5, 1]],
        ];
        for table in [four.as_slice(), six.as_flattened()] {
            let most = table[0][1];
            for engines in [most - 1, most] {
                let wanted = table.iter().filter(|pair| !pair.contains(&(engines + 1)));
                let wanted: Vec<[usize; 2]> = wanted.map(|pair| pair.map(|one| one - 1)).collect();
                assert_eq!(everybody_meets(engines), wanted, "{engines}");
            }
        }
    }

    #[test]
    fn colours_are_swapped_within_pairs() {
        let games = order(PairsOfGames::new(vec![[0, 1]], 5, 1));
        let games = games
            .iter()
            .map(|game| [game.number, game.pair, game.players[0] as u32, game.opening]);
        let wanted = (0..5).map(|place| [place + 1, place / 2 + 1, place % 2, place / 2]);
        assert!(games.eq(wanted));
    }

    #[test]
    fn encounters_advance_together() {
        let games = order(PairsOfGames::new(vec![[0, 1], [2, 0]], 4, 2));
        let pairs = games.iter().step_by(2).map(|game| {
            let place = (game.place.round, game.place.game, game.opening);
            (game.players, place)
        });
        let wanted = [(1, 1, 0), (1, 3, 1), (2, 1, 2), (2, 3, 3)];
        let both = |place| [([0, 1], place), ([2, 0], place)];
        assert!(pairs.eq(wanted.into_iter().flat_map(both)));
    }

    #[test]
    fn a_set_has_every_opening_once_from_either_side() {
        let games = order(Riatra::new(2, 2));
        let games = games
            .iter()
            .map(|game| [game.number, game.players[0] as u32, game.opening, game.pair]);
        let wanted = (0..20).map(|index| {
            let (set, place) = (index / 10, index % 10);
            [index + 1, place % 2, place % 5, 5 * set + place % 5 + 1]
        });
        assert!(games.eq(wanted));
        // Three engines: every two of them play a set.
        assert_eq!(order(Riatra::new(3, 1)).len(), 30);
    }
}
