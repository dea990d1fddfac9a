//! Proofs as sets of positions that close, and their files.
//!
//! `docs/certificate.md` describes both for authors of other checkers.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::proof_table::Known;
use super::search::{Status, Worker};
use super::tree::{Child, Node, Tree};
use crate::board::{Bitboard, Move, Position, Side};
use crate::container::{Checksum, ContainerError, Format, save};
use crate::notation::format_fen;
use crate::rules::{MoveList, Rules, legal_moves};
use crate::tablebase::Tablebases;

pub(super) const FORMAT: Format = Format {
    name: "a certificate",
    magic: *b"VATOPROV",
    version: 1,
    checksum: Checksum::Sha256,
    max_bytes: u64::MAX,
};

/// Bytes of a record.
pub(super) const RECORD_BYTES: usize = 24;
/// Where the rank begins in the second word.
const RANK_SHIFT: u32 = 49;
const STONES: u64 = (1 << RANK_SHIFT) - 1;

/// What a certificate claims of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The attacker wins, whatever the defender does, before the no-capture limit.
    Wins,
    /// The attacker cannot force a win.
    CannotWin,
}

/// The header of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateHeader {
    /// The rules string, every key written out.
    pub rules: String,
    /// The position that it is about, as a FEN.
    pub root: String,
    /// Whom the claim is about: `White` or `Black`.
    pub attacker: String,
    /// The claim.
    pub claim: Claim,
    /// The most stones of the tables at its leaves.
    pub stones: u32,
    /// Which tables they are: the SHA-256 of their rules, then of each slice its name and its longest way to a
    /// conversion, in hexadecimal digits.
    pub tables: String,
    /// Number of records.
    pub positions: u64,
}

/// A position of a certificate: 24 bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) node: Node,
    /// Of a win: the most plies to the next capture or the end of the game.
    pub(super) rank: u32,
    /// The move that holds or wins, for the side that has the choice.
    pub(super) mv: Option<Move>,
}

impl Record {
    /// The words of a node by which records are sorted.
    pub(super) fn key(node: &Node) -> [u64; 2] {
        let [white, black] = node.stones.map(Bitboard::bits);
        let flags = (node.side as u64) << 62 | u64::from(node.first_turn) << 63;
        [white | flags, black]
    }

    pub(super) fn encode(&self) -> [u8; RECORD_BYTES] {
        let [first, black] = Record::key(&self.node);
        let words = [
            first,
            black | u64::from(self.rank) << RANK_SHIFT,
            self.mv.map_or(0, Move::bits),
        ];
        let mut bytes = [0; RECORD_BYTES];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Reads the words of a record; the move is left as bits, which may be anything.
    pub(super) fn decode(bytes: &[u8]) -> (Record, u64) {
        let (words, _) = bytes.as_chunks();
        let word = |index: usize| u64::from_le_bytes(words[index]);
        let (first, second) = (word(0), word(1));
        let record = Record {
            node: Node {
                stones: [first, second].map(|word| Bitboard::from_bits(word & STONES)),
                side: Side::BOTH[(first >> 62 & 1) as usize],
                first_turn: first >> 63 == 1,
            },
            rank: (second >> RANK_SHIFT) as u32,
            mv: None,
        };
        (record, word(2))
    }
}

/// A proof: its header, and its positions in the order of their words.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What is proved, and with which tables.
    pub header: CertificateHeader,
    pub(super) records: Vec<Record>,
}

impl Certificate {
    /// Writes a file, in place of the one before.
    ///
    /// # Errors
    ///
    /// As [`ContainerError`] says.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        let body: Vec<u8> = self.records.iter().flat_map(Record::encode).collect();
        let bytes = FORMAT.encode(&self.header, &body);
        save(path, &bytes.map_err(ContainerError::content(path))?)
    }

    /// See [`Solver::line`](super::Solver::line).
    pub(super) fn line(&self, rules: &Rules, start: &Position) -> Vec<Move> {
        let mut position = *start;
        let (mut line, mut seen) = (Vec::new(), HashSet::new());
        while let Some(record) = self.record(&Node::of(rules, &position)) {
            if !seen.insert(record.node) {
                break;
            }
            // Moves of the record are those of its own image of the position.
            let image = record.node.position();
            let wanted = record.mv.map(|mv| record.node.after(rules, &image, mv));
            let moves = legal_moves(rules, &position);
            let after = |mv: Move| Node::of(rules, &position.play(mv));
            let rank = |mv: &&Move| self.record(&after(**mv)).map(|record| record.rank);
            let chosen = match wanted {
                Some(wanted) => moves.iter().find(|&&mv| after(mv).stones == wanted.stones),
                None => moves.iter().max_by_key(rank),
            };
            let Some(&mv) = chosen else {
                break;
            };
            line.push(mv);
            position = position.play(mv);
        }
        line
    }

    /// The record of a position of the set.
    pub(super) fn record(&self, node: &Node) -> Option<&Record> {
        let key = |record: &Record| Record::key(&record.node);
        let place = self
            .records
            .binary_search_by_key(&Record::key(node), key)
            .ok()?;
        Some(&self.records[place])
    }
}

/// What tells tables of so many stones from others, see [`CertificateHeader::tables`].
pub(super) fn table_digest(tables: &Tablebases, stones: u32) -> String {
    let mut text = format!("{:#}\n", tables.rules().rules());
    let slices = tables.longest_by_slice();
    for (slice, longest) in slices.filter(|(slice, _)| slice.stones() <= stones) {
        text += &format!("{slice} {longest}\n");
    }
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Walks the proof of a settled root and returns the set of its positions; `None` if it does not close, which
/// would be a fault, or the search was stopped. `rank` is that of a win, `None` if there is none.
pub(super) fn certify(
    worker: &mut Worker,
    tree: &Tree,
    position: &Position,
    rank: Option<u32>,
) -> Option<Certificate> {
    let root = tree.node(position);
    let mut walk = Walk {
        worker,
        tree,
        moves: MoveList::new(),
        set: HashMap::new(),
    };
    let claim = match rank {
        None => {
            walk.close(root)?;
            Claim::CannotWin
        }
        Some(rank) => {
            walk.collect_win(root, rank)?;
            walk.keep_reached(root);
            walk.rank()?;
            Claim::Wins
        }
    };
    let record = |(node, entry): (Node, Entry)| Record {
        node,
        rank: entry.rank.unwrap_or_default(),
        mv: entry.mv,
    };
    let mut records: Vec<Record> = walk.set.into_iter().map(record).collect();
    records.sort_unstable_by_key(|record| Record::key(&record.node));
    Some(Certificate {
        header: CertificateHeader {
            rules: format!("{:#}", tree.rules),
            root: format_fen(position, tree.rules.board),
            attacker: tree.attacker.to_string(),
            claim,
            stones: tree.tables.stones(),
            tables: table_digest(&tree.tables, tree.tables.stones()),
            positions: records.len() as u64,
        },
        records,
    })
}

/// A position of the set under way.
#[derive(Default)]
struct Entry {
    mv: Option<Move>,
    rank: Option<u32>,
    /// Of a win: what the rank is at most, the positions after its moves that capture nothing, and those of the
    /// set after captures. If there are captures, the rank is 1 at least.
    bound: u32,
    quiet: Vec<Node>,
    taken: Vec<Node>,
    captures: bool,
}

struct Walk<'a, 'b> {
    worker: &'a mut Worker<'b>,
    tree: &'a Tree,
    moves: MoveList,
    set: HashMap<Node, Entry>,
}

impl Walk<'_, '_> {
    /// Collects positions in which the attacker cannot win: with the attacker to move all positions after it,
    /// with the defender to move one.
    fn close(&mut self, root: Node) -> Option<()> {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if self.set.contains_key(&node) {
                continue;
            }
            let mut children = Vec::new();
            if let Some(won) = self.tree.expand(&node, &mut self.moves, &mut children) {
                if won {
                    return None;
                }
                self.set.insert(node, Entry::default());
                continue;
            }
            let mut entry = Entry::default();
            if node.side == self.tree.attacker {
                for child in children {
                    match child.end {
                        Some(true) => return None,
                        Some(false) => {}
                        None => open.push(child.node),
                    }
                }
            } else {
                let child = self.holding(&node, &children)?;
                entry.mv = Some(child.mv);
                if child.end.is_none() {
                    open.push(child.node);
                }
            }
            self.set.insert(node, entry);
        }
        Some(())
    }

    /// The child of a held `node` by which the defender holds: a leaf, one that is in the set, or the one with
    /// the smallest subtree. Where the table has lost it, the node is searched again.
    fn holding(&mut self, node: &Node, children: &[Child]) -> Option<Child> {
        let leaf = children.iter().find(|child| child.end == Some(false));
        let inner = || children.iter().filter(|child| child.end.is_none());
        let known = leaf.or_else(|| inner().find(|child| self.set.contains_key(&child.node)));
        if let Some(child) = known {
            return Some(*child);
        }
        let held = inner().filter_map(|child| {
            let entry = self.worker.known(&child.node, u32::MAX)?;
            (entry.known == Known::Held).then_some((entry.size, child))
        });
        if let Some((_, child)) = held.min_by_key(|(size, _)| *size) {
            return Some(*child);
        }
        match self.worker.settle(*node, u32::MAX) {
            Status::Held(_) => self.worker.chosen,
            _ => None,
        }
    }

    /// Collects the positions of a win: with the attacker to move one after it, with the defender to move all.
    ///
    /// The table may have lost what the search knew, and what is searched again may rest on positions further up,
    /// round in a circle. So each position is asked for with a bound, smaller with every quiet move.
    fn collect_win(&mut self, root: Node, rank: u32) -> Option<()> {
        let mut open = vec![(root, rank)];
        while let Some((node, bound)) = open.pop() {
            if (self.set.get(&node)).is_some_and(|entry| entry.bound <= bound) {
                continue;
            }
            let bound = self.rank_within(&node, bound)?;
            let mut children = Vec::new();
            let mut entry = Entry {
                bound,
                ..Entry::default()
            };
            match self.tree.expand(&node, &mut self.moves, &mut children) {
                Some(false) => return None,
                None if node.side == self.tree.attacker => {
                    let child = self.winning(&node, bound, &children)?;
                    entry.mv = Some(child.mv);
                    children = vec![child];
                }
                Some(true) | None => {}
            }
            for child in children {
                let bound = self.tree.bound_after(child.mv, bound)?;
                entry.captures |= child.mv.is_capture();
                match child.end {
                    Some(false) => return None,
                    Some(true) => continue,
                    None => open.push((child.node, bound)),
                }
                match child.mv.is_capture() {
                    true => entry.taken.push(child.node),
                    false => entry.quiet.push(child.node),
                }
            }
            self.set.insert(node, entry);
        }
        Some(())
    }

    /// The rank of a won node, which is at most `bound`. Where the table has lost it, it is searched again.
    fn rank_within(&mut self, node: &Node, bound: u32) -> Option<u32> {
        if let Some(Known::Won { rank }) = self.worker.known(node, bound).map(|entry| entry.known) {
            return Some(rank);
        }
        match self.worker.settle(*node, bound) {
            Status::Won { rank } => Some(rank),
            _ => None,
        }
    }

    /// The child of a won `node` by which the attacker wins soonest, as far as the table knows, and within `bound`
    /// plies. Where it has lost all, the node is searched again.
    fn winning(&mut self, node: &Node, bound: u32, children: &[Child]) -> Option<Child> {
        let won = children.iter().filter_map(|child| {
            let below = self.tree.bound_after(child.mv, bound)?;
            let rank = match child.end {
                Some(won) => won.then_some(0)?,
                None => match self.worker.known(&child.node, below)?.known {
                    Known::Won { rank } => rank,
                    _ => return None,
                },
            };
            let plies = if child.mv.is_capture() { 1 } else { rank + 1 };
            Some((plies, child))
        });
        if let Some((_, child)) = won.min_by_key(|(plies, _)| *plies) {
            return Some(*child);
        }
        match self.worker.settle(*node, bound) {
            Status::Won { .. } => self.worker.chosen,
            _ => None,
        }
    }

    /// Leaves out what the root does not lead to any more, where a smaller bound has changed moves.
    fn keep_reached(&mut self, root: Node) {
        let (mut open, mut reached) = (vec![root], HashSet::new());
        while let Some(node) = open.pop() {
            if reached.insert(node)
                && let Some(entry) = self.set.get(&node)
            {
                open.extend(entry.quiet.iter().chain(&entry.taken));
            }
        }
        self.set.retain(|node, _| reached.contains(node));
    }

    /// Gives each position of a win its rank; `None` if quiet moves go round in a circle.
    fn rank(&mut self) -> Option<()> {
        let mut open: Vec<Node> = self.set.keys().copied().collect();
        while !open.is_empty() {
            let mut ranked = Vec::new();
            open.retain(|node| {
                let entry = &self.set[node];
                if entry.rank.is_some() {
                    return false;
                }
                let least = u32::from(entry.captures);
                let rank = entry.quiet.iter().try_fold(least, |rank, child| {
                    Some(rank.max(self.set.get(child)?.rank? + 1))
                });
                match rank {
                    Some(rank) => {
                        ranked.push((*node, rank));
                        false
                    }
                    None => true,
                }
            });
            if ranked.is_empty() && !open.is_empty() {
                return None;
            }
            for (node, rank) in ranked {
                if let Some(entry) = self.set.get_mut(&node) {
                    entry.rank = Some(rank);
                }
            }
        }
        let fits = |entry: &Entry| entry.rank.is_some_and(|rank| rank < 1 << (64 - RANK_SHIFT));
        self.set.values().all(fits).then_some(())
    }
}
