//! Making a strategy of what certificates prove.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{self, Code};
use super::retrieval::Retrieval;
use super::{
    FORMAT, MOST_CODES, Root, Strategy, StrategyHeader, bit_key, code_of, key, numbered_moves,
};
use crate::board::{Move, Position, Side};
use crate::notation::{format_fen, parse_fen};
use crate::rules::{MoveList, Rules, legal_moves};
use crate::solver::certificate::Claim;
use crate::solver::file::CertificateFile;
use crate::solver::tree::{Child, Node, Tree};
use crate::tablebase::{Tablebases, Wdl};

/// The certificates may begin so many plies after the start of the rules.
const ROOT_PLIES: u32 = 2;

/// A reply: its number, and how many moves there are.
type Reply = (u16, usize);

impl Strategy {
    /// The bytes of the file of a strategy that holds wherever one of the certificates says that the attacker cannot win,
    /// and from the start of the rules if that follows. Where the certificates end in `tables`, it goes on to positions of at
    /// most `leaf_stones`.
    ///
    /// # Errors
    ///
    /// If a certificate claims a win, is for other rules or other tables, or does not form a closed set.
    pub fn make(
        certificates: &[CertificateFile],
        tables: &Arc<Tablebases>,
        leaf_stones: u32,
    ) -> Result<Vec<u8>, String> {
        let first = certificates.first().ok_or("no certificate")?;
        let rules = first.rules;
        for file in certificates {
            if file.header.claim != Claim::CannotWin || file.rules != rules {
                return Err(
                    "expected certificates of the same rules that say who cannot win".to_owned(),
                );
            }
            file.require_tables(tables)?;
        }
        let (mut replies, mut roots) = (FxHashMap::default(), Vec::new());
        for holder in Side::BOTH {
            let proofs = certificates.iter().filter(|file| file.attacker != holder);
            let mut maker = Maker {
                tree: Tree {
                    leaf_stones,
                    ..Tree::new(&rules, tables, !holder)
                },
                proofs: proofs.collect(),
                replies: FxHashMap::default(),
                others: FxHashSet::default(),
            };
            for position in maker.roots()? {
                let fen = format_fen(&position, rules.board);
                roots.push(Root {
                    fen,
                    holds: holder.to_string(),
                });
                maker.collect(rules.canonical(&position).0)?;
            }
            replies.extend(maker.replies);
        }
        let tables = tables.digest(leaf_stones);
        encode(&rules, (leaf_stones, tables), roots, &replies)
    }
}

fn encode(
    rules: &Rules,
    (stones, tables): (u32, String),
    roots: Vec<Root>,
    replies: &FxHashMap<Node, Reply>,
) -> Result<Vec<u8>, String> {
    let written = || replies.iter().filter(|(_, (_, count))| *count > 1);
    let mut frequencies = vec![Vec::<u64>::new(); MOST_CODES];
    for (_, &(number, count)) in written() {
        let (of, number) = (&mut frequencies[code_of(count)], usize::from(number));
        of.resize(of.len().max(number + 1), 0);
        of[number] += 1;
    }
    let codes: Vec<Code> = frequencies.iter().map(|of| code::best(of)).collect();
    let mut bits = Vec::new();
    for (node, &(number, count)) in written() {
        let (key, word) = (key(node), code::word(&codes[code_of(count)], number));
        let (word, length) = word.ok_or("a reply without a code word")?;
        let bit = |place| word >> (length - 1 - place) & 1 == 1;
        bits.extend((0..length).map(|place| (bit_key(key, place), bit(place))));
    }
    let header = StrategyHeader {
        rules: format!("{rules:#}"),
        roots,
        stones,
        tables,
        positions: replies.len() as u64,
        codes,
    };
    FORMAT.encode(
        &header,
        &Retrieval::encode(bits).ok_or("two positions have the same key")?,
    )
}

/// Collects the positions that one side leads to.
struct Maker<'a> {
    tree: Tree,
    proofs: Vec<&'a CertificateFile>,
    replies: FxHashMap<Node, Reply>,
    /// Positions with the attacker to move.
    others: FxHashSet<Node>,
}

impl Maker<'_> {
    /// The start of the rules, if what is proven reaches up to it, else the roots of the certificates.
    fn roots(&self) -> Result<Vec<Position>, String> {
        if self.proofs.is_empty() {
            return Ok(Vec::new());
        }
        let (rules, start) = (&self.tree.rules, self.tree.rules.start());
        if self.reaches(&rules.canonical(&start).0, ROOT_PLIES) {
            return Ok(vec![start]);
        }
        let root = |file: &&CertificateFile| parse_fen(&file.header.root, rules.board);
        let roots = self.proofs.iter().map(root).collect::<Result<_, _>>();
        roots.map_err(|error| error.to_string())
    }

    /// Whether what is proven lies at most this many plies below, whatever the attacker plays.
    fn reaches(&self, node: &Node, plies: u32) -> bool {
        let rules = &self.tree.rules;
        let after = |mv| rules.canonical(&node.position().play(mv)).0;
        let mut children = numbered_moves(rules, node).into_iter().map(after);
        self.is_in_proof(node)
            || plies > 0
                && match node.side == self.tree.attacker {
                    true => children.all(|child| self.reaches(&child, plies - 1)),
                    false => children.any(|child| self.reaches(&child, plies - 1)),
                }
    }

    /// Whether a certificate or the tables say that the attacker does not win.
    fn holds(&self, node: &Node) -> bool {
        self.is_in_proof(node) || {
            let position = node.position();
            self.tree.tables.covers(&self.tree.rules, &position)
                && (self.tree.tables.outcome(&position)).is_some_and(|outcome| {
                    Claim::of_outcome(outcome, node.side, self.tree.attacker) == Claim::CannotWin
                })
        }
    }

    fn is_in_proof(&self, node: &Node) -> bool {
        self.proofs.iter().any(|file| file.find(node).is_some())
    }

    fn collect(&mut self, root: Node) -> Result<(), String> {
        let not_closed = |node: &Node| {
            let fen = format_fen(&node.position(), self.tree.rules.board);
            format!("the certificates do not say how to hold {fen}")
        };
        let (mut moves, mut children, mut open) = (MoveList::new(), Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            children.clear();
            let end = self.tree.expand(&node, &mut moves, &mut children);
            if end == Some(Claim::Wins) {
                return Err(not_closed(&node));
            }
            if node.side == self.tree.attacker {
                for child in &children {
                    match child.terminal {
                        Some(Claim::Wins) => return Err(not_closed(&node)),
                        Some(Claim::CannotWin) => {}
                        None => open.push(child.node),
                    }
                }
            } else if end.is_none() && !self.replies.contains_key(&node) {
                let chosen = self.choose(&node, &mut moves);
                let (reply, child) = chosen.ok_or_else(|| not_closed(&node))?;
                self.replies.insert(node, reply);
                open.extend(child.filter(|&child| self.others.insert(child)));
            }
        }
        Ok(())
    }

    /// The reply that adds the fewest positions: one that ends in the tables, won, or drawn with the fewest moves that
    /// hold for the opponent; one that leads to what is there already; or else by what is proven, before what larger
    /// tables say. The second is the position to go on from.
    fn choose(&self, node: &Node, moves: &mut MoveList) -> Option<(Reply, Option<Node>)> {
        let (rules, position) = (&self.tree.rules, node.position());
        let list = numbered_moves(rules, node);
        let reply = |number: usize| (number as u16, list.len());
        let (mut drawn, mut inner) = (Vec::new(), Vec::new());
        for (number, &mv) in list.iter().enumerate() {
            let child = rules.canonical(&position.play(mv)).0;
            let terminal = mv.is_capture().then(|| self.tree.terminal(&child));
            match terminal.flatten() {
                Some(Claim::Wins) => {}
                Some(Claim::CannotWin)
                    if self.tree.tables.outcome(&child.position()) == Some(Wdl::Loss) =>
                {
                    return Some((reply(number), None));
                }
                Some(Claim::CannotWin) => drawn.push((number, child)),
                None => inner.push((number, child)),
            }
        }
        if let Some((number, _)) = drawn
            .iter()
            .min_by_key(|(_, child)| self.holding_moves(child))
        {
            return Some((reply(*number), None));
        }
        let known = inner.iter().find(|(_, child)| self.others.contains(child));
        let (number, child) = known.copied().or_else(|| {
            inner.retain(|(_, child)| self.holds(child));
            inner
                .into_iter()
                .min_by_key(|(_, child)| (!self.is_in_proof(child), self.added(child, moves)))
        })?;
        Some((reply(number), Some(child)))
    }

    /// How many moves of a position in the tables do not lose: the fewer, the more often the opponent errs.
    fn holding_moves(&self, node: &Node) -> usize {
        let (rules, position) = (&self.tree.rules, node.position());
        let holds = |mv: &&Move| {
            let after = position.play(**mv);
            after.own().is_empty() || self.tree.tables.outcome(&after) != Some(Wdl::Win)
        };
        legal_moves(rules, &position).iter().filter(holds).count()
    }

    /// How many positions a position of the attacker adds at once.
    fn added(&self, node: &Node, moves: &mut MoveList) -> usize {
        let mut children = Vec::new();
        self.tree.expand(node, moves, &mut children);
        let is_new =
            |child: &&Child| child.terminal.is_none() && !self.replies.contains_key(&child.node);
        children.iter().filter(is_new).count()
    }
}
