//! A book that was read, and what it answers.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::path::Path;

use super::RepertoireError;
use super::file::BookFile;
use super::folded::Folded;
use super::graph::Graph;
use super::header::BookHeader;
use super::judgement::Judgement;
use super::weights::weight;
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, legal_moves};
use crate::search::Score;

/// An opening book, ready to answer.
#[derive(Clone, Debug)]
pub struct Repertoire {
    header: BookHeader,
    rules: Rules,
    graph: Graph,
    judgement: Judgement,
}

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// What it is worth for its player, by all that the book knows. Undecided scores are centi-stones
    /// as they are shown.
    pub score: Score,
    /// How often it is played, in proportion to the other moves of the position: see
    /// [`weight`](super::weight). 0 for one that never is.
    pub weight: u32,
}

/// A position of the book, as a game reaches it.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position.
    pub position: Position,
    /// The moves that lead to it from the start; there may be other ways.
    pub line: Vec<Move>,
    /// What the book knows of its moves, best first; at least one.
    pub moves: Vec<BookMove>,
}

impl Repertoire {
    /// Reads a book.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a whole book: every position is checked, every move is
    /// legal, and all of them follow from the start position.
    pub fn read(path: &Path) -> Result<Repertoire, RepertoireError> {
        let file = BookFile::read(path)?;
        Repertoire::of(file).map_err(RepertoireError::file(path))
    }

    fn of(file: BookFile) -> Result<Repertoire, String> {
        let mut graph = Graph::new(file.rules);
        for (folded, moves) in &file.entries {
            graph.add(*folded, moves);
        }
        let judgement = Judgement::of(&graph);
        let places = 0..graph.nodes().len();
        let lost = places
            .filter(|&place| judgement.ply(place).is_none())
            .count();
        if graph.place(graph.start()).is_none() {
            return Err("the start position is not in the book".to_owned());
        }
        if lost > 0 {
            return Err(format!(
                "{lost} positions that do not follow from the start"
            ));
        }
        Ok(Repertoire {
            header: file.header,
            rules: file.rules,
            graph,
            judgement,
        })
    }

    /// What the book says of itself.
    #[must_use]
    pub fn header(&self) -> &BookHeader {
        &self.header
    }

    /// The rules that it is for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many positions are how many plies from the start, from 0 plies on.
    #[must_use]
    pub fn positions_by_ply(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for place in 0..self.graph.nodes().len() {
            let ply = self.judgement.ply(place).unwrap_or(0) as usize;
            counts.resize(counts.len().max(ply + 1), 0);
            counts[ply] += 1;
        }
        counts
    }

    /// What the book knows of a position: its moves, best first, as they are played there; none if the
    /// position is not in the book. Only the stones, the side to move and whether it is a first turn
    /// matter, whichever way round the board is.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let (folded, symmetry) = Folded::of(&self.rules, position);
        let Some(place) = self.graph.place(folded) else {
            return Vec::new();
        };
        let legal = legal_moves(&self.rules, position);
        let best = self.judgement.best(place).unwrap_or(Score::DRAW);
        let links = self.graph.nodes()[place].links.iter();
        let scores = self.judgement.scores(place).iter();
        let mut moves: Vec<BookMove> = links
            .zip(scores)
            .map(|(link, &score)| BookMove {
                mv: symmetry.inverse().apply_to_move(self.rules.board, link.mv),
                score,
                weight: weight(best.raw() - score.raw(), self.header.margin),
            })
            // Nothing illegal is ever played, whatever the book says.
            .filter(|known| legal.contains(&known.mv))
            .collect();
        moves.sort_by_key(|known| Reverse(known.score));
        moves
    }

    /// The moves for the side to move in a game under way, as [`Repertoire::moves`] has them.
    ///
    /// None once the game has left the book, whether or not it comes back: all its positions have to
    /// be in it. None under other rules, and none where the game's past could matter, which the book
    /// knows nothing of: at a position that has come before, when half of the plies to the no-capture
    /// limit have gone by, or when the game has ended.
    #[must_use]
    pub fn moves_in(&self, game: &Game) -> Vec<BookMove> {
        let (limit, quiet) = (self.rules.limit, game.position().quiet_plies());
        let late = limit != 0 && quiet >= limit.div_ceil(2);
        if *game.rules() != self.rules || game.outcome().is_some() || late || game.occurrences() > 1
        {
            return Vec::new();
        }
        let mut position = *game.start();
        for &mv in game.moves() {
            if !self.contains(&position) {
                return Vec::new();
            }
            position = position.play(mv);
        }
        self.moves(&position)
    }

    fn contains(&self, position: &Position) -> bool {
        let (folded, _) = Folded::of(&self.rules, position);
        self.graph.place(folded).is_some()
    }

    /// What the book expects when `first` is played at `position`: that move, and the best ones from
    /// there on as long as the book knows them and no position comes twice.
    #[must_use]
    pub fn line(&self, position: &Position, first: Move) -> Vec<Move> {
        let mut position = *position;
        let mut seen = vec![Folded::of(&self.rules, &position).0];
        let mut line = vec![first];
        position = position.play(first);
        while let Some(best) = self.moves(&position).first() {
            let (folded, _) = Folded::of(&self.rules, &position);
            if seen.contains(&folded) {
                break;
            }
            seen.push(folded);
            line.push(best.mv);
            position = position.play(best.mv);
        }
        line
    }

    /// All positions as games from the start reach them, by their distance from it; at each distance in
    /// the order of the moves before.
    #[must_use]
    pub fn walk(&self) -> Vec<BookPosition> {
        let mut seen = vec![false; self.graph.nodes().len()];
        let mut queue = VecDeque::from([(self.rules.start(), Vec::new())]);
        let mut found = Vec::with_capacity(seen.len());
        while let Some((position, line)) = queue.pop_front() {
            let (folded, _) = Folded::of(&self.rules, &position);
            let Some(place) = self.graph.place(folded) else {
                continue;
            };
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            let moves = self.moves(&position);
            for known in &moves {
                let mut line: Vec<Move> = line.clone();
                line.push(known.mv);
                queue.push_back((position.play(known.mv), line));
            }
            found.push(BookPosition {
                position,
                line,
                moves,
            });
        }
        found
    }
}

#[cfg(test)]
mod tests;
