//! Traversal of a book from the start position.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::{Book, BookMove};
use crate::board::{Move, Position};
use crate::rules::Game;

/// A position of the book as reached from the start.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position.
    pub position: Position,
    /// The moves from the start to it, by one of possibly several paths.
    pub line: Vec<Move>,
    /// Its book moves, best first; at least one.
    pub moves: Vec<BookMove>,
}

impl Book {
    /// All positions by their distance from the start, and at each distance in the order of the moves that
    /// lead there.
    pub fn walk(&self) -> Vec<BookPosition> {
        let start = self.rules().start();
        let mut seen = vec![false; self.graph.nodes.len()];
        let mut is_new = |position: &Position| {
            let place = self.place(position);
            place.is_some_and(|place| !std::mem::replace(&mut seen[place], true))
        };
        let mut queue = VecDeque::new();
        if is_new(&start) {
            queue.push_back((start, Vec::new()));
        }
        let mut found = Vec::with_capacity(self.graph.nodes.len());
        while let Some((position, line)) = queue.pop_front() {
            let moves = self.moves(&position);
            for known in &moves {
                let next = position.play(known.mv);
                if is_new(&next) {
                    let line: Vec<Move> = line.iter().copied().chain([known.mv]).collect();
                    queue.push_back((next, line));
                }
            }
            found.push(BookPosition {
                position,
                line,
                moves,
            });
        }
        found
    }

    /// The exit positions: where games leave the book if both sides play moves with a weight, whichever side
    /// the book is for. Without duplicates, symmetric images included, and without finished games. They are
    /// not in the book.
    pub fn ends(&self) -> Vec<Position> {
        let start = self.rules().start();
        let mut seen = FxHashSet::from_iter([self.rules().canonical(&start).0]);
        let mut queue = VecDeque::from([start]);
        let mut ends = Vec::new();
        while let Some(position) = queue.pop_front() {
            if self.place(&position).is_none() {
                let game = Game::from_position(*self.rules(), position);
                ends.extend(game.outcome().is_none().then_some(position));
                continue;
            }
            for known in self.moves(&position) {
                let next = position.play(known.mv);
                if known.weight > 0 && seen.insert(self.rules().canonical(&next).0) {
                    queue.push_back(next);
                }
            }
        }
        ends
    }
}
