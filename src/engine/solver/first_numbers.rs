//! The first proof and disproof number of a new node.
//!
//! That these depend on the position rather than being 1 each is what df-pn+ adds to df-pn (A. Nagai and
//! H. Imai, *Application of df-pn+ to Othello endgames*, 1999).

use super::search::Status;
use super::tree::Tree;
use crate::board::Position;
use crate::network::{Accumulators, Network};
use crate::rules::{
    MoveList, Variant, capturing_first_steps, generate_into, steps_to_empty_points, with_variant,
};

/// Scale of the numbers.
const SCALE: f32 = 4.0;
/// By how many units of the network's score they change by a factor of e.
const SCORE: f32 = 500.0;
/// How much the sum grows with each move.
const MOVE: f32 = 1.5;
/// The greatest number.
const MOST: f32 = 1e6;
/// Plies of a path with accumulators of their own.
const PLIES: usize = 1_024;

/// Counts for one thread.
pub(super) struct FirstNumbers<'a> {
    tree: &'a Tree,
    moves: MoveList,
    /// Under rules that the network suits.
    network: Option<(&'a Network, Accumulators)>,
}

impl<'a> FirstNumbers<'a> {
    pub(super) fn new(tree: &'a Tree, network: Option<&'a Network>) -> FirstNumbers<'a> {
        FirstNumbers {
            tree,
            moves: MoveList::new(),
            network: network.map(|network| (network, Accumulators::new(network, PLIES))),
        }
    }

    /// To be called before the children of the last of `plies` positions are counted: their accumulators
    /// start from those of their parent.
    pub(super) fn prepare(&mut self, parent: &Position, plies: usize) {
        if let Some((network, accumulators)) = &mut self.network {
            accumulators.evaluate(network, parent, plies - 1);
        }
    }

    /// The numbers of a position after `plies` others. Both are greater the more stones there are above those
    /// of the tables; each is smaller the better its side stands, by the network or else by the number of
    /// stones; and that which is a sum over the moves grows with them.
    pub(super) fn count(&mut self, position: &Position, plies: usize) -> Status {
        let attacker = self.tree.attacker;
        let attacks = position.side() == attacker;
        let own = position.stones(attacker).count() as f32;
        let other = position.stones(!attacker).count() as f32;
        let ratio = match &mut self.network {
            Some((network, accumulators)) => {
                let score = accumulators.evaluate(network, position, plies) as f32;
                let of_defender = if attacks { -score } else { score };
                (of_defender / SCORE).exp()
            }
            None => other / own,
        };
        let moves = with_variant!(&self.tree.rules, |variant| {
            let (own, enemy) = (position.own(), position.enemy());
            let turn = variant.turn(position);
            // Paikas need not be generated to be counted.
            if capturing_first_steps(turn, own, enemy) == 0 {
                steps_to_empty_points(turn, own, enemy) as usize
            } else {
                generate_into(&variant, position, &mut self.moves);
                self.moves.len()
            }
        });
        let moves = MOVE * moves.saturating_sub(1) as f32;
        let above = (own + other - self.tree.tables.stones() as f32).max(1.0);
        let number = SCALE * above.sqrt();
        let (mut proof, mut disproof) = (number * ratio, number / ratio);
        *(if attacks { &mut disproof } else { &mut proof }) += moves;
        let number = |number: f32| number.clamp(1.0, MOST) as u32;
        Status::Open {
            proof: number(proof),
            disproof: number(disproof),
        }
    }
}
