//! Checks certificates by the rules and the tables alone: nothing of the search is used.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memmap2::Mmap;
use rayon::prelude::*;

use super::certificate::{CertificateHeader, Claim, FORMAT, RECORD_BYTES, Record, table_digest};
use super::tree::{Node, Tree};
use crate::board::Side;
use crate::container::ContainerError;
use crate::notation::parse_fen;
use crate::rules::{Blocked, Rules, legal_moves, parse_rules};
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

/// A certificate in a file, mapped into memory.
pub struct CertificateFile {
    header: CertificateHeader,
    rules: Rules,
    bytes: Mmap,
    /// Where the records are.
    body: std::ops::Range<usize>,
}

impl CertificateFile {
    /// Opens a certificate.
    ///
    /// # Errors
    ///
    /// As [`ContainerError`] says: the file cannot be read, is something else, or is damaged.
    pub fn open(path: &Path) -> Result<CertificateFile, ContainerError> {
        let file = File::open(path).map_err(ContainerError::read(path))?;
        // SAFETY: the file is only read. If another program changed it meanwhile, the checker would find
        // faults, or miss them; that is true of any file.
        let bytes = unsafe { Mmap::map(&file) }.map_err(ContainerError::read(path))?;
        let length = |header: &CertificateHeader| {
            usize::try_from(header.positions)
                .ok()?
                .checked_mul(RECORD_BYTES)
        };
        let (header, body) = FORMAT
            .decode(&bytes, length)
            .map_err(ContainerError::content(path))?;
        let rules = parse_rules(&header.rules).map_err(ContainerError::content(path))?;
        if format!("{rules:#}") != header.rules {
            let what = format!("rules {}: expected {rules:#}", header.rules);
            return Err(ContainerError::content(path)(what));
        }
        let start = body.as_ptr() as usize - bytes.as_ptr() as usize;
        let body = start..start + body.len();
        Ok(CertificateFile {
            header,
            rules,
            bytes,
            body,
        })
    }

    /// What it claims.
    #[must_use]
    pub fn header(&self) -> &CertificateHeader {
        &self.header
    }

    /// The rules that it is about.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Checks every position, on the threads of the current pool. `progress` is called with numbers of
    /// positions done.
    ///
    /// # Errors
    ///
    /// If the tables are not those of the certificate, or what its header says cannot be.
    pub fn verify(
        &self,
        tables: &std::sync::Arc<Tablebases>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Faults, String> {
        let header = &self.header;
        if !tables.fit(&self.rules) {
            return Err(format!(
                "the tables are for other rules than {}",
                header.rules
            ));
        }
        let digest = table_digest(tables);
        if (tables.stones(), &digest) != (header.stones, &header.tables) {
            return Err(format!(
                "other tables: expected those of {} stones with the digest {}, found {} stones, {digest}",
                header.stones,
                header.tables,
                tables.stones()
            ));
        }
        let attacker = Side::BOTH
            .into_iter()
            .find(|side| side.to_string() == header.attacker);
        let attacker = attacker.ok_or_else(|| format!("no side '{}'", header.attacker))?;
        let position =
            parse_fen(&header.root, self.rules.board).map_err(|error| error.to_string())?;
        let limit = u32::from(self.rules.limit);
        let limited = header.claim == Claim::Wins && limit != 0;
        if limited && tables.longest() > limit {
            return Err(format!(
                "the tables have conversions of {} plies, and the limit is {limit}",
                tables.longest()
            ));
        }
        let checker = Checker {
            records: &self.bytes[self.body.clone()],
            tree: Tree {
                rules: self.rules,
                tables: std::sync::Arc::clone(tables),
                attacker,
            },
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
        match checker.find(&Node::of(&self.rules, &position)) {
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
    records: &'a [u8],
    tree: Tree,
    claim: Claim,
    limit: u32,
    /// Whether a position is the root or comes after another one.
    reached: Vec<AtomicBool>,
}

impl Checker<'_> {
    fn bytes(&self, place: usize) -> &[u8] {
        &self.records[place * RECORD_BYTES..][..RECORD_BYTES]
    }

    fn record(&self, place: usize) -> (Record, u64) {
        Record::decode(self.bytes(place))
    }

    fn find(&self, node: &Node) -> Option<(usize, Record)> {
        let wanted = Record::key(node);
        let (mut low, mut high) = (0, self.reached.len());
        while low < high {
            let middle = low.midpoint(high);
            let record = self.record(middle).0;
            match Record::key(&record.node).cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some((middle, record)),
            }
        }
        None
    }

    /// Checks a position: that it is one, in its order, and what the claim asks of the positions after it.
    fn check(&self, place: usize) -> Result<(), String> {
        let (record, bits) = self.record(place);
        let (rules, node) = (&self.tree.rules, &record.node);
        // The move is left as it is, and compared with the legal ones.
        if record.encode()[..16] != self.bytes(place)[..16] {
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
        if place > 0 && Record::key(&self.record(place - 1).0.node) >= Record::key(node) {
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
    fn follow(&self, record: &Record, mv: crate::board::Move) -> Result<(), String> {
        let child = record.node.after(&self.tree.rules, mv);
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
        let Some((place, next)) = self.find(&child) else {
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
