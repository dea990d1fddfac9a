//! The positions that games go through, and the turns played in them.

use serde::Serialize;

use crate::board::{Move, Position};
use crate::rules::{Rules, count_paths, legal_moves, shortest_path};

/// Sums over positions of one phase.
///
/// Paths that move the same stone to the same point and take the same stones have one *result*; the
/// search sees results, players choose paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PositionFigures {
    /// Positions in which a move was chosen.
    pub positions: u64,
    /// Those in which capturing is compulsory.
    pub compulsory: u64,
    /// Those with a single result.
    pub forced: u64,
    /// Results of all legal turns.
    pub results: u64,
    /// The most results in one position.
    pub most_results: u64,
    /// Paths of all legal turns.
    pub paths: u64,
    /// Steps of the shortest path of each result.
    pub result_steps: u64,
    /// Capturing turns played.
    pub captures: u64,
    /// Their steps.
    pub capture_steps: u64,
    /// The most steps of one of them.
    pub most_capture_steps: u64,
    /// The stones that they took.
    pub captured: u64,
}

impl PositionFigures {
    /// Counts a position and the turn played in it. Returns the number of results.
    pub(super) fn count(&mut self, rules: &Rules, position: &Position, played: Move) -> u64 {
        let moves = legal_moves(rules, position);
        let results = moves.len() as u64;
        let paika = moves.iter().any(|mv| !mv.is_capture());
        self.positions += 1;
        self.compulsory += u64::from(!paika);
        self.forced += u64::from(results == 1);
        self.results += results;
        self.most_results = self.most_results.max(results);
        self.paths += count_paths(rules, position);
        for &mv in &moves {
            self.result_steps += steps(rules, position, mv);
        }
        if played.is_capture() {
            let steps = steps(rules, position, played);
            self.captures += 1;
            self.capture_steps += steps;
            self.most_capture_steps = self.most_capture_steps.max(steps);
            self.captured += u64::from(played.captured().count());
        }
        results
    }

    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &PositionFigures) {
        self.positions += other.positions;
        self.compulsory += other.compulsory;
        self.forced += other.forced;
        self.results += other.results;
        self.most_results = self.most_results.max(other.most_results);
        self.paths += other.paths;
        self.result_steps += other.result_steps;
        self.captures += other.captures;
        self.capture_steps += other.capture_steps;
        self.most_capture_steps = self.most_capture_steps.max(other.most_capture_steps);
        self.captured += other.captured;
    }
}

/// Steps of the shortest path of a legal move.
fn steps(rules: &Rules, position: &Position, mv: Move) -> u64 {
    shortest_path(rules, position, mv).map_or(0, |path| path.steps.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;

    #[test]
    fn the_start_position() {
        let game = Game::new(Rules::STANDARD);
        let mut figures = PositionFigures::default();
        for &mv in &legal_moves(game.rules(), game.position()) {
            figures.count(game.rules(), game.position(), mv);
        }
        assert_eq!(figures.positions, 5);
        assert_eq!(figures.compulsory, 5);
        assert_eq!(figures.results, 25);
        assert_eq!(figures.paths, 25);
        assert_eq!((figures.captures, figures.forced), (5, 0));
        assert_eq!(figures.capture_steps, 5);
    }
}
