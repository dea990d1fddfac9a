//! Which games are played, and in which order.

use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fixture {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Its pair, from 1: two games with the same opening.
    pub(super) pair: u32,
    /// Which engine (0 or 1) plays White.
    pub(super) white: usize,
}

impl Fixture {
    /// The game with this number: colours are swapped within each pair, engine 0 begins.
    pub(super) fn of(number: u32) -> Fixture {
        Fixture {
            number,
            pair: number.div_ceil(2),
            white: usize::from(number.is_multiple_of(2)),
        }
    }
}

/// The games that remain, in order.
#[derive(Debug)]
pub(super) struct Schedule {
    games: RangeInclusive<u32>,
    done: HashSet<u32>,
}

impl Schedule {
    /// All of `games` games but those that are done.
    pub(super) fn new(games: u32, done: HashSet<u32>) -> Schedule {
        Schedule {
            games: 1..=games,
            done,
        }
    }

    /// How many games have not been given out yet.
    pub(super) fn remaining(&self) -> usize {
        let done = self.done.iter();
        let done = done.filter(|number| self.games.contains(number)).count();
        self.games.size_hint().0 - done
    }
}

impl Iterator for Schedule {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        self.games
            .by_ref()
            .find(|number| !self.done.contains(number))
            .map(Fixture::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_swapped_within_pairs() {
        let games: Vec<(u32, u32, usize)> = Schedule::new(5, HashSet::new())
            .map(|game| (game.number, game.pair, game.white))
            .collect();
        assert_eq!(
            games,
            [(1, 1, 0), (2, 1, 1), (3, 2, 0), (4, 2, 1), (5, 3, 0)]
        );
    }

    #[test]
    fn what_is_done_is_not_played_again() {
        let mut schedule = Schedule::new(6, HashSet::from([1, 3, 4]));
        assert_eq!(schedule.remaining(), 3);
        assert_eq!(schedule.next().map(|game| game.number), Some(2));
        assert_eq!(schedule.remaining(), 2);
        let rest: Vec<u32> = schedule.map(|game| game.number).collect();
        assert_eq!(rest, [5, 6]);
    }
}
