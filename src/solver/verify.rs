//! Checking certificates, by the rules and the tables alone: no code of the search is used.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use vato_engine::board::Move;
use vato_engine::memory::lock;
use vato_engine::notation::parse_fen;
use vato_engine::proofs::{CertificateFile, Claim, Record};
use vato_engine::rules::{legal_moves, position_outcome};
use vato_engine::tablebase::Tablebases;

use crate::tree::Tree;

/// The most faults that are described.
const MOST_FAULTS: usize = 10;

/// The faults of a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Descriptions of the first ones.
    pub named: Vec<String>,
    /// The number of all faults.
    pub count: u64,
}

impl Faults {
    pub(crate) fn note(&mut self, fault: impl FnOnce() -> String) {
        self.count += 1;
        if self.named.len() < MOST_FAULTS {
            self.named.push(fault());
        }
    }
}

/// Checks every position, on the threads of the current pool.
///
/// # Errors
///
/// If the tables are not those of the certificate, or its header is invalid.
pub fn verify_certificate(
    certificate: &CertificateFile,
    tables: &Arc<Tablebases>,
) -> Result<Faults, String> {
    let (header, rules) = (&certificate.header, &certificate.rules);
    certificate.require_tables(tables)?;
    if tables.stones() != header.stones {
        let (found, expected) = (tables.stones(), header.stones);
        return Err(format!("tables of {found} stones, expected {expected}"));
    }
    let position = parse_fen(&header.root, rules.board)?;
    let limit = u32::from(rules.limit);
    let is_limited = header.claim == Claim::Wins && limit != 0;
    let reached = (0..header.positions).map(|_| AtomicBool::new(false));
    let checker = Checker {
        file: certificate,
        tree: Tree::new(rules, tables, certificate.attacker),
        claim: header.claim,
        limit: if is_limited { limit } else { u32::MAX },
        reached: reached.collect(),
    };
    let found = Mutex::new(Faults::default());
    let note = |fault: String| lock(&found).note(|| fault);
    match certificate.find(&rules.canonical(&position).0) {
        None => note("the root is not in the set".to_owned()),
        Some((place, root)) => {
            checker.reached[place].store(true, Ordering::Relaxed);
            let plies = u32::from(position.halfmove_clock()).saturating_add(root.rank);
            if plies > checker.limit {
                let long = format!("{plies} plies without a capture, more than {limit}");
                note(format!("the win takes {long}"));
            }
        }
    }
    let places = (0..checker.reached.len()).into_par_iter();
    places.for_each(|place| {
        if let Err(fault) = checker.check(place) {
            note(format!("position {place}: {fault}"));
        }
    });
    for (place, reached) in checker.reached.iter().enumerate() {
        if !reached.load(Ordering::Relaxed) {
            note(format!("position {place}: unreachable from the root"));
        }
    }
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

struct Checker<'a> {
    file: &'a CertificateFile,
    tree: Tree,
    claim: Claim,
    limit: u32,
    /// Whether a position is the root or the child of another one.
    reached: Vec<AtomicBool>,
}

impl Checker<'_> {
    /// Checks a record: a valid position in canonical form, in order, with the children that the claim requires.
    fn check(&self, place: usize) -> Result<(), String> {
        let records = self.file.records();
        let (record, bits) = Record::decode(&records[place]);
        let (rules, node) = (&self.tree.rules, &record.node);
        // The third word is the move, which is compared with the legal moves below.
        if record.encode()[..16] != records[place][..16] {
            return Err("reserved bits are set".to_owned());
        }
        let [white, black] = node.stones();
        let position = node.position();
        if !(white | black).is_subset_of(rules.board.points()) || white.intersects(black) {
            return Err("the stones are not on the board".to_owned());
        }
        if rules.canonical(&position).0 != *node {
            return Err("not in canonical form".to_owned());
        }
        let key = |place: usize| Record::key(&Record::decode(&records[place]).0.node);
        if place > 0 && key(place - 1) >= key(place) {
            return Err("not in order".to_owned());
        }
        if record.rank > self.limit {
            return Err(format!("rank {} is above the limit", record.rank));
        }
        let wins = self.claim == Claim::Wins;
        if !wins && record.rank != 0 {
            return Err("it has a rank, but no win is claimed".to_owned());
        }
        if let Some(outcome) = position_outcome(rules, &position) {
            let is_won = outcome.winner == Some(self.tree.attacker);
            return match is_won == wins && bits == 0 {
                true => Ok(()),
                false => Err("the game is over with another result".to_owned()),
            };
        }
        let moves = legal_moves(rules, &position);
        let one_is_enough = (node.side == self.tree.attacker) == wins;
        if !one_is_enough {
            if bits != 0 {
                return Err("it has a move, but all moves are required".to_owned());
            }
            return (moves.iter()).try_for_each(|&mv| self.check_child(&record, mv));
        }
        match moves.iter().find(|mv| mv.bits() == bits) {
            Some(&mv) => self.check_child(&record, mv),
            None => Err("its move is not legal".to_owned()),
        }
    }

    fn check_child(&self, record: &Record, mv: Move) -> Result<(), String> {
        let position = record.node.position();
        let child = self.tree.rules.canonical(&position.play(mv)).0;
        let wins = self.claim == Claim::Wins;
        let terminal = mv.is_capture().then(|| self.tree.terminal(&child));
        if let Some(claim) = terminal.flatten() {
            return match (claim == self.claim, wins && record.rank == 0) {
                (true, false) => Ok(()),
                (false, _) => Err("a move leads to another result by tables or rules".to_owned()),
                (_, true) => Err("the rank is too small".to_owned()),
            };
        }
        let Some((place, next)) = self.file.find(&child) else {
            return Err("a move leads out of the set".to_owned());
        };
        self.reached[place].store(true, Ordering::Relaxed);
        let least = if mv.is_capture() { 1 } else { next.rank + 1 };
        match wins && record.rank < least {
            true => Err("the rank does not decrease".to_owned()),
            false => Ok(()),
        }
    }
}
