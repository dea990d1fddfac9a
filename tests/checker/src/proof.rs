//! The files that docs/certificate.md describes: certificates and strategies.

use crate::board::Game;
use crate::certificate::{self, Record};
use crate::rules::Rules;
use crate::state::State;
use crate::strategy::{Code, Strategy};
use crate::tables::{LOST, Tables};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashSet;

#[derive(Deserialize)]
struct Header {
    rules: String,
    stones: u32,
    tables: String,
    positions: usize,
    #[serde(flatten)]
    kind: Kind,
}

/// What the headers of certificates and of strategies have.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Kind {
    Certificate { root: String, attacker: String, claim: String },
    Strategy { roots: Vec<Root>, codes: Vec<Code> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Root {
    fen: String,
    holds: String,
}

/// What is proven about a position, and about the attacker.
pub struct Claim {
    fen: String,
    pub root: State,
    /// The plies since the last capture.
    pub quiet: u32,
    pub attacker_black: bool,
    /// The attacker wins; otherwise it cannot.
    pub wins: bool,
}

impl Claim {
    /// Whether the value of a position, for the player to move, agrees with the claim.
    pub fn agrees(&self, state: &State, value: u8) -> bool {
        let attacker = state.black == self.attacker_black;
        self.wins == if attacker { (1..LOST).contains(&value) } else { value >= LOST }
    }
}

pub struct Proof {
    pub game: Game,
    pub stones: u32,
    /// The digest of the tables.
    tables: String,
    pub positions: usize,
    pub claims: Vec<Claim>,
    content: Content,
}

enum Content {
    Certificate(Vec<Record>),
    Strategy(Strategy),
}

/// Splits off the next bytes.
pub fn take<'a, const COUNT: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; COUNT], String> {
    let (taken, rest) = bytes.split_first_chunk().ok_or("the file is too short")?;
    *bytes = rest;
    Ok(taken)
}

/// Whether a value of the header is one of two, or the other.
fn is(value: &str, yes: &str, no: &str) -> Result<bool, String> {
    if value == yes || value == no { Ok(value == yes) } else { Err(format!("the header has a wrong '{value}'")) }
}

impl Proof {
    /// Reads a file and checks its form.
    pub fn read(file: &[u8]) -> Result<Proof, String> {
        let (mut bytes, sum) = file.split_last_chunk::<32>().ok_or("the file is too short")?;
        if Sha256::digest(bytes)[..] != *sum {
            return Err("the file is damaged: its SHA-256 is another".to_string());
        }
        let magic = take::<8>(&mut bytes)?;
        if *take(&mut bytes)? != 1u32.to_le_bytes() {
            return Err("the version is not 1".to_string());
        }
        let length = u32::from_le_bytes(*take(&mut bytes)?);
        let (json, bytes) = bytes.split_at_checked(length as usize).ok_or("the file is too short")?;
        let header: Header = serde_json::from_slice(json).map_err(|error| format!("the header: {error}"))?;
        let game = Game::new(Rules::parse(&header.rules)?);
        if game.rules.text() != header.rules {
            return Err(format!("the rules are not written as {}", game.rules.text()));
        }
        let claim = |fen: &str, attacker_black, wins| {
            let parsed = State::parse(&game, fen).ok_or_else(|| format!("'{fen}' is not a position with these rules"));
            parsed.map(|(root, quiet)| Claim { fen: fen.to_string(), root, quiet, attacker_black, wins })
        };
        let (claims, content) = match (magic, header.kind) {
            (b"VATOPROV", Kind::Certificate { root, attacker, claim: what }) => {
                let claims = vec![claim(&root, is(&attacker, "Black", "White")?, is(&what, "wins", "cannot-win")?)?];
                (claims, Content::Certificate(certificate::read(&game, header.positions, bytes)?))
            }
            (b"VATOSTRA", Kind::Strategy { roots, codes }) => {
                let claims = roots.iter().map(|root| claim(&root.fen, is(&root.holds, "White", "Black")?, false));
                (claims.collect::<Result<_, String>>()?, Content::Strategy(Strategy::read(codes, bytes)?))
            }
            _ => return Err("the file is neither a certificate nor a strategy".to_string()),
        };
        Ok(Proof { game, stones: header.stones, tables: header.tables, positions: header.positions, claims, content })
    }

    /// Checks the proof with tables of the right rules and number of stones.
    pub fn check(&self, tables: &Tables) -> Result<(), String> {
        let digest = tables.digest();
        if digest != self.tables {
            return Err(format!("it was made with other tables: here the digest is {digest}"));
        }
        if let (Content::Certificate(records), Some(limit)) = (&self.content, self.game.rules.limit()) {
            let claim = &self.claims[0];
            let root =
                certificate::find(records, claim.root.canonical(&self.game).words()).map_or(0, certificate::rank);
            let plies =
                tables.slices.iter().map(|slice| slice.longest.into()).chain(records.iter().map(certificate::rank));
            if claim.wins && plies.chain([root + claim.quiet]).any(|plies| plies > limit) {
                return Err("a rank or a distance in the tables exceeds the no-capture limit".to_string());
            }
        }
        let positions = self.walk(tables, false)? + self.walk(tables, true)?;
        if positions != self.positions {
            return Err(format!("play leads to {positions} positions, not {}", self.positions));
        }
        Ok(())
    }

    /// Walks from the roots with one attacker, and counts the positions; in a strategy those with a reply.
    fn walk(&self, tables: &Tables, attacker_black: bool) -> Result<usize, String> {
        let game = &self.game;
        let claims = self.claims.iter().filter(|claim| claim.attacker_black == attacker_black);
        let Some(claim) = claims.clone().next() else { return Ok(0) };
        let mut seen: HashSet<[u64; 2]> = claims.map(|claim| claim.root.canonical(game).words()).collect();
        let mut open: Vec<[u64; 2]> = seen.iter().copied().collect();
        let mut positions = 0;
        while let Some(words) = open.pop() {
            let state = State::from_words(words);
            let wrong = |what: &str| format!("the position {words:016x?}: {what}");
            let turns = state.turns(game);
            let is_over = turns.is_empty() || state.stones.mover == 0 || state.stones.other == 0;
            if is_over && !state.value(game, tables).is_some_and(|value| claim.agrees(&state, value)) {
                return Err(wrong("the game has ended against the claim, or a side has no stones"));
            }
            // Whether one move is enough.
            let choice = (state.black == attacker_black) == claim.wins && !turns.is_empty();
            let (turns, rank) = match &self.content {
                Content::Certificate(records) => certificate::moves(records, words, turns, choice),
                Content::Strategy(strategy) => strategy.moves(words, turns, choice),
            }
            .map_err(wrong)?;
            positions += usize::from(choice || matches!(self.content, Content::Certificate(_)));
            if !claim.wins && rank != 0 {
                return Err(wrong("a rank in a certificate that has none"));
            }
            for turn in turns {
                let next = state.play(game, &turn).canonical(game);
                let value = next.value(game, tables);
                // The rank of the next position, if play goes on there.
                let next_rank = match &self.content {
                    Content::Certificate(records) => certificate::find(records, next.words()).map(certificate::rank),
                    Content::Strategy(_) => (turn.captured == 0 || value.is_none()).then_some(0),
                };
                let wrong = |what: &str| Err(wrong(&format!("the move to {:016x?} {what}", next.words())));
                let plies = match (next_rank, value) {
                    (Some(rank), _) => rank,
                    (None, Some(value)) if claim.agrees(&next, value) => u32::from(value % LOST),
                    _ => return wrong("leads out of the certificate or to a value against the claim"),
                };
                // A capture comes within one ply; any other move takes one more than what follows.
                if claim.wins && rank < 1 + if turn.captured == 0 { plies } else { 0 } {
                    return wrong("takes more plies than the rank");
                }
                if next_rank.is_some() && seen.insert(next.words()) {
                    open.push(next.words());
                }
            }
        }
        Ok(positions)
    }

    pub fn text(&self) -> String {
        let claim = |claim: &Claim| {
            let attacker = if claim.attacker_black { "Black" } else { "White" };
            format!("{}: {attacker} {}\n", claim.fen, if claim.wins { "wins" } else { "cannot win" })
        };
        let claims: String = self.claims.iter().map(claim).collect();
        let kind = if matches!(self.content, Content::Strategy(_)) { "replies" } else { "positions" };
        format!("{claims}{} {kind}, tables of {} stones, valid", self.positions, self.stones)
    }
}
