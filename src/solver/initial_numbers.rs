//! The initial proof and disproof number of a new node.
//!
//! In df-pn both are 1; in df-pn+ they depend on the position (A. Nagai and H. Imai, *Application of df-pn+ to Othello
//! endgames*, 1999): here on the network, whose output layer learns by logistic regression, from each node that is settled,
//! whether the attacker wins the question at hand (T.-R. Wu et al., *Game Solving with Online Fine-Tuning*, NeurIPS 2023,
//! train a network for the cost of a proof while the search runs).

use super::proof_table::{PathStatus, Status};
use crate::tree::Tree;
use vato_engine::board::Position;
use vato_engine::network::{Accumulators, LearnedOutputs, Network};
use vato_engine::proofs::Node;
use vato_engine::rules::{MoveList, count_moves};

const SCALE: f32 = 4.0;
/// Units of the network's score by which the odds of a win change by a factor of e.
const SCORE: f32 = 250.0;
/// Greater odds count as these: a factor of e to this power.
const MOST_ODDS: f32 = 12.0;
/// The step of the gradient descent for a node whose result was thought impossible.
const RATE: f32 = 0.01;
/// Added to the summed number for each move but the first.
const MOVE: f32 = 1.5;
const MOST: f32 = 1e6;
/// Plies of a path that have accumulators.
const PLIES: usize = 1_024;

/// Computes initial numbers, for one thread.
pub(super) struct InitialNumbers<'a> {
    tree: &'a Tree,
    moves: MoveList,
    /// `None` under rules that the network is not used for.
    /// The output layers are those for the defender to move, and for the attacker.
    network: Option<(Accumulators, [LearnedOutputs<'a>; 2])>,
}

impl<'a> InitialNumbers<'a> {
    pub(super) fn new(tree: &'a Tree, network: Option<&'a Network>) -> InitialNumbers<'a> {
        InitialNumbers {
            tree,
            moves: MoveList::new(),
            network: network.map(|network| {
                let outputs = [(); 2].map(|()| LearnedOutputs::new(network));
                (Accumulators::new(network, PLIES), outputs)
            }),
        }
    }

    /// Computes the accumulators of `parent`, the last of `plies` positions of the path. To be called before
    /// [`InitialNumbers::of`] for its children, whose accumulators are updates of these.
    pub(super) fn prepare(&mut self, parent: &Position, plies: usize) {
        if let Some((accumulators, [outputs, _])) = &mut self.network {
            outputs.evaluate(accumulators, parent, plies - 1);
        }
    }

    /// Learns from the status of `node`, after `plies` others, if it is settled.
    pub(super) fn learn(&mut self, node: &Node, plies: usize, status: PathStatus) {
        if let Some((accumulators, outputs)) = &mut self.network
            && !matches!(status, Status::Open { .. })
        {
            let (position, wins) = (node.position(), matches!(status, Status::Proven { .. }));
            let attacks = position.side() == self.tree.attacker;
            let outputs = &mut outputs[usize::from(attacks)];
            let score = outputs.evaluate(accumulators, &position, plies) as f32;
            let expected = 1.0 / (1.0 + (-score / SCORE).exp());
            let step = RATE * (f32::from(u8::from(wins == attacks)) - expected);
            outputs.learn(accumulators, &position, plies, step);
        }
    }

    /// The numbers of a position after `plies` others. Both grow with the number of stones above those of the tables.
    /// Each is smaller the better its side stands, by the network, or else by the ratio of stones. The number that is
    /// summed over the children grows with the number of moves.
    pub(super) fn of(&mut self, position: &Position, plies: usize) -> PathStatus {
        let attacker = self.tree.attacker;
        let attacks = position.side() == attacker;
        let own = position.stones(attacker).count() as f32;
        let other = position.stones(!attacker).count() as f32;
        let ratio = match &mut self.network {
            Some((accumulators, outputs)) => {
                let outputs = &outputs[usize::from(attacks)];
                let score = outputs.evaluate(accumulators, position, plies) as f32;
                let of_defender = if attacks { -score } else { score };
                // The proof number divided by the disproof number is the odds against a win.
                ((of_defender / SCORE).clamp(-MOST_ODDS, MOST_ODDS) / 2.0).exp()
            }
            None => other / own,
        };
        let moves = count_moves(&self.tree.rules, position, &mut self.moves);
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
