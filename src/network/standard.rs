//! The network in the program.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;

static STANDARD: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::from_bytes(include_bytes!("standard.net"));
    Arc::new(network.expect("the network in the program was written by it"))
});

impl Network {
    /// The network that is part of the program.
    #[must_use]
    pub fn standard() -> Arc<Network> {
        Arc::clone(&STANDARD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, BoardSize};

    #[test]
    fn the_network_in_the_program_is_right() {
        let network = Network::standard();
        assert!(network.to_bytes().len() <= 1 << 20);
        let start = BoardSize::STANDARD.start();
        let score = network.evaluate(start.own(), start.enemy());
        assert!(score.abs() < 300, "{score}");
        // Far apart, so that nothing can be captured: three stones against seven are lost.
        let few = Bitboard::from_bits(0b1_0001_0001);
        let many = Bitboard::from_bits(0b0_1111_1110 << 40);
        let score = network.evaluate(few, many);
        assert!(score < -300, "{score}");
        assert!(network.evaluate(many, few) > 300);
    }
}
