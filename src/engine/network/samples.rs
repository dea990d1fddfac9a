//! Networks and positions for tests.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::{BUCKETS, HIDDEN, Header, INPUT_WEIGHTS, Network, PARAMETERS, WdlModel};
use crate::board::Position;
use crate::notation::parse_fen;
use crate::rules::{Game, Rules, legal_moves};

/// Some header.
pub(super) fn header() -> Header {
    let wdl_model = WdlModel {
        margin: 110.0,
        margin_per_stone: 1_200.0,
        margin_per_quiet_ply: 0.5,
        spread: 80.0,
    };
    Header::new(250.0, 100.0, wdl_model, "not at all".to_owned())
}

/// Random parameters with which some hidden units are off, some on, and some between.
pub(super) fn parameters(seed: u64) -> Vec<f32> {
    let mut random = SmallRng::seed_from_u64(seed);
    let inputs = INPUT_WEIGHTS + HIDDEN;
    let most = |index| match index {
        _ if index < inputs => 0.3,
        _ if index < PARAMETERS - BUCKETS => 0.4,
        _ => 2.0,
    };
    let mut number = |index| random.random_range(-most(index)..most(index));
    (0..PARAMETERS).map(&mut number).collect()
}

/// A network with [`parameters`].
pub(super) fn network(seed: u64) -> Network {
    Network::quantise(header(), &parameters(seed)).expect("nothing overflows")
}

/// Positions of games of random moves.
pub(super) fn random_positions(count: usize) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(count as u64);
    let mut game = Game::new(Rules::STANDARD);
    let mut positions = Vec::new();
    while positions.len() < count {
        let moves = legal_moves(&Rules::STANDARD, game.position());
        if game.outcome().is_some() || moves.is_empty() {
            game = Game::new(Rules::STANDARD);
            continue;
        }
        let mv = moves[random.random_range(0..moves.len())];
        game.play(mv).expect("legal");
        positions.push(*game.position());
    }
    positions
}

/// Every position up to `depth` plies after some positions of the standard game, each with its ply, in
/// the order of a search.
pub(super) fn walk(depth: usize) -> Vec<(Position, usize)> {
    fn visit(position: Position, ply: usize, depth: usize, nodes: &mut Vec<(Position, usize)>) {
        nodes.push((position, ply));
        if ply == depth || position.own().is_empty() || position.enemy().is_empty() {
            return;
        }
        for &mv in legal_moves(&Rules::STANDARD, &position).iter() {
            visit(position.play(mv), ply + 1, depth, nodes);
        }
    }
    let mut nodes = Vec::new();
    for fen in [
        "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
        "1b1bbbbb1/1w3bb2/5bwbw/6ww1/ww3w1ww b 0 5",
        "6b1b/9/3w5/1w5b1/5ww2 b 2 11",
    ] {
        let position = parse_fen(fen, Rules::STANDARD.board).expect("a position");
        visit(position, 0, depth, &mut nodes);
    }
    nodes
}
