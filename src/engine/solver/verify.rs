//! Checks certificates by the rules and the tables alone: nothing of the search is used.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::certificate::{Claim, Record};
use super::file::CertificateFile;
use super::tree::{Node, Tree};
use crate::board::Move;
use crate::notation::parse_fen;
use crate::rules::{Blocked, legal_moves};
use crate::tablebase::Tablebases;

/// The most faults of a certificate that are named.
const MOST_FAULTS: usize = 10;

/// What is wrong with a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first of them, in words.
    pub named: Vec<String>,
    /// How many there are.
    pub count: u64,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.named {
            writeln!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl CertificateFile {
    /// Checks every position, on the threads of the current pool. `progress` is called with numbers of
    /// positions done.
    ///
    /// # Errors
    ///
    /// If the tables are not those of the certificate, or what its header says cannot be.
    pub fn verify(
        &self,
        tables: &Arc<Tablebases>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Faults, String> {
        let header = self.header();
        self.require_tables(tables)?;
        if tables.stones() != header.stones {
            let (found, expected) = (tables.stones(), header.stones);
            return Err(format!("tables of {found} stones, expected {expected}"));
        }
        let rules = self.rules();
        let position = parse_fen(&header.root, rules.board).map_err(|error| error.to_string())?;
        let limit = u32::from(rules.limit);
        let limited = header.claim == Claim::Wins && limit != 0;
        let checker = Checker {
            file: self,
            tree: Tree::new(rules, tables, self.attacker()),
            claim: header.claim,
            limit: if limited { limit } else { u32::MAX },
            reached: (0..header.positions)
                .map(|_| AtomicBool::new(false))
                .collect(),
        };
        let found = std::sync::Mutex::new(Faults::default());
        let count = AtomicU64::new(0);
        let note = |fault: String| {
            count.fetch_add(1, Ordering::Relaxed);
            let mut found = found
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            if found.named.len() < MOST_FAULTS {
                found.named.push(fault);
            }
        };
        match self.find(&Node::of(rules, &position)) {
            None => note("the root is not in the set".to_owned()),
            Some((place, root)) => {
                checker.reached[place].store(true, Ordering::Relaxed);
                let plies = u32::from(position.halfmove_clock()).saturating_add(root.rank);
                if plies > checker.limit {
                    note(format!(
                        "the win takes {plies} plies without a capture, more than {limit}"
                    ));
                }
            }
        }
        (0..checker.reached.len())
            .into_par_iter()
            .for_each(|place| {
                if let Err(fault) = checker.check(place) {
                    note(format!("position {place}: {fault}"));
                }
                progress(1);
            });
        for (place, reached) in checker.reached.iter().enumerate() {
            if !reached.load(Ordering::Relaxed) {
                note(format!("position {place}: nothing leads there"));
            }
        }
        let mut found = found
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        found.count = count.into_inner();
        Ok(found)
    }
}

struct Checker<'a> {
    file: &'a CertificateFile,
    tree: Tree,
    claim: Claim,
    limit: u32,
    /// Whether a position is the root or comes after another one.
    reached: Vec<AtomicBool>,
}

impl Checker<'_> {
    /// Checks a position: that it is one, in its order, and what the claim asks of the positions after it.
    fn check(&self, place: usize) -> Result<(), String> {
        let (record, bits) = self.file.record(place);
        let (rules, node) = (&self.tree.rules, &record.node);
        // The move is left as it is, and compared with the legal ones.
        if record.encode()[..16] != self.file.bytes(place)[..16] {
            return Err("a bit without a meaning is set".to_owned());
        }
        let [white, black] = node.stones;
        let position = node.position();
        if !(white | black).is_subset_of(rules.board.points()) || white.intersects(black) {
            return Err("the stones are not on the board".to_owned());
        }
        if Node::of(rules, &position) != *node {
            return Err("not the smallest of its images, or no first turn".to_owned());
        }
        if place > 0 && Record::key(&self.file.record(place - 1).0.node) >= Record::key(node) {
            return Err("not in order".to_owned());
        }
        if record.rank > self.limit {
            return Err(format!("rank {} is above the limit", record.rank));
        }
        let wins = self.claim == Claim::Wins;
        if !wins && record.rank != 0 {
            return Err("a rank, and no win is claimed".to_owned());
        }
        let is_over = white.is_empty() || black.is_empty();
        let moves = legal_moves(rules, &position);
        if is_over || moves.is_empty() {
            let is_won = match is_over {
                true => node.stones[!self.tree.attacker as usize].is_empty(),
                false => rules.blocked == Blocked::Loss && node.side != self.tree.attacker,
            };
            return match is_won == wins && bits == 0 {
                true => Ok(()),
                false => Err("the game is over, and not as claimed".to_owned()),
            };
        }
        let chooses = (node.side == self.tree.attacker) == wins;
        if !chooses {
            if bits != 0 {
                return Err("it has a move, and all moves count".to_owned());
            }
            return moves.iter().try_for_each(|&mv| self.follow(&record, mv));
        }
        match moves.iter().find(|mv| mv.bits() == bits) {
            Some(&mv) => self.follow(&record, mv),
            None => Err("its move is not legal".to_owned()),
        }
    }

    /// Checks the position after a move.
    fn follow(&self, record: &Record, mv: Move) -> Result<(), String> {
        let position = record.node.position();
        let child = record.node.after(&self.tree.rules, &position, mv);
        let wins = self.claim == Claim::Wins;
        let end = if mv.is_capture() {
            self.tree.end(&child)
        } else {
            None
        };
        if let Some(won) = end {
            return match (won == wins, wins && record.rank == 0) {
                (true, false) => Ok(()),
                (false, _) => {
                    Err("a move leads to what the tables or the rules say otherwise".to_owned())
                }
                (_, true) => Err("the rank is too small".to_owned()),
            };
        }
        let Some((place, next)) = self.file.find(&child) else {
            return Err("a move leads out of the set".to_owned());
        };
        self.reached[place].store(true, Ordering::Relaxed);
        let falls = if mv.is_capture() {
            record.rank >= 1
        } else {
            next.rank < record.rank
        };
        match wins && !falls {
            true => Err("the rank does not fall".to_owned()),
            false => Ok(()),
        }
    }
}
