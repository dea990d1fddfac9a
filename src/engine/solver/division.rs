//! Dividing a question: positions that can be searched elsewhere, and what comes back of them.

use std::sync::atomic::Ordering;

use super::certificate::{Claim, Record};
use super::checkpoint::LEAST_NODES;
use super::proof_table::{Entry, Status};
use super::search::Worker;
use super::tree::Tree;
use super::{CertificateFile, Solver};
use crate::board::{Position, Side};
use crate::notation::parse_fen;

/// A position of a frontier has this part, divided by the number of positions, of all nodes searched so far.
const PART: u64 = 4;

impl Solver {
    /// The open positions, at most `count`, that matter most to the question whether `attacker` can win from
    /// `position`, by the search so far: whether it can win from each of them are questions of their own. Fewer if the
    /// search has not come far. Empty if the question is settled.
    pub fn frontier(&mut self, position: &Position, attacker: Side, count: usize) -> Vec<Position> {
        let tree = Tree::new(&self.rules, &self.tables, attacker);
        let nodes = self.shared.nodes.load(Ordering::Relaxed) / (PART * count.max(1) as u64);
        let size = Entry::new(Status::Disproven(None), nodes).size;
        let mut worker = Worker::new(&self.shared, &tree, 0);
        let nodes = worker.frontier(tree.node(position), count, size);
        nodes.iter().map(|node| node.position()).collect()
    }

    /// Takes over what a certificate proves of `fen`, after checking it: its positions need no search.
    ///
    /// # Errors
    ///
    /// If the certificate is for another position, other rules or tables, or proves nothing.
    pub fn read_certificate(&self, file: &CertificateFile, fen: &str) -> Result<(), String> {
        let (header, expected) = (&file.header, format!("{:#}", self.rules));
        let (found, rules) = (&header.root, &header.rules);
        if (&**found, rules) != (fen, &expected) {
            let what = format!("a certificate for {found}, {rules}; expected {fen}, {expected}");
            return Err(what);
        }
        let faults = file.verify(&self.tables, &|_| ())?;
        if let Some(fault) = faults.named.first() {
            return Err(format!("it proves nothing: {fault}"));
        }
        let root = parse_fen(&header.root, self.rules.board).map_err(|error| error.to_string())?;
        let root = self.rules.canonical(&root).0;
        let tree = Tree::new(&self.rules, &self.tables, file.attacker);
        for bytes in file.records() {
            let (Record { node, rank, .. }, _) = Record::decode(bytes);
            let status = match header.claim {
                Claim::Wins => Status::Proven { rank },
                Claim::CannotWin => Status::Disproven(None),
            };
            // All are large enough for a checkpoint, and the root is to stay in the table.
            let nodes = match node == root {
                true => header.positions.max(LEAST_NODES),
                false => LEAST_NODES,
            };
            let key = tree.key_without_bound(&node);
            self.shared.table.put(key, Entry::new(status, nodes));
        }
        Ok(())
    }
}
