//! The positions of a book with the moves between them.

use rustc_hash::FxHashMap;

use super::folded::Folded;
use super::searching::SearchedMove;
use crate::board::Move;
use crate::rules::Rules;
use crate::search::Score;

/// Positions by number, in the order in which they came, and where each is.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    rules: Rules,
    nodes: Vec<Node>,
    places: FxHashMap<Folded, usize>,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) folded: Folded,
    /// Its best moves, best first; at least one.
    pub(super) links: Vec<Link>,
}

/// A move, as it is at the folded position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) mv: Move,
    /// What the search of the position gave it.
    pub(super) searched: Score,
    /// Where it leads, in the book or not.
    pub(super) to: Folded,
}

impl Graph {
    /// Without a position.
    pub(super) fn new(rules: Rules) -> Graph {
        Graph {
            rules,
            nodes: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The start position of the rules.
    pub(super) fn start(&self) -> Folded {
        Folded::of(&self.rules, &self.rules.start()).0
    }

    /// Adds a position that is not there yet.
    pub(super) fn add(&mut self, folded: Folded, moves: &[SearchedMove]) {
        let position = folded.position();
        let link = |record: &SearchedMove| Link {
            mv: record.mv,
            searched: record.score,
            to: Folded::of(&self.rules, &position.play(record.mv)).0,
        };
        let links = moves.iter().map(link).collect();
        self.places.insert(folded, self.nodes.len());
        self.nodes.push(Node { folded, links });
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of a position that is there.
    pub(super) fn place(&self, folded: Folded) -> Option<usize> {
        self.places.get(&folded).copied()
    }
}
