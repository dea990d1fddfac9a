//! The order in which the openings of a book are played.

use rand::seq::SliceRandom;

use super::OpeningOrder;
use super::random_lines::random_of;

/// The places of a book's openings, round after round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) order: OpeningOrder,
    pub(super) seed: u64,
    /// How many openings the book has, at least 1.
    pub(super) count: usize,
}

impl Sequence {
    /// The opening, from 0, that is played at this place of the sequence.
    ///
    /// In random order each round is a shuffle of its own, from the seed and the number of the
    /// round; so no opening repeats before all have been played.
    pub(super) fn opening(&self, place: usize) -> usize {
        let (round, place) = (place / self.count, place % self.count);
        match self.order {
            OpeningOrder::Sequential => place,
            OpeningOrder::Random => {
                let mut places: Vec<usize> = (0..self.count).collect();
                places.shuffle(&mut random_of(self.seed, round as u64));
                places[place]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(sequence: &Sequence, number: usize) -> Vec<usize> {
        let places = number * sequence.count..(number + 1) * sequence.count;
        places.map(|place| sequence.opening(place)).collect()
    }

    #[test]
    fn every_round_has_every_opening() {
        for order in OpeningOrder::ALL {
            let sequence = Sequence {
                order,
                seed: 1,
                count: 50,
            };
            for number in [0, 1, 1000] {
                let mut openings = round(&sequence, number);
                assert_eq!(openings.is_sorted(), order == OpeningOrder::Sequential);
                openings.sort_unstable();
                assert_eq!(openings, (0..50).collect::<Vec<_>>());
            }
        }
    }

    /// The shuffle must not change, or matches could not be resumed.
    #[test]
    fn the_random_order_follows_from_the_seed() {
        let sequence = |seed| Sequence {
            order: OpeningOrder::Random,
            seed,
            count: 10,
        };
        let first = round(&sequence(1), 0);
        assert_eq!(first, [3, 8, 5, 2, 7, 9, 6, 0, 4, 1]);
        assert_ne!(first, round(&sequence(1), 1));
        assert_ne!(first, round(&sequence(2), 0));
    }
}
