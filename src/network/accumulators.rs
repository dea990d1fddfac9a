//! The sums of the first layer, kept from position to position.

use super::aligned::AlignedNumbers;
use super::features::{Changes, FeatureSet, Inputs, Patterns, Planes, Tuples};
use super::{Network, Perspectives};
use crate::board::{Bitboard, Position, Side};

/// How many plies back sums to start from are looked for. Two plies back the same side was to move,
/// which matters where only its view is kept.
const PLIES_BACK: usize = 2;

/// The sums of the first layer at the positions last evaluated on each ply: one for each search
/// thread.
///
/// Each sum knows what it was computed for. An evaluation starts from the nearest of those on its ply
/// and the two before, so that nobody has to say which moves were played, and every order of
/// evaluations gives the same scores.
#[derive(Debug)]
pub struct Accumulators {
    /// The SHA-256 of the network that the sums belong to.
    network: [u8; 32],
    plies: usize,
    stack: AnyStack,
}

#[derive(Debug)]
enum AnyStack {
    Points(Stack<Planes<2>>),
    Threats(Stack<Planes<4>>),
    Tuples(Stack<Tuples>),
    Patterns(Stack<Patterns>),
}

impl Accumulators {
    /// Accumulators for positions of `network` on the plies from 0 to less than `plies`. Later ones
    /// share the place of the last, which is slower.
    #[must_use]
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        let plies = plies.max(1);
        Accumulators {
            network: *network.digest(),
            plies,
            stack: match network.header().architecture.features {
                FeatureSet::Points => AnyStack::Points(Stack::new(network, plies)),
                FeatureSet::Threats => AnyStack::Threats(Stack::new(network, plies)),
                FeatureSet::Tuples => AnyStack::Tuples(Stack::new(network, plies)),
                FeatureSet::Patterns => AnyStack::Patterns(Stack::new(network, plies)),
            },
        }
    }

    /// The worth of `position`, which is `ply` plies from the root, for the side to move, in
    /// units of the search, within ±20,000: [`Network::evaluate`], but faster.
    ///
    /// Another network than last time makes all sums anew.
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        if self.network != *network.digest() {
            *self = Accumulators::new(network, self.plies);
        }
        match &mut self.stack {
            AnyStack::Points(stack) => stack.evaluate(network, position, ply),
            AnyStack::Threats(stack) => stack.evaluate(network, position, ply),
            AnyStack::Tuples(stack) => stack.evaluate(network, position, ply),
            AnyStack::Patterns(stack) => stack.evaluate(network, position, ply),
        }
    }
}

/// Sums of both views for each ply: first White's, then Black's.
#[derive(Debug)]
struct Stack<I> {
    /// What White saw when the sums of each view were computed.
    seen: Vec<[I; 2]>,
    /// The sums of one view after the other.
    sums: AlignedNumbers,
    hidden: usize,
    /// What the evaluation at hand changes; kept here so that it need not be made each time.
    changes: Changes,
}

/// Where the sums of a position come from.
#[derive(Clone, Copy)]
enum Start {
    /// They are there, on this ply.
    There(usize),
    /// Those of this ply, with the changes that were found.
    Near(usize),
    /// Nothing, with the features that were found.
    Nothing,
}

impl<I: Inputs> Stack<I> {
    /// Sums for the empty board.
    fn new(network: &Network, plies: usize) -> Stack<I> {
        let hidden = network.header().architecture.hidden;
        let seen = I::seen(Bitboard::EMPTY, Bitboard::EMPTY);
        let mut changes = Changes::default();
        seen.for_each_active(|feature| changes.push(feature, true));
        let mut sums = AlignedNumbers::zeros(2 * plies * hidden);
        for entry in sums.chunks_exact_mut(hidden) {
            network.refresh_sums(entry, &changes);
        }
        Stack {
            seen: vec![[seen; 2]; plies],
            sums,
            hidden,
            changes,
        }
    }

    #[inline]
    fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        let ply = ply.min(self.seen.len() - 1);
        let side = position.side();
        let seen = I::seen(position.stones(Side::White), position.stones(Side::Black));
        let start = self.start(ply, side, seen);
        let from = match start {
            Start::There(from) => from,
            Start::Near(_) | Start::Nothing => ply,
        };
        let views = match network.header().architecture.perspectives {
            Perspectives::Single => {
                if side == Side::Black {
                    self.changes.map(I::swapped_feature);
                }
                self.update(network, start, ply, side, seen);
                [self.view(from, side), &[]]
            }
            // Both views are always of the same position, so what changes is the same, seen from the
            // other side.
            Perspectives::Double => {
                self.update(network, start, ply, Side::White, seen);
                self.changes.map(I::swapped_feature);
                self.update(network, start, ply, Side::Black, seen);
                [side, !side].map(|side| self.view(from, side))
            }
        };
        network.score(views, position.occupied().count())
    }

    /// The sums of a view.
    #[inline(always)]
    fn view(&self, ply: usize, side: Side) -> &[i16] {
        &self.sums[(2 * ply + side.index()) * self.hidden..][..self.hidden]
    }

    /// Finds where the sums of what White sees, in the view of `side`, best come from, and notes what is
    /// to be changed, as White sees it.
    #[inline(always)]
    fn start(&mut self, ply: usize, side: Side, seen: I) -> Start {
        let difference = |ply: usize| self.seen[ply][side.index()].difference(seen);
        let (mut nearest, mut least) = (ply, difference(ply));
        for earlier in ply.saturating_sub(PLIES_BACK)..ply {
            let difference = difference(earlier);
            if difference < least {
                (nearest, least) = (earlier, difference);
            }
        }
        self.changes.clear();
        if least == 0 {
            return Start::There(nearest);
        }
        if seen.difference_from_nothing() < least {
            seen.for_each_active(|feature| self.changes.push(feature, true));
            return Start::Nothing;
        }
        self.seen[nearest][side.index()].add_changes(seen, &mut self.changes);
        Start::Near(nearest)
    }

    /// Brings a view on `ply` up to date with the changes that were found.
    #[inline(always)]
    fn update(&mut self, network: &Network, start: Start, ply: usize, side: Side, seen: I) {
        let place = |ply: usize| (2 * ply + side.index()) * self.hidden;
        let target = place(ply);
        match start {
            Start::There(_) => return,
            Start::Nothing => {
                let sums = &mut self.sums[target..][..self.hidden];
                network.refresh_sums(sums, &self.changes);
            }
            Start::Near(nearest) if nearest == ply => {
                let sums = &mut self.sums[target..][..self.hidden];
                network.update_sums(sums, None, &self.changes);
            }
            Start::Near(nearest) => {
                // It is of an earlier ply.
                let (before, sums) = self.sums.split_at_mut(target);
                let from = &before[place(nearest)..][..self.hidden];
                network.update_sums(&mut sums[..self.hidden], Some(from), &self.changes);
            }
        }
        self.seen[ply][side.index()] = seen;
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::network::samples::{architectures, network, random_positions, walk};
    use crate::network::{Architecture, SimdLevel};

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
        let mut stack = Stack::<Planes<2>>::new(&network, 4);
        stack.evaluate(&network, &second, 1);
        stack.evaluate(&network, &first, 0);
        let before = stack.sums.clone();
        let score = stack.evaluate(&network, &first, 1);
        assert_eq!(score, network.evaluate(first.own(), first.enemy()));
        assert_eq!(stack.sums, before);
    }
}
