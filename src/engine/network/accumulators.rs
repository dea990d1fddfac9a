//! Accumulators: the incrementally updated sums of the first layer.

use super::Network;
use super::features::{NO_STONES, Seen, Windows, windows};
use super::simd::{Change, Row};
use crate::board::{Position, Side};

/// The sums of the first layer at the positions last evaluated on each ply: one for each search
/// thread.
///
/// Each entry knows what it was computed for. An evaluation starts from the nearest of those on its ply
/// and the two before, or from the empty board, so that callers need not report moves, and scores do not
/// depend on the order of evaluations.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// `Network::id` of the network that the sums belong to.
    network: u64,
    /// First that of the empty board, then one for each ply.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
struct Entry {
    /// White's view, then Black's.
    sums: [Row; 2],
    windows: Windows,
    seen: Seen,
}

impl Accumulators {
    /// Accumulators for positions of `network` on the plies from 0 to less than `plies`. Later ones
    /// share the place of the last, which is slower.
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        let nothing = Entry {
            sums: [network.sums_of_nothing; 2],
            windows: NO_STONES,
            seen: Seen::NOTHING,
        };
        Accumulators {
            network: network.id,
            entries: vec![nothing; plies.max(1) + 1],
        }
    }

    /// The worth of `position`, which is `ply` plies from the root, for the side to move, in
    /// units of the search, within ±20,000: [`Network::evaluate`], but faster.
    ///
    /// A change of network recomputes all sums.
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        let views = self.views(network, position, ply);
        network.score(views, position.occupied().count())
    }

    /// The hidden sums of `position`, first those of the side to move.
    #[inline(always)]
    pub(super) fn views(
        &mut self,
        network: &Network,
        position: &Position,
        ply: usize,
    ) -> [&Row; 2] {
        if self.network != network.id {
            *self = Accumulators::new(network, self.entries.len() - 1);
        }
        let place = ply.saturating_add(1).min(self.entries.len() - 1);
        let seen = Seen::new(position.stones(Side::White), position.stones(Side::Black));
        let mut nearest = place;
        let mut least = self.entries[place].seen.difference(&seen);
        for earlier in [place - 1, place.saturating_sub(2), 0] {
            let difference = self.entries[earlier].seen.difference(&seen);
            if difference < least {
                (nearest, least) = (earlier, difference);
            }
        }
        if least != 0 {
            self.update(network, &seen, nearest, place);
            nearest = place;
        }
        let side = position.side();
        let sums = &self.entries[nearest].sums;
        [&sums[side.index()], &sums[(!side).index()]]
    }

    /// Makes the entry at `place` that of `seen`, from the one at `nearest`.
    #[inline(always)]
    fn update(&mut self, network: &Network, seen: &Seen, nearest: usize, place: usize) {
        let windows = windows(seen.stones);
        let (before, rest) = self.entries.split_at_mut(place);
        let to = &mut rest[0];
        // The entry itself is changed in place.
        let from = (nearest != place).then(|| &before[nearest]);
        let change = {
            let base = from.unwrap_or(to);
            Change::new([&base.seen, seen], [base.windows, windows])
        };
        network.update_sums(&mut to.sums, from.map(|from| &from.sums), &change);
        to.windows = windows;
        to.seen = *seen;
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::network::SimdLevel;
    use crate::network::samples::{network, random_positions, walk};

    fn check(network: &Network, accumulators: &mut Accumulators, position: &Position, ply: usize) {
        let expected = network.evaluate(position.own(), position.enemy());
        let score = accumulators.evaluate(network, position, ply);
        assert_eq!(score, expected, "ply {ply}: {position:?}");
        let again = accumulators.evaluate(network, position, ply);
        assert_eq!(again, expected, "ply {ply}, again");
    }

    #[test]
    fn a_walk_through_the_tree_gives_the_scores_of_its_positions() {
        let tree = walk(4);
        assert!(tree.len() > 5_000, "{}", tree.len());
        for level in SimdLevel::available() {
            let network = network(9).with_simd(level);
            let mut accumulators = Accumulators::new(&network, 4);
            for (position, ply) in &tree {
                check(&network, &mut accumulators, position, *ply);
            }
        }
    }

    /// Nor which network it is, nor how many plies there are.
    #[test]
    fn the_order_of_evaluations_does_not_matter() {
        let mut positions = random_positions(100);
        positions.extend(walk(2).into_iter().map(|(position, _)| position));
        let mut random = SmallRng::seed_from_u64(5);
        let networks = [12, 13].map(network);
        for most in [8, 0] {
            let mut accumulators = Accumulators::new(&networks[0], most);
            for _ in 0..2_000 {
                let position = &positions[random.random_range(0..positions.len())];
                let network = &networks[usize::from(random.random_bool(0.1))];
                // Some plies are beyond the last.
                let ply =
                    [random.random_range(0..10), usize::MAX][usize::from(random.random_bool(0.1))];
                check(network, &mut accumulators, position, ply);
            }
        }
    }

    /// What is there already is not computed again: a position that was seen a ply before leaves the
    /// place of its own ply alone.
    #[test]
    fn a_position_that_is_there_costs_nothing() {
        let network = network(14);
        let [first, second] = [0, 1].map(|index| random_positions(2)[index]);
        let mut accumulators = Accumulators::new(&network, 4);
        accumulators.evaluate(&network, &second, 1);
        accumulators.evaluate(&network, &first, 0);
        let before = accumulators.entries.clone();
        let score = accumulators.evaluate(&network, &first, 1);
        assert_eq!(score, network.evaluate(first.own(), first.enemy()));
        assert_eq!(accumulators.entries, before);
    }
}
