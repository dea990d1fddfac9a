//! A certificate in a file: reading, look-ups and proven moves.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::certificate::{
    CERTIFICATE, CertificateHeader, Claim, Node, RECORD_BYTES, Record, require_rules,
    require_tables,
};
use crate::board::{Move, Side};
use crate::container::ContainerError;
use crate::rules::{Game, Rules, legal_moves, parse_rules};
use crate::tablebase::Tablebases;
use crate::{files, memory};

/// A certificate, read from a file: if another process truncated a mapped file, this one would be killed.
#[derive(Debug)]
pub struct CertificateFile {
    /// The header.
    pub header: CertificateHeader,
    /// The rules of the header.
    pub rules: Rules,
    /// The side of the header.
    pub attacker: Side,
    bytes: Vec<u8>,
    /// The place of the records.
    body: Range<usize>,
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    files::require_regular(path)?;
    let file = files::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length > memory::available_here() {
        return Err(ErrorKind::OutOfMemory.into());
    }
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(bytes: Vec<u8>) -> Result<CertificateFile, String> {
    let length = |header: &CertificateHeader| {
        let positions = usize::try_from(header.positions).unwrap_or(usize::MAX);
        Some(positions.saturating_mul(RECORD_BYTES))
    };
    let (header, body) = CERTIFICATE.decode(&bytes, length)?;
    let rules = parse_rules(&header.rules)?;
    require_rules(&rules)?;
    if format!("{rules:#}") != header.rules {
        return Err(format!("rules {}: expected {rules:#}", header.rules));
    }
    let mut sides = Side::BOTH.into_iter();
    let attacker = sides.find(|side| side.to_string() == header.attacker);
    let attacker = attacker.ok_or_else(|| format!("no side '{}'", header.attacker))?;
    let start = body.as_ptr() as usize - bytes.as_ptr() as usize;
    Ok(CertificateFile {
        header,
        rules,
        attacker,
        body: start..start + body.len(),
        bytes,
    })
}

impl CertificateFile {
    /// Whether a file begins with the magic of certificates.
    pub fn is_one(path: &Path) -> bool {
        CERTIFICATE.is_one(path)
    }

    /// Opens a certificate.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another format, or is damaged.
    pub fn open(path: &Path) -> Result<CertificateFile, ContainerError> {
        let bytes = read(path).map_err(ContainerError::read(path))?;
        parse(bytes).map_err(ContainerError::content(path))
    }

    /// The records, as [`Record::decode`] reads them.
    pub fn records(&self) -> &[[u8; RECORD_BYTES]] {
        self.bytes[self.body.clone()].as_chunks().0
    }

    /// The place and the record of a position, if it is in the set.
    pub fn find(&self, node: &Node) -> Option<(usize, Record)> {
        let records = self.records();
        let key = |bytes: &[u8; RECORD_BYTES]| Record::key(&Record::decode(bytes).0.node);
        let place = records.binary_search_by_key(&Record::key(node), key).ok()?;
        Some((place, Record::decode(&records[place]).0))
    }

    /// Checks that `tables` include the tables at the leaves; they may have more stones.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn require_tables(&self, tables: &Tablebases) -> Result<(), String> {
        let header = &self.header;
        require_tables(tables, &self.rules, header.stones, &header.tables)?;
        let (limit, longest) = (u32::from(self.rules.limit), tables.longest());
        if header.claim == Claim::Wins && limit != 0 && longest > limit {
            return Err(format!(
                "the tables have conversions of {longest} plies, and the limit is {limit}"
            ));
        }
        Ok(())
    }

    /// The moves that are proven to win, or not to lose, in the current position of a game under
    /// [`CertificateFile::rules`]: moves into the set and, if the position is in the set, moves decided by `tables`,
    /// which have to pass [`CertificateFile::require_tables`]. Empty if the certificate proves nothing here.
    pub fn proven_moves(&self, tables: &Tablebases, game: &Game) -> Vec<Move> {
        let (rules, position) = (&self.rules, game.position());
        let claim = self.header.claim;
        let wins = claim == Claim::Wins;
        if (position.side() == self.attacker) != wins {
            return Vec::new();
        }
        let found = self.find(&rules.canonical(position).0);
        // Moves of a win have to keep the limit and to decrease the rank.
        let limit = match rules.limit {
            0 => u32::MAX,
            limit => limit.into(),
        };
        let counter = u32::from(position.halfmove_clock());
        let own_rank = found.map_or(u32::MAX, |(_, record)| record.rank);
        let is_in_set = |mv: Move| {
            let Some((_, next)) = self.find(&rules.canonical(&position.play(mv)).0) else {
                return false;
            };
            !wins || mv.is_capture() || next.rank < own_rank && counter + 1 + next.rank <= limit
        };
        let by_tables = |mv: Move| {
            let after = rules.canonical(&position.play(mv)).0;
            let claim = || Claim::by_tables(rules, tables, tables.stones(), &after, self.attacker);
            mv.is_capture().then(claim)?
        };
        let moves = legal_moves(rules, position);
        let mut proven: Vec<Move> = moves.iter().copied().filter(|&mv| is_in_set(mv)).collect();
        if found.is_some() {
            proven.extend(moves.iter().filter(|&&mv| by_tables(mv) == Some(claim)));
        }
        proven
    }

    /// The moves that proofs allow, only those that win if there are any; none if they say nothing of the position.
    ///
    /// # Errors
    ///
    /// If the tables are not theirs: what they are.
    pub fn allowed_moves(
        proofs: &[CertificateFile],
        tables: Option<&Arc<Tablebases>>,
        game: &Game,
    ) -> Result<Vec<Move>, String> {
        let (mut winning, mut holding) = (Vec::new(), Vec::new());
        for proof in proofs {
            let stones = proof.header.stones;
            let tables = tables.ok_or_else(|| format!("none, expected {stones} stones"))?;
            proof.require_tables(tables)?;
            let moves = match proof.header.claim {
                Claim::Wins => &mut winning,
                Claim::CannotWin => &mut holding,
            };
            moves.extend(proof.proven_moves(tables, game));
        }
        // To hold is too little where a win is proven.
        Ok(if winning.is_empty() { holding } else { winning })
    }
}
