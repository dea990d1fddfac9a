//! Accumulators: the incrementally updated sums of the first layer.

use super::aligned::Aligned;
use super::features::{FeatureDelta, Seen};
use super::{Architecture, Network, Perspectives};
use crate::board::{Bitboard, Position, Side};

/// How many plies back a reusable accumulator is searched. Two plies back the same side was to move,
/// which matters where only its view is kept.
const PLIES_BACK: usize = 2;

/// The sums of the first layer at the positions last evaluated on each ply: one for each search
/// thread.
///
/// Each sum knows what it was computed for. An evaluation starts from the nearest of those on its ply
/// and the two before, so that callers need not report moves, and scores do not depend on the
/// order of evaluations.
#[derive(Debug)]
pub struct Accumulators {
    /// [`Network::id`] of the network that the sums belong to.
    network: u64,
    /// For each ply, what White saw when the sums of White's and of Black's view were computed.
    seen: Vec<[Seen; 2]>,
    /// For each ply White's view, then Black's.
    sums: Aligned<i16>,
    /// Changes of the current evaluation; a reused buffer.
    delta: FeatureDelta,
}

/// The source of a position's sums.
#[derive(Clone, Copy)]
enum Start {
    /// Up to date on this ply.
    There(usize),
    /// The sums of this ply, with the changes found.
    Near(usize),
    /// Computed from scratch, from the features found.
    Nothing,
}

impl Accumulators {
    /// Accumulators for positions of `network` on the plies from 0 to less than `plies`. Later ones
    /// share the place of the last, which is slower.
    #[must_use]
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        let plies = plies.max(1);
        let Architecture {
            features, hidden, ..
        } = network.header().architecture;
        let seen = Seen::new(features, Bitboard::EMPTY, Bitboard::EMPTY);
        let mut delta = FeatureDelta::EMPTY;
        seen.for_each_active(features, |feature| delta.push(feature, true));
        let mut sums = Aligned::zeros(2 * plies * hidden);
        for entry in sums.chunks_exact_mut(hidden) {
            network.refresh_sums(entry, &delta);
        }
        Accumulators {
            network: network.id(),
            seen: vec![[seen; 2]; plies],
            sums,
            delta,
        }
    }

    /// The worth of `position`, which is `ply` plies from the root, for the side to move, in
    /// units of the search, within ±20,000: [`Network::evaluate`], but faster.
    ///
    /// A change of network recomputes all sums.
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        if self.network != network.id() {
            *self = Accumulators::new(network, self.seen.len());
        }
        match network.header().architecture {
            // Specialised for the architecture of the embedded network.
            Architecture::STANDARD => {
                self.evaluate_as(Architecture::STANDARD, network, position, ply)
            }
            architecture => self.evaluate_as(architecture, network, position, ply),
        }
    }

    #[inline(always)]
    fn evaluate_as(
        &mut self,
        architecture: Architecture,
        network: &Network,
        position: &Position,
        ply: usize,
    ) -> i32 {
        let ply = ply.min(self.seen.len() - 1);
        let side = position.side();
        let (white, black) = (position.stones(Side::White), position.stones(Side::Black));
        let seen = Seen::new(architecture.features, white, black);
        let start = self.start(architecture, ply, side, seen);
        let from = match start {
            Start::There(from) => from,
            Start::Near(_) | Start::Nothing => ply,
        };
        let hidden = architecture.hidden;
        let views = match architecture.perspectives {
            Perspectives::Single => {
                if side == Side::Black {
                    self.delta.swap(architecture.features);
                }
                self.update(hidden, network, start, ply, side, seen);
                [self.view(hidden, from, side), &[]]
            }
            // Both views are always of the same position, so what changes is the same, seen from the
            // other side.
            Perspectives::Double => {
                self.update(hidden, network, start, ply, Side::White, seen);
                self.delta.swap(architecture.features);
                self.update(hidden, network, start, ply, Side::Black, seen);
                [
                    self.view(hidden, from, side),
                    self.view(hidden, from, !side),
                ]
            }
        };
        network.score(architecture, views, position.occupied().count())
    }

    /// The sums of a view.
    #[inline(always)]
    fn view(&self, hidden: usize, ply: usize, side: Side) -> &[i16] {
        &self.sums[(2 * ply + side.index()) * hidden..][..hidden]
    }

    /// Finds the cheapest source of the sums of the view of `side`, and records the changed features
    /// as White sees them.
    #[inline(always)]
    fn start(&mut self, architecture: Architecture, ply: usize, side: Side, seen: Seen) -> Start {
        let set = architecture.features;
        let difference = |ply: usize| self.seen[ply][side.index()].difference(set, seen);
        let (mut nearest, mut least) = (ply, difference(ply));
        for earlier in ply.saturating_sub(PLIES_BACK)..ply {
            let difference = difference(earlier);
            if difference < least {
                (nearest, least) = (earlier, difference);
            }
        }
        self.delta.clear();
        if least == 0 {
            return Start::There(nearest);
        }
        if seen.difference_from_nothing(set) < least {
            seen.for_each_active(set, |feature| self.delta.push(feature, true));
            return Start::Nothing;
        }
        self.seen[nearest][side.index()].add_delta(set, seen, &mut self.delta);
        Start::Near(nearest)
    }

    /// Updates a view on `ply` with the changes found.
    #[inline(always)]
    fn update(
        &mut self,
        hidden: usize,
        network: &Network,
        start: Start,
        ply: usize,
        side: Side,
        seen: Seen,
    ) {
        let place = |ply: usize| (2 * ply + side.index()) * hidden;
        // What sums start from lies before them.
        let (before, sums) = self.sums.split_at_mut(place(ply));
        let sums = &mut sums[..hidden];
        match start {
            Start::There(_) => return,
            Start::Nothing => network.refresh_sums(sums, &self.delta),
            Start::Near(nearest) if nearest == ply => network.update_sums(sums, None, &self.delta),
            Start::Near(nearest) => {
                let from = &before[place(nearest)..][..hidden];
                network.update_sums(sums, Some(from), &self.delta);
            }
        }
        self.seen[ply][side.index()] = seen;
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::network::samples::{architectures, network, random_positions, walk};
    use crate::network::{FeatureSet, SimdLevel};

    fn check(network: &Network, accumulators: &mut Accumulators, position: &Position, ply: usize) {
        let expected = network.evaluate(position.own(), position.enemy());
        let score = accumulators.evaluate(network, position, ply);
        let architecture = network.header().architecture;
        assert_eq!(score, expected, "{architecture:?}, ply {ply}: {position:?}");
        let again = accumulators.evaluate(network, position, ply);
        assert_eq!(again, expected, "{architecture:?}, ply {ply}, again");
    }

    #[test]
    fn a_walk_through_the_tree_gives_the_scores_of_its_positions() {
        let tree = walk(4);
        assert!(tree.len() > 5_000, "{}", tree.len());
        for architecture in architectures([32]) {
            let network = network(architecture, 9);
            let mut accumulators = Accumulators::new(&network, 4);
            for (position, ply) in &tree {
                check(&network, &mut accumulators, position, *ply);
            }
        }
    }

    #[test]
    fn all_levels_and_sizes_walk_alike() {
        let tree = walk(2);
        for architecture in architectures([64, 128, 192, 256, 480]) {
            let network = network(architecture, 10);
            for level in SimdLevel::available() {
                let network = network.clone().with_simd(level);
                let mut accumulators = Accumulators::new(&network, 4);
                for (position, ply) in &tree {
                    check(&network, &mut accumulators, position, *ply);
                }
            }
        }
    }

    #[test]
    fn the_order_of_evaluations_does_not_matter() {
        let mut positions = random_positions(100);
        let near: Vec<Position> = walk(2).into_iter().map(|(position, _)| position).collect();
        positions.extend(near);
        let mut random = SmallRng::seed_from_u64(5);
        for architecture in architectures([32]) {
            let network = network(architecture, 12);
            let mut accumulators = Accumulators::new(&network, 8);
            for _ in 0..2_000 {
                let position = &positions[random.random_range(0..positions.len())];
                // Some plies are beyond the last.
                check(
                    &network,
                    &mut accumulators,
                    position,
                    random.random_range(0..10),
                );
            }
        }
    }

    #[test]
    fn there_is_always_a_place() {
        let network = network(Architecture::default(), 13);
        let mut accumulators = Accumulators::new(&network, 0);
        for (ply, position) in random_positions(10).iter().enumerate() {
            check(&network, &mut accumulators, position, ply);
            check(&network, &mut accumulators, position, usize::MAX);
        }
    }

    #[test]
    fn another_network_is_noticed() {
        let networks: Vec<Network> = architectures([32, 64])
            .chain(architectures([32]))
            .enumerate()
            .map(|(seed, architecture)| network(architecture, seed as u64))
            .collect();
        let mut accumulators = Accumulators::new(&networks[0], 3);
        for position in random_positions(10) {
            for network in &networks {
                check(network, &mut accumulators, &position, 1);
            }
        }
    }

    /// What is there already is not computed again: a position that was seen a ply before leaves the
    /// place of its own ply alone.
    #[test]
    fn a_position_that_is_there_costs_nothing() {
        let architecture = Architecture {
            features: FeatureSet::Points,
            ..Architecture::default()
        };
        let network = network(architecture, 14);
        let [first, second] = [0, 1].map(|index| random_positions(2)[index]);
        let mut stack = Accumulators::new(&network, 4);
        stack.evaluate(&network, &second, 1);
        stack.evaluate(&network, &first, 0);
        let before = stack.sums.clone();
        let score = stack.evaluate(&network, &first, 1);
        assert_eq!(score, network.evaluate(first.own(), first.enemy()));
        assert_eq!(stack.sums, before);
    }
}
