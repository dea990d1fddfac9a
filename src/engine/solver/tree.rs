//! The game tree of a question: can the attacker force a win?

use std::sync::Arc;

use super::SolveError;
use crate::board::{Bitboard, BoardSize, Canonical, Move, Position, Side};
use crate::random::split_mix;
use crate::rules::{Blocked, MoveList, OpeningRule, Rules, generate_into, with_variant};
use crate::tablebase::{TableRules, Tablebases, Wdl};

/// Checks that proofs hold under these rules: repetition draws, and does so only after a move.
pub(super) fn require_rules(rules: &Rules) -> Result<(), SolveError> {
    TableRules::of(rules)?;
    match rules.repeat {
        1 => Err(SolveError::Repeat),
        _ => Ok(()),
    }
}

/// A position without its counters, the same for all mirror images and turns of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// White's and Black's stones.
    pub(super) stones: [Bitboard; 2],
    pub(super) side: Side,
    /// Whether this is a first turn with rules of its own.
    pub(super) first_turn: bool,
}

impl Node {
    /// The node of a position of a game.
    pub(super) fn of(rules: &Rules, position: &Position) -> Node {
        Node::fold(rules.board, position, rules.is_special_first_turn(position))
    }

    fn fold(board: BoardSize, position: &Position, first_turn: bool) -> Node {
        let canonical = Canonical::of(board, position);
        Node {
            stones: canonical.stones(),
            side: canonical.side(),
            first_turn,
        }
    }

    /// A position of this node, with the no-capture counter at 0.
    pub(super) fn position(&self) -> Position {
        Position::new(self.stones, self.side, 0, 1 + u32::from(!self.first_turn))
    }

    /// The node after a move of `position`, which is [`Node::position`].
    pub(super) fn after(&self, rules: &Rules, position: &Position, mv: Move) -> Node {
        let next = position.play(mv);
        // After White's special first turn comes Black's, if that is special too.
        let first_turn =
            self.first_turn && self.side == Side::White && rules.opening == OpeningRule::Both;
        Node::fold(rules.board, &next, first_turn)
    }

    /// A number that tells nodes apart, but for a chance of 2^-64 a pair.
    pub(super) fn key(&self, attacker: Side) -> u64 {
        let [white, black] = self.stones;
        let [white, black] = [white.bits(), black.bits()];
        let flags = (self.side as u64) << 63 | u64::from(self.first_turn) << 62;
        split_mix(split_mix(white | flags) ^ (black | (attacker as u64) << 63))
    }
}

/// A node after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) node: Node,
    /// The move that leads there from the position of the parent.
    pub(super) mv: Move,
    /// Whether the attacker has won there, by the rules or the tables; `None` if the game goes on.
    pub(super) end: Option<bool>,
}

/// What decides a question: rules, tables at the leaves, and who attacks; and what of the game before may spoil a
/// win.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) rules: Rules,
    pub(super) tables: Arc<Tablebases>,
    pub(super) attacker: Side,
    /// The most plies from one capture to the next; `u32::MAX` as long as that is not looked at.
    pub(super) quiet: u32,
    /// The keys of positions that end the game if they come again, as one with so many stones may.
    pub(super) ended: Vec<u64>,
    pub(super) stones: u32,
}

impl Tree {
    /// A question about positions without a game before them, in which wins may take as long as they like.
    pub(super) fn new(rules: &Rules, tables: &Arc<Tablebases>, attacker: Side) -> Tree {
        Tree {
            rules: *rules,
            tables: Arc::clone(tables),
            attacker,
            quiet: u32::MAX,
            ended: Vec::new(),
            stones: 0,
        }
    }

    /// Whether the game before may spoil a win from this node.
    pub(super) fn remembers(&self, node: &Node) -> bool {
        !self.ended.is_empty() && (node.stones[0] | node.stones[1]).count() == self.stones
    }

    /// The node of a position. Where the game before counts, mirror images are not the same.
    pub(super) fn node(&self, position: &Position) -> Node {
        let mut node = Node::of(&self.rules, position);
        if self.remembers(&node) {
            node.stones = Side::BOTH.map(|side| position.stones(side));
            node.side = position.side();
        }
        node
    }

    /// The number of a node from which the attacker has to reach the next conversion within `bound` plies
    /// (`u32::MAX` if at any time).
    pub(super) fn key(&self, node: &Node, bound: u32) -> u64 {
        let mut key = node.key(self.attacker);
        if bound != u32::MAX {
            key ^= split_mix(u64::from(bound) << 32 | u64::from(self.quiet));
        }
        let ended = self.ended.iter().filter(|_| self.remembers(node));
        ended.fold(key, |key, ended| split_mix(key ^ ended))
    }

    /// How soon the next conversion has to come after a move from a node with this bound; `None` if it is too late.
    pub(super) fn bound_after(&self, mv: Move, bound: u32) -> Option<u32> {
        match (mv.is_capture(), bound) {
            (_, 0) => None,
            (true, _) => Some(self.quiet),
            (false, u32::MAX) => Some(u32::MAX),
            (false, bound) => Some(bound - 1),
        }
    }

    /// Appends the nodes after all moves of `node`, symmetric ones once. Returns whether the attacker has
    /// won if there are no moves.
    pub(super) fn expand(
        &self,
        node: &Node,
        moves: &mut MoveList,
        children: &mut Vec<Child>,
    ) -> Option<bool> {
        let position = node.position();
        with_variant!(&self.rules, |variant| generate_into(
            &variant, &position, moves
        ));
        if moves.is_empty() {
            let is_lost = self.rules.blocked == Blocked::Loss;
            return Some(is_lost && node.side != self.attacker);
        }
        let first = children.len();
        let remembers = self.remembers(node);
        for &mv in &*moves {
            let mut child = node.after(&self.rules, &position, mv);
            if remembers && !mv.is_capture() {
                child = self.node(&position.play(mv));
            }
            if children[first..].iter().all(|known| known.node != child) {
                let is_spoilt = || {
                    let comes_again = || self.ended.contains(&self.rules.key(&position.play(mv)));
                    remembers && (comes_again() || self.end(&child) == Some(false))
                };
                let end = match mv.is_capture() {
                    true => self.end(&child),
                    false => is_spoilt().then_some(false),
                };
                children.push(Child {
                    node: child,
                    mv,
                    end,
                });
            }
        }
        None
    }

    /// Whether the attacker has won at a node, if its stones or tables decide that.
    pub(super) fn end(&self, node: &Node) -> Option<bool> {
        let position = node.position();
        if position.own().is_empty() {
            return Some(node.side != self.attacker);
        }
        if !self.tables.covers(&self.rules, &position) {
            return None;
        }
        let winner = match self.tables.outcome(&position)? {
            Wdl::Win => Some(node.side),
            Wdl::Draw => None,
            Wdl::Loss => Some(!node.side),
        };
        Some(winner == Some(self.attacker))
    }
}
