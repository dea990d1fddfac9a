//! The AND/OR tree of the question whether the attacker can force a win.

use std::sync::Arc;

use vato_engine::board::{Move, Position, Side};
use vato_engine::proofs::{Claim, Node};
use vato_engine::random::split_mix;
use vato_engine::rules::{Blocked, MoveList, Rules, moves_into};
use vato_engine::tablebase::Tablebases;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) node: Node,
    /// The move from the position of the parent.
    pub(crate) mv: Move,
    /// The result, if the child is terminal: decided by the rules or the tables.
    pub(crate) terminal: Option<Claim>,
}

/// What the tree depends on: rules, tables, attacker, and where they matter, the no-capture limit and the game before
/// the root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) rules: Rules,
    pub(crate) tables: Arc<Tablebases>,
    /// The most stones of a position that the tables decide.
    pub(crate) leaf_stones: u32,
    pub(crate) attacker: Side,
    /// The most plies from a capture to the next conversion; `u32::MAX` for no limit.
    pub(crate) limit: u32,
    /// The keys of positions of the game before whose next occurrence is a draw.
    pub(crate) drawing_keys: Vec<u64>,
    /// The stones of these positions.
    pub(crate) drawing_stones: u32,
}

impl Tree {
    /// A tree without a game before the root and without a no-capture limit.
    pub(crate) fn new(rules: &Rules, tables: &Arc<Tablebases>, attacker: Side) -> Tree {
        Tree {
            rules: *rules,
            tables: Arc::clone(tables),
            leaf_stones: tables.stones(),
            attacker,
            limit: u32::MAX,
            drawing_keys: Vec::new(),
            drawing_stones: 0,
        }
    }

    /// Whether positions of the game before can recur at this node or below.
    pub(crate) fn depends_on_game(&self, node: &Node) -> bool {
        !self.drawing_keys.is_empty()
            && (node.stones[0] | node.stones[1]).count_ones() == self.drawing_stones
    }

    /// The node of a position. Where it depends on the game before, it is not brought into canonical form.
    pub(crate) fn node(&self, position: &Position) -> Node {
        let mut node = self.rules.canonical(position).0;
        if self.depends_on_game(&node) {
            node.stones = Side::BOTH.map(|side| position.stones(side).bits());
        }
        node
    }

    /// The key in the proof table of a node from which the attacker has to reach the next conversion within `bound`
    /// plies (`u32::MAX` for no bound).
    pub(crate) fn key(&self, node: &Node, bound: u32) -> u64 {
        let mut key = self.key_without_bound(node);
        if bound != u32::MAX {
            key ^= split_mix(u64::from(bound) << 32 | u64::from(self.limit));
        }
        let drawing = (self.drawing_keys.iter()).filter(|_| self.depends_on_game(node));
        drawing.fold(key, |key, drawing| split_mix(key ^ drawing))
    }

    /// A hash of the node and the attacker.
    pub(crate) fn key_without_bound(&self, node: &Node) -> u64 {
        let [white, black] = node.stones;
        let flags = (node.side as u64) << 63 | u64::from(node.first_turn) << 62;
        split_mix(split_mix(white | flags) ^ (black | (self.attacker as u64) << 63))
    }

    /// The bound of the child after `mv` from a node with this bound; `None` if the bound is exceeded.
    pub(crate) fn bound_after(&self, mv: Move, bound: u32) -> Option<u32> {
        match (mv.is_capture(), bound) {
            (_, 0) => None,
            (true, _) => Some(self.limit),
            (false, u32::MAX) => Some(u32::MAX),
            (false, bound) => Some(bound - 1),
        }
    }

    /// Appends the children of `node`, equal ones once. Returns the result if there are no moves.
    pub(crate) fn expand(
        &self,
        node: &Node,
        moves: &mut MoveList,
        children: &mut Vec<Child>,
    ) -> Option<Claim> {
        let position = node.position();
        moves_into(&self.rules, &position, moves);
        if moves.is_empty() {
            let is_lost = self.rules.blocked == Blocked::Loss;
            return Some(Claim::of(is_lost && node.side != self.attacker));
        }
        let first = children.len();
        let depends_on_game = self.depends_on_game(node);
        for &mv in moves.iter() {
            let after = position.play(mv);
            let child = self.node(&after);
            if children[first..].iter().all(|other| other.node != child) {
                let draws = || self.drawing_keys.contains(&self.rules.key(&after));
                let terminal = match mv.is_capture() {
                    true => self.terminal(&child),
                    false if depends_on_game && draws() => Some(Claim::CannotWin),
                    // What the tables say is a win may be a draw by repetition.
                    false if depends_on_game => {
                        (self.terminal(&child)).filter(|&claim| claim == Claim::CannotWin)
                    }
                    false => None,
                };
                children.push(Child {
                    node: child,
                    mv,
                    terminal,
                });
            }
        }
        None
    }

    /// The result of a node that is decided by a side without stones, or by the tables.
    pub(crate) fn terminal(&self, node: &Node) -> Option<Claim> {
        Claim::by_tables(
            &self.rules,
            &self.tables,
            self.leaf_stones,
            node,
            self.attacker,
        )
    }
}
