//! The network: from nothing, and from the position before.

mod positions;

use divan::{Bencher, black_box};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use vato_engine::board::Position;
use vato_engine::network::{Accumulators, Network, SimdLevel};
use vato_engine::rules::Rules;
use vato_engine::rules::legal_moves;

use positions::PHASES;

/// Plies of a game that are measured: later ones have few captures.
const PLIES: usize = 24;

fn main() {
    divan::main();
}

/// The network in the program, with these vector instructions.
fn network(simd: SimdLevel) -> Network {
    Network::clone(&Network::standard()).with_simd(simd)
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

#[divan::bench(args = SimdLevel::available())]
fn from_nothing(bencher: Bencher, simd: SimdLevel) {
    let network = network(simd);
    let mut positions = games().into_iter().cycle();
    bencher.bench_local(|| {
        positions
            .next()
            .map(|(position, _)| network.evaluate(black_box(position.own()), position.enemy()))
    });
}

fn incremental(bencher: Bencher, simd: SimdLevel, positions: &[(Position, usize)]) {
    let network = network(simd);
    let mut accumulators = Accumulators::new(&network, PLIES);
    let mut positions = positions.iter().cycle();
    bencher.bench_local(|| {
        positions
            .next()
            .map(|(position, ply)| accumulators.evaluate(&network, black_box(position), *ply))
    });
}

#[divan::bench(args = SimdLevel::available())]
fn along_games(bencher: Bencher, simd: SimdLevel) {
    incremental(bencher, simd, &games());
}

#[divan::bench(args = SimdLevel::available())]
fn through_a_tree(bencher: Bencher, simd: SimdLevel) {
    incremental(bencher, simd, &tree());
}
