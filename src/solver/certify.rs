//! Making certificates: the positions of a proof, collected from the table of a search.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use vato_engine::board::{Move, Position};
use vato_engine::container::ContainerError;
use vato_engine::notation::format_fen;
use vato_engine::proofs::{CERTIFICATE, CertificateHeader, Claim, Node, Record};
use vato_engine::rules::{MoveList, legal_moves};

use crate::Solver;
use crate::files::save;
use crate::proof_table::Status;
use crate::search::Prover;
use crate::tree::{Child, Tree};

/// A proof in memory.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The claim, and the tables that it depends on.
    pub header: CertificateHeader,
    /// Sorted by [`Record::key`].
    pub(crate) records: Vec<Record>,
}

impl Certificate {
    /// Writes a file, replacing a certificate at this path.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        let body: Vec<u8> = self.records.iter().flat_map(Record::encode).collect();
        let bytes = CERTIFICATE.encode(&self.header, &body);
        save(path, &bytes.map_err(ContainerError::content(path))?)
    }

    /// The record of a position, if the certificate has it.
    pub(crate) fn record(&self, node: &Node) -> Option<&Record> {
        let key = |record: &Record| Record::key(&record.node);
        let place = (self.records).binary_search_by_key(&Record::key(node), key);
        Some(&self.records[place.ok()?])
    }
}

impl Solver {
    /// A line of play by a certificate, or of a draw by those of both sides: a side plays the moves of the records, or if there
    /// are none of it those that take longest. Ends at the tables, and at the first repetition.
    pub fn line(&self, certificates: &[&Certificate], start: &Position) -> Vec<Move> {
        let (rules, mut position) = (&self.rules, *start);
        let (mut line, mut seen) = (Vec::new(), HashSet::new());
        let records = |position: &Position| {
            let node = rules.canonical(position).0;
            certificates
                .iter()
                .filter_map(move |certificate| certificate.record(&node))
        };
        // Of two certificates one has the move of the side to move; what comes first otherwise does not matter.
        while let Some(record) = records(&position).max_by_key(|record| record.mv.is_some()) {
            if !seen.insert(record.node) {
                break;
            }
            // The move of a record belongs to the canonical image of the position.
            let image = record.node.position();
            let wanted = record.mv.map(|mv| rules.canonical(&image.play(mv)).0);
            let moves = legal_moves(rules, &position);
            let after = |mv: Move| rules.canonical(&position.play(mv)).0;
            let rank = |mv: &&Move| {
                records(&position.play(**mv))
                    .map(|record| record.rank)
                    .max()
            };
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
}

/// Collects the positions of the proof of a settled root. `rank` is the root's if it is proven, `None` if it is
/// disproven. Returns `None` if the search was stopped, or the set is not closed, which should not happen.
pub(crate) fn certify(
    worker: &mut Prover,
    tree: &Tree,
    position: &Position,
    rank: Option<u32>,
) -> Option<Certificate> {
    let root = tree.node(position);
    let claim = Claim::of(rank.is_some());
    let mut walk = Walk {
        worker,
        tree,
        claim,
        moves: MoveList::new(),
        set: HashMap::new(),
    };
    walk.collect(root, rank.unwrap_or(u32::MAX))?;
    if claim == Claim::Wins {
        walk.assign_ranks(root)?;
    }
    let record = |(node, entry): (Node, Collected)| Record {
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
            tables: tree.tables.digest(tree.tables.stones()),
            positions: records.len() as u64,
        },
        records,
    })
}

/// A collected position. All fields but the move are for proofs of wins.
#[derive(Default)]
struct Collected {
    mv: Option<Move>,
    rank: Option<u32>,
    /// The rank is at most this.
    bound: u32,
    /// Children in the set after quiet moves.
    quiet: Vec<Node>,
    /// Children in the set after captures.
    captured: Vec<Node>,
    /// Whether there are captures, also to terminal children: then the rank is at least 1.
    captures: bool,
}

struct Walk<'a, 'b> {
    worker: &'a mut Prover<'b>,
    tree: &'a Tree,
    claim: Claim,
    moves: MoveList,
    set: HashMap<Node, Collected>,
}

impl Walk<'_, '_> {
    /// Collects the positions of a proof or disproof: one child of each node of the side that upholds the claim, all
    /// children of the other nodes.
    ///
    /// Nodes whose entries were replaced are searched again, and such a proof may use positions further up: a circle.
    /// To exclude that, each node has to be won within a bound, which decreases with every quiet move. A disproof has
    /// no bound (`u32::MAX`).
    fn collect(&mut self, root: Node, bound: u32) -> Option<()> {
        let wins = self.claim == Claim::Wins;
        let mut open = vec![(root, bound)];
        while let Some((node, bound)) = open.pop() {
            if (self.set.get(&node)).is_some_and(|collected| collected.bound <= bound) {
                continue;
            }
            let bound = match wins {
                true => self.rank_within(&node, bound)?,
                false => bound,
            };
            let mut children = Vec::new();
            let mut collected = Collected {
                bound,
                ..Collected::default()
            };
            match self.tree.expand(&node, &mut self.moves, &mut children) {
                Some(claim) if claim != self.claim => return None,
                None if (node.side == self.tree.attacker) == wins => {
                    let child = self.child(&node, bound, &children)?;
                    collected.mv = Some(child.mv);
                    children = vec![child];
                }
                _ => {}
            }
            for child in children {
                let bound = self.tree.bound_after(child.mv, bound)?;
                collected.captures |= child.mv.is_capture();
                match child.terminal {
                    Some(claim) if claim != self.claim => return None,
                    Some(_) => continue,
                    None => open.push((child.node, bound)),
                }
                match child.mv.is_capture() {
                    _ if !wins => {}
                    true => collected.captured.push(child.node),
                    false => collected.quiet.push(child.node),
                }
            }
            self.set.insert(node, collected);
        }
        Some(())
    }

    /// The rank of a proven node, at most `bound`. If its entry was replaced in the table, the node is searched again.
    fn rank_within(&mut self, node: &Node, bound: u32) -> Option<u32> {
        let entry = self.worker.entry(node, bound);
        if let Some(Status::Proven { rank }) = entry.map(|entry| entry.status) {
            return Some(rank);
        }
        match self.worker.settle(*node, bound) {
            Status::Proven { rank } => Some(rank),
            _ => None,
        }
    }

    /// The child that upholds the claim. If the entries of all of them were replaced, the node is searched again.
    fn child(&mut self, node: &Node, bound: u32, children: &[Child]) -> Option<Child> {
        let wins = self.claim == Claim::Wins;
        let found = match wins {
            true => self.proven_child(bound, children),
            false => self.disproven_child(children),
        };
        found.copied().or_else(|| {
            let is_settled = match self.worker.settle(*node, bound) {
                Status::Proven { .. } => wins,
                Status::Disproven(_) => !wins,
                Status::Open { .. } => false,
            };
            is_settled.then_some(self.worker.chosen)?
        })
    }

    /// The child with the fewest plies to a conversion, at most `bound`, by the table.
    fn proven_child<'c>(&self, bound: u32, children: &'c [Child]) -> Option<&'c Child> {
        let proven = children.iter().filter_map(|child| {
            let below = self.tree.bound_after(child.mv, bound)?;
            let rank = match child.terminal {
                Some(Claim::Wins) => 0,
                Some(Claim::CannotWin) => return None,
                None => match self.worker.entry(&child.node, below)?.status {
                    Status::Proven { rank } => rank,
                    _ => return None,
                },
            };
            let plies = if child.mv.is_capture() { 1 } else { rank + 1 };
            Some((plies, child))
        });
        Some(proven.min_by_key(|(plies, _)| *plies)?.1)
    }

    /// A terminal child, one in the set, or the one with the smallest subtree by the table.
    fn disproven_child<'c>(&self, children: &'c [Child]) -> Option<&'c Child> {
        let inner = || children.iter().filter(|child| child.terminal.is_none());
        let terminal = (children.iter()).find(|child| child.terminal == Some(Claim::CannotWin));
        let found = terminal.or_else(|| inner().find(|child| self.set.contains_key(&child.node)));
        let disproven = inner().filter_map(|child| {
            let entry = self.worker.entry(&child.node, u32::MAX)?;
            (entry.status == Status::Disproven(None)).then_some((entry.size, child))
        });
        found.or_else(|| Some(disproven.min_by_key(|(size, _)| *size)?.1))
    }

    /// Computes the rank of each position that the root leads to, and removes those that became unreachable when a
    /// smaller bound changed a move; `None` if quiet moves form a cycle.
    fn assign_ranks(&mut self, root: Node) -> Option<()> {
        let (mut open, mut entered) = (vec![root], HashSet::new());
        while let Some(node) = open.pop() {
            let collected = self.set.get(&node)?;
            if collected.rank.is_some() {
                continue;
            }
            if entered.insert(node) {
                // Again after its children.
                open.push(node);
                open.extend(collected.quiet.iter().chain(&collected.captured));
                continue;
            }
            let least = u32::from(collected.captures);
            // A child that has no rank yet is a position on the way to this one.
            let rank = collected.quiet.iter().try_fold(least, |rank, child| {
                Some(rank.max(self.set.get(child)?.rank? + 1))
            })?;
            self.set.get_mut(&node)?.rank = Some(rank);
        }
        self.set.retain(|_, collected| collected.rank.is_some());
        let fits = |rank: u32| rank < Record::RANKS;
        let mut all = self.set.values();
        all.all(|collected| collected.rank.is_some_and(fits))
            .then_some(())
    }
}
