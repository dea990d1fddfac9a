//! The moves played from a position.

use super::Index;
use super::index::Found;
use crate::notation::pgn::RecordResult;
use crate::tournament::statistics::elo_of_score;
use vato_engine::board::{Canonical, Move, Position, Side};
use vato_engine::rules::{Rules, legal_moves};

/// A move that was played, and how its games ended. Moves to positions that a symmetry maps to each other
/// are one.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub position: Position,
    /// Games in which it was played.
    pub games: u64,
    /// Of these: wins of the mover, draws, losses. Unfinished games are in none of them.
    pub results: [u64; 3],
    /// The rating that the mover's results show: that of the opponents plus the difference of the score,
    /// of the games whose opponent has a rating. `None` without such games; infinite if all were won or lost.
    pub performance: Option<f64>,
    /// What was played next.
    pub next: Vec<Branch>,
}

impl Branch {
    /// The mover's score per finished game, from 0 to 1.
    pub fn score(&self) -> Option<f64> {
        let [wins, draws, losses] = self.results;
        let games = wins + draws + losses;
        (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64)
    }
}

/// The moves of all collections from this position, in games under these rules, the most frequent first,
/// and those after them, `plies` deep; and how many games have the position.
pub fn tree(
    indices: &[Index],
    rules: &Rules,
    position: &Position,
    plies: u32,
) -> (u64, Vec<Branch>) {
    let canonical = Canonical::of(rules.board, position);
    let places: Vec<Vec<Found>> = (indices.iter())
        .map(|index| {
            let mut found = index.places(rules.board, canonical);
            found.retain(|found| index.games[found.game as usize].rules == *rules);
            found
        })
        .collect();
    let branches = branches(indices, rules, position, plies, &places);
    (count(&places), branches)
}

/// The number of games that the places are in.
fn count(places: &[Vec<Found>]) -> u64 {
    let games = |found: &Vec<Found>| found.chunk_by(|a, b| a.game == b.game).count() as u64;
    places.iter().map(games).sum()
}

fn branches(
    indices: &[Index],
    rules: &Rules,
    position: &Position,
    plies: u32,
    places: &[Vec<Found>],
) -> Vec<Branch> {
    let mut branches = Vec::new();
    let mut seen = Vec::new();
    if plies == 0 || count(places) == 0 {
        return branches;
    }
    for &mv in legal_moves(rules, position).iter() {
        let after = position.play(mv);
        let canonical = Canonical::of(rules.board, &after);
        if seen.contains(&canonical) {
            continue;
        }
        seen.push(canonical);
        let mut reached = Vec::new();
        for (index, before) in indices.iter().zip(places) {
            let mut found = index.places(rules.board, canonical);
            found.retain(|found| {
                let ply = found.ply.checked_sub(1);
                ply.is_some_and(|ply| before.binary_search(&Found { ply, ..*found }).is_ok())
            });
            reached.push(found);
        }
        let games = count(&reached);
        if games > 0 {
            let (results, performance) = figures(indices, position.side(), &reached);
            branches.push(Branch {
                mv,
                position: after,
                games,
                results,
                performance,
                next: self::branches(indices, rules, &after, plies - 1, &reached),
            });
        }
    }
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.games));
    branches
}

/// Results and performance of this side in the games that the places are in.
fn figures(indices: &[Index], side: Side, places: &[Vec<Found>]) -> ([u64; 3], Option<f64>) {
    let mut results = [0; 3];
    // Games with a rated opponent: how many, the sum of the ratings, the points.
    let (mut rated, mut ratings, mut points) = (0.0, 0.0, 0.0);
    for (index, found) in indices.iter().zip(places) {
        for group in found.chunk_by(|a, b| a.game == b.game) {
            let game = &index.games[group[0].game as usize];
            let place = match (game.result, game.result.winner()) {
                (RecordResult::Unfinished, _) => continue,
                (_, Some(winner)) => 2 * usize::from(winner != side),
                (_, None) => 1,
            };
            results[place] += 1;
            if let Some(elo) = game.elo(!side) {
                rated += 1.0;
                ratings += f64::from(elo);
                points += 1.0 - place as f64 / 2.0;
            }
        }
    }
    let performance = (rated > 0.0).then(|| ratings / rated + elo_of_score(points / rated));
    (results, performance)
}
