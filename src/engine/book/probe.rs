//! Probing a book.

use std::cmp::Reverse;
use std::path::Path;

use super::BookError;
use super::file::BookFile;
use super::graph::{BackedUpScores, Graph};
use super::header::BookHeader;
use super::weights::weight_of;
use crate::board::{Move, Position};
use crate::container::ContainerError;
use crate::rules::{Game, Reason, Rules, legal_moves};
use crate::search::Score;
use crate::text::plural;

/// An opening book in memory, ready to be probed.
#[derive(Clone, Debug)]
pub struct Book {
    /// The header.
    pub header: BookHeader,
    pub(super) graph: Graph,
    scores: BackedUpScores,
}

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its backed-up score for the mover. Undecided scores are in displayed centi-stones.
    pub score: Score,
    /// Its relative probability among the moves of the position, if the book is for the side to move: see
    /// [`weight`](super::weight). 0 if it is never played, as all but the best where a score is decided.
    pub weight: u32,
}

/// The number of moves of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// Moves of all positions.
    pub known: usize,
    /// Moves that can be played: with a weight, and by a side that the book is for.
    pub played: usize,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is invalid: every position is checked, every move must be legal, and
    /// all positions must be reachable from the start position.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let file = BookFile::read(path)?;
        Ok(Book::of(file).map_err(ContainerError::content(path))?)
    }

    pub(super) fn of(file: BookFile) -> Result<Book, String> {
        let mut graph = Graph::new(file.rules);
        for (key, moves) in &file.entries {
            graph.add(*key, moves);
        }
        let scores = BackedUpScores::of(&graph);
        let places = 0..graph.nodes.len();
        let lost = places
            .filter(|&place| scores.plies[place].is_none())
            .count();
        if graph.place(graph.start()).is_none() {
            return Err("the start position is not in the book".to_owned());
        }
        if lost > 0 {
            return Err(format!(
                "{lost} {} from the start",
                plural(
                    lost,
                    "position that does not follow",
                    "positions that do not follow"
                )
            ));
        }
        Ok(Book {
            header: file.header,
            graph,
            scores,
        })
    }

    /// The rules of the book.
    pub fn rules(&self) -> &Rules {
        &self.graph.rules
    }

    /// The number of positions by distance from the start in plies, from 0 on.
    pub fn positions_by_ply(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for place in 0..self.graph.nodes.len() {
            let ply = self.scores.plies[place].unwrap_or(0) as usize;
            counts.resize(counts.len().max(ply + 1), 0);
            counts[ply] += 1;
        }
        counts
    }

    /// The book moves of a position, best first, in the position's own orientation; empty if the position is
    /// not in the book. Only the stones, the side to move and whether it is a first turn count.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let (key, symmetry) = self.graph.rules.canonical(position);
        let Some(place) = self.graph.place(key) else {
            return Vec::new();
        };
        let legal = legal_moves(&self.graph.rules, position);
        let mut moves: Vec<BookMove> = self
            .moves_at(place)
            .map(|known| BookMove {
                mv: symmetry
                    .inverse()
                    .apply_to_move(self.graph.rules.board, known.mv),
                ..known
            })
            // Never return an illegal move, whatever the book has.
            .filter(|known| legal.contains(&known.mv))
            .collect();
        moves.sort_by_key(|known| Reverse(known.score));
        moves
    }

    /// The moves of a canonical position, in the order of its links.
    fn moves_at(&self, place: usize) -> impl Iterator<Item = BookMove> {
        let best = self.scores.best(place).unwrap_or(Score::DRAW);
        let links = self.graph.nodes[place].links.iter();
        let scores = self.scores.scores[place].iter();
        links.zip(scores).map(move |(link, &score)| BookMove {
            mv: link.mv,
            score,
            weight: weight_of(best, score, self.header.margin),
        })
    }

    /// The number of moves.
    pub fn move_counts(&self) -> MoveCounts {
        let mut counts = MoveCounts::default();
        for (place, node) in self.graph.nodes.iter().enumerate() {
            counts.known += node.links.len();
            if self.is_for(&node.key.position()) {
                let played = self.moves_at(place).filter(|known| known.weight > 0);
                counts.played += played.count();
            }
        }
        counts
    }

    /// Whether the book is for the side to move.
    fn is_for(&self, position: &Position) -> bool {
        self.header.side.sides().contains(&position.side())
    }

    /// The moves for the side to move in a game in progress, as [`Book::moves`]; none if the book is not for
    /// that side.
    ///
    /// None once the game has left the book, even if it returns: all its positions must be in the book. None
    /// under other rules. None where the history, which the book does not know, could matter: at a repeated
    /// position, when half of the plies to the no-capture limit have passed, or when the game has ended. A
    /// move that would repeat a position, or end the game by the limit, is left out; if it is the best, all
    /// are.
    pub fn moves_in(&self, game: &Game) -> Vec<BookMove> {
        let position = game.position();
        let (limit, quiet) = (self.graph.rules.limit, position.halfmove_clock());
        let late = limit != 0 && quiet >= limit.div_ceil(2);
        if *game.rules() != self.graph.rules
            || game.outcome().is_some()
            || late
            || game.occurrences() > 1
        {
            return Vec::new();
        }
        if !self.is_for(position) || !self.has_stayed(game) {
            return Vec::new();
        }
        let mut moves = self.moves(position);
        let best = moves.first().copied();
        moves.retain(|known| !brings_back_the_past(game, known.mv));
        if moves.first().copied() != best {
            moves.clear();
        }
        moves
    }

    /// Whether all positions of the game before the current one are in the book.
    fn has_stayed(&self, game: &Game) -> bool {
        let mut position = *game.start();
        game.moves().iter().all(|&mv| {
            let is_known = self.place(&position).is_some();
            position = position.play(mv);
            is_known
        })
    }

    pub(super) fn place(&self, position: &Position) -> Option<usize> {
        self.graph.place(self.graph.rules.canonical(position).0)
    }

    /// The book's main line after `first` at `position`: that move, then the best moves as long as the book
    /// has them and no position repeats.
    pub fn line(&self, position: &Position, first: Move) -> Vec<Move> {
        let mut position = *position;
        let mut seen = vec![self.graph.rules.canonical(&position).0];
        let mut line = vec![first];
        position = position.play(first);
        while let Some(best) = self.moves(&position).first() {
            let (key, _) = self.graph.rules.canonical(&position);
            if seen.contains(&key) {
                break;
            }
            seen.push(key);
            line.push(best.mv);
            position = position.play(best.mv);
        }
        line
    }
}

/// Whether the history matters after this move: the position has occurred before, or the game ends by the
/// limit.
fn brings_back_the_past(game: &Game, mv: Move) -> bool {
    let mut game = game.clone();
    if game.play(mv).is_err() {
        return true;
    }
    let ends = |reason| matches!(reason, Reason::Repetition | Reason::Limit);
    game.occurrences() > 1 || game.outcome().is_some_and(|outcome| ends(outcome.reason))
}

#[cfg(test)]
mod tests;
