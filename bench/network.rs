//! The network: from nothing, and from the position before.

mod positions;

use std::fmt;

use divan::{Bencher, black_box};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use vato::board::Position;
use vato::network::{
    Accumulators, Architecture, FeatureSet, Header, Network, OutputBuckets, Perspectives,
    SimdLevel, WdlModel,
};
use vato::rules::Rules;
use vato::rules::legal_moves;

use positions::PHASES;

/// Plies of a game that are measured: later ones have few captures.
const PLIES: usize = 24;

fn main() {
    divan::main();
}

/// A network and its evaluators.
struct Case {
    features: FeatureSet,
    hidden: usize,
    perspectives: Perspectives,
    simd: SimdLevel,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            features,
            hidden,
            perspectives,
            simd,
        } = self;
        write!(f, "{features:?} {hidden} {perspectives:?} {simd}")
    }
}

/// Every set of features and size on every level, and one view of the usual size.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for simd in SimdLevel::available() {
        for features in FeatureSet::ALL {
            for (hidden, perspectives) in [
                (64, Perspectives::Double),
                (128, Perspectives::Double),
                (256, Perspectives::Double),
                (128, Perspectives::Single),
            ] {
                cases.push(Case {
                    features,
                    hidden,
                    perspectives,
                    simd,
                });
            }
        }
    }
    cases
}

impl Case {
    /// A network with random numbers: they cost no less than trained ones.
    fn network(&self) -> Network {
        let architecture = Architecture {
            features: self.features,
            hidden: self.hidden,
            perspectives: self.perspectives,
            buckets: OutputBuckets::Stones,
        };
        let header = Header {
            architecture,
            search_scale: 250.0,
            scale: 100.0,
            wdl_model: WdlModel {
                margin: 100.0,
                margin_per_stone: 1_000.0,
                spread: 80.0,
            },
            trained: String::new(),
        };
        let mut random = SmallRng::seed_from_u64(1);
        let parameters: Vec<f32> = (0..architecture.parameters())
            .map(|_| random.random_range(-0.2..0.2))
            .collect();
        let network = Network::quantise(header, &parameters).expect("small numbers fit");
        network.with_simd(self.simd)
    }
}

/// Games of random moves from each phase, one position after the other, each with its ply.
fn games() -> Vec<(Position, usize)> {
    let mut random = SmallRng::seed_from_u64(2);
    let mut positions = Vec::new();
    for phase in PHASES.iter().cycle().take(4 * PHASES.len()) {
        let mut position = phase.position();
        for ply in 0..PLIES {
            positions.push((position, ply));
            let moves = legal_moves(&Rules::STANDARD, &position);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.random_range(0..moves.len())]);
        }
    }
    positions
}

/// All legal moves to some depth, from each phase, in the order of a search.
fn tree() -> Vec<(Position, usize)> {
    fn visit(position: Position, ply: usize, nodes: &mut Vec<(Position, usize)>) {
        nodes.push((position, ply));
        if ply < 2 {
            for &mv in legal_moves(&Rules::STANDARD, &position).iter() {
                visit(position.play(mv), ply + 1, nodes);
            }
        }
    }
    let mut nodes = Vec::new();
    for phase in &PHASES {
        visit(phase.position(), 0, &mut nodes);
    }
    nodes
}

#[divan::bench(args = cases())]
fn from_nothing(bencher: Bencher, case: &Case) {
    let network = case.network();
    let mut positions = games().into_iter().cycle();
    bencher.bench_local(|| {
        positions
            .next()
            .map(|(position, _)| network.evaluate(black_box(position.own()), position.enemy()))
    });
}

fn incremental(bencher: Bencher, case: &Case, positions: &[(Position, usize)]) {
    let network = case.network();
    let mut accumulators = Accumulators::new(&network, PLIES);
    let mut positions = positions.iter().cycle();
    bencher.bench_local(|| {
        positions
            .next()
            .map(|(position, ply)| accumulators.evaluate(&network, black_box(position), *ply))
    });
}

#[divan::bench(args = cases())]
fn along_games(bencher: Bencher, case: &Case) {
    incremental(bencher, case, &games());
}

#[divan::bench(args = cases())]
fn through_a_tree(bencher: Bencher, case: &Case) {
    incremental(bencher, case, &tree());
}
