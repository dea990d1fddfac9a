//! Certificates: proofs as closed sets of positions, and their files.
//!
//! `docs/certificate.md` describes both for authors of other checkers.

use serde::{Deserialize, Serialize};

use crate::board::{Bitboard, Canonical, Move, Side};
use crate::container::{Checksum, Format};
use crate::rules::Rules;
use crate::tablebase::{TableRules, Tablebases, Wdl};

/// The files of certificates.
pub const CERTIFICATE: Format = Format {
    name: "a certificate",
    magic: *b"VATOPROV",
    version: 1,
    checksum: Checksum::Sha256,
    max_bytes: u64::MAX,
};

/// The bytes of a [`Record`] in a file.
pub const RECORD_BYTES: usize = 24;
/// The lowest bit of the rank in the second word.
const RANK_SHIFT: u32 = 49;
const STONES: u64 = (1 << RANK_SHIFT) - 1;

/// A node of the proof: a position without its counters, in canonical form.
pub type Node = Canonical;

/// What a certificate claims of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The attacker wins, whatever the defender does, before the no-capture limit.
    Wins,
    /// The attacker cannot force a win.
    CannotWin,
}

impl Claim {
    /// The attacker wins, or it cannot.
    pub const fn of(wins: bool) -> Claim {
        if wins { Claim::Wins } else { Claim::CannotWin }
    }

    /// The claim about `attacker` of a position with this outcome for `side`.
    pub fn of_outcome(outcome: Wdl, side: Side, attacker: Side) -> Claim {
        let won = if side == attacker {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        Claim::of(outcome == won)
    }

    /// The claim about `attacker` of a position that is decided by a side without stones, or by the tables if it has at most
    /// `stones`.
    pub fn by_tables(
        rules: &Rules,
        tables: &Tablebases,
        stones: u32,
        node: &Node,
        attacker: Side,
    ) -> Option<Claim> {
        let position = node.position();
        if position.own().is_empty() {
            return Some(Claim::of(node.side != attacker));
        }
        let is_leaf = position.occupied().count() <= stones;
        if !is_leaf || !tables.covers(rules, &position) {
            return None;
        }
        let outcome = tables.outcome(&position)?;
        Some(Claim::of_outcome(outcome, node.side, attacker))
    }
}

/// The header of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateHeader {
    /// The rules string, every key written out.
    pub rules: String,
    /// The root as a FEN.
    pub root: String,
    /// `White` or `Black`.
    pub attacker: String,
    /// The claim.
    pub claim: Claim,
    /// The most stones of the tables at the leaves.
    pub stones: u32,
    /// The digest of these tables in hexadecimal digits: the SHA-256 of their rules and of the name and longest
    /// distance of each slice.
    pub tables: String,
    /// Number of records.
    pub positions: u64,
}

/// A position of a certificate: 24 bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub node: Node,
    /// In a proof of a win: the most plies to the next capture or the end of the game.
    pub rank: u32,
    /// The move that upholds the claim, where one move is enough.
    pub mv: Option<Move>,
}

impl Record {
    /// Ranks are less than this.
    pub const RANKS: u32 = 1 << (64 - RANK_SHIFT);

    /// The words of a node; records are sorted by them.
    pub fn key(node: &Node) -> [u64; 2] {
        let [white, black] = node.stones;
        let flags = (node.side as u64) << 62 | u64::from(node.first_turn) << 63;
        [white | flags, black]
    }

    /// The bytes in a file.
    pub fn encode(&self) -> [u8; RECORD_BYTES] {
        let [first, black] = Record::key(&self.node);
        let rank = u64::from(self.rank) << RANK_SHIFT;
        let words = [first, black | rank, self.mv.map_or(0, Move::bits)];
        bytemuck::cast(words.map(u64::to_le))
    }

    /// Reads a record, and the bits of its move, which may be invalid.
    pub fn decode(bytes: &[u8; RECORD_BYTES]) -> (Record, u64) {
        let words: [u64; 3] = bytemuck::cast(*bytes);
        let [first, second, mv] = words.map(u64::from_le);
        let record = Record {
            node: Node {
                stones: [first, second].map(|word| Bitboard::from_bits(word & STONES).bits()),
                side: Side::BOTH[(first >> 62 & 1) as usize],
                first_turn: first >> 63 == 1,
            },
            rank: (second >> RANK_SHIFT) as u32,
            mv: None,
        };
        (record, mv)
    }
}

/// Checks that tables are for these rules, and include those of so many stones with this digest; they may have more.
///
/// # Errors
///
/// The first difference.
pub fn require_tables(
    tables: &Tablebases,
    rules: &Rules,
    stones: u32,
    expected: &str,
) -> Result<(), String> {
    if !tables.fit(rules) {
        return Err(format!("the tables are for other rules than {rules:#}"));
    }
    let found = tables.stones();
    if found < stones {
        return Err(format!("tables of {found} stones, expected {stones}"));
    }
    let digest = tables.digest(stones);
    match digest == expected {
        true => Ok(()),
        false => Err(format!(
            "tables with the digest {digest}, expected {expected}"
        )),
    }
}

/// Checks that the rules are supported: there are tables for them.
///
/// # Errors
///
/// What is not supported.
pub fn require_rules(rules: &Rules) -> Result<(), String> {
    let tables = TableRules::of(rules).map_err(|error| error.to_string());
    tables.map(drop)
}
