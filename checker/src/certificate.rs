//! Certificates, as docs/certificate.md describes them: the file, then the proof.

use crate::board::{Game, Manner, Stones, Turn, bits};
use crate::rules::Rules;
use crate::tables::{Tables, Value};
use sha2::{Digest, Sha256};

/// A position of a certificate: the stones of White and of Black, and what the record says about them.
struct Record {
    white: u64,
    blacks: u64,
    black: bool,
    /// Whether it is a first turn under special rules.
    special: bool,
    rank: u32,
    /// The move that upholds the claim, if one is enough.
    noted: Option<Turn>,
}

/// What is proven about the attacker.
pub struct Claim {
    pub rules: Rules,
    pub root: String,
    pub attacker_black: bool,
    /// The attacker wins; otherwise it cannot.
    pub wins: bool,
    pub stones: u32,
    pub tables: String,
    pub positions: usize,
}

impl Claim {
    pub fn text(&self) -> String {
        let attacker = if self.attacker_black { "Black" } else { "White" };
        format!("{attacker} {}", if self.wins { "wins" } else { "cannot force a win" })
    }

    /// Reads the header; its keys must be those of the document.
    pub fn parse(header: &Header) -> Result<Claim, String> {
        let wrong = |what: &str| format!("the header has a wrong {what}");
        let text = |key: &str| header.get(key).and_then(|value| value.as_str()).ok_or_else(|| wrong(key));
        let number = |key: &str| header.get(key).and_then(|value| value.as_u64()).ok_or_else(|| wrong(key));
        let choice = |key: &str, yes: &str, no: &str| match text(key)? {
            value if value == yes => Ok(true),
            value if value == no => Ok(false),
            _ => Err(wrong(key)),
        };
        let rules = Rules::parse(text("rules")?)?;
        if rules.repeat == 1 {
            return Err("repeat=1 has no certificates".to_string());
        }
        Ok(Claim {
            rules,
            root: text("root")?.to_string(),
            attacker_black: choice("attacker", "Black", "White")?,
            wins: choice("claim", "wins", "cannot-win")?,
            stones: number("stones")?.try_into().map_err(|_| wrong("stones"))?,
            tables: text("tables")?.to_string(),
            positions: number("positions")? as usize,
        })
    }

    /// Whether a win of the attacker, or of the defender, agrees with the claim.
    pub fn upheld_by(&self, attacker_won: bool) -> bool {
        attacker_won == self.wins
    }

    /// Refuses tables other than those that the certificate was made with.
    pub fn compare_tables(&self, tables: &Tables) -> Result<(), String> {
        let mut text = format!("{}\n", self.rules.of_tables());
        let mut farthest = 0;
        for slice in tables.slices() {
            let longest = slice.count().1;
            text += &format!("{} {longest}\n", slice.name());
            farthest = farthest.max(longest);
        }
        let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        if digest != self.tables {
            return Err(format!("it was made with other tables: their digest is {digest}, not {}", self.tables));
        }
        if self.wins && self.rules.limit > 0 && u16::from(farthest) > self.rules.limit {
            return Err("a distance in the tables exceeds the no-capture limit".to_string());
        }
        Ok(())
    }
}

pub struct Certificate {
    pub claim: Claim,
    records: Vec<Record>,
}

pub type Header = serde_json::Map<String, serde_json::Value>;

pub fn parse_header(json: &[u8]) -> Result<Header, String> {
    serde_json::from_slice(json).map_err(|error| format!("the header is not JSON: {error}"))
}

/// Splits off the next bytes.
pub fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], String> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("the file is too short")?;
    *bytes = rest;
    Ok(taken)
}

/// What is left of a file after the check of its magic, its version, 1, and its SHA-256; and its header.
pub fn open<'a>(file: &'a [u8], magic: &[u8; 8]) -> Result<(&'a [u8], &'a [u8]), String> {
    let end = file.len().checked_sub(32).ok_or("the file is too short")?;
    let (mut bytes, sum) = file.split_at(end);
    if take(&mut bytes, 8)? != magic {
        return Err("the file is not a certificate".to_string());
    }
    if take(&mut bytes, 4)? != 1u32.to_le_bytes() {
        return Err("the version is not 1".to_string());
    }
    if Sha256::digest(&file[..end])[..] != *sum {
        return Err("the file is damaged: its SHA-256 is another".to_string());
    }
    let length = u32::from_le_bytes(take(&mut bytes, 4)?.try_into().expect("four bytes"));
    let header = take(&mut bytes, length as usize)?;
    Ok((header, bytes))
}

impl Certificate {
    pub fn read(file: &[u8]) -> Result<Certificate, String> {
        let (header, bytes) = open(file, b"VATOPROV")?;
        let claim = Claim::parse(&parse_header(header)?)?;
        if Some(bytes.len()) != claim.positions.checked_mul(24) {
            return Err(format!("{} bytes of records are not {} records", bytes.len(), claim.positions));
        }
        let game = Game::new(claim.rules);
        let mut records: Vec<Record> = Vec::with_capacity(claim.positions);
        for (number, bytes) in bytes.chunks_exact(24).enumerate() {
            let word = |n: usize| u64::from_le_bytes(bytes[8 * n..8 * n + 8].try_into().expect("eight bytes"));
            let record =
                Record::read(&game, [word(0), word(1), word(2)]).map_err(|what| format!("record {number}: {what}"))?;
            if records.last().is_some_and(|last| last.key() >= record.key()) {
                return Err(format!("record {number} is out of order"));
            }
            records.push(record);
        }
        Ok(Certificate { claim, records })
    }
}

impl Record {
    fn read(game: &Game, words: [u64; 3]) -> Result<Record, String> {
        const POINTS: u64 = (1 << 49) - 1;
        let [first, second, third] = words;
        let set = |word: u64| game.read_set(word & POINTS).ok_or("a point is not on the board".to_string());
        let (white, blacks, captured) = (set(first)?, set(second)?, set(third)?);
        let origin_and_end = [third >> 49 & 63, third >> 55 & 63].map(|point| 1u64 << point);
        if first >> 49 & 0x1fff != 0 || third >> 61 != 0 {
            return Err("a reserved bit is set".to_string());
        }
        if white & blacks != 0 {
            return Err("two stones on one point".to_string());
        }
        let least = game.symmetries().map(|s| (game.image(white, s), game.image(blacks, s))).min();
        if least != Some((white, blacks)) {
            return Err("it does not hold the smallest image of the position".to_string());
        }
        let noted = match third {
            0 => None,
            _ => Some(Turn { origin: set(origin_and_end[0])?, end: set(origin_and_end[1])?, captured }),
        };
        let (black, special, rank) = (first >> 62 & 1 == 1, first >> 63 == 1, (second >> 49) as u32);
        Ok(Record { white, blacks, black, special, rank, noted })
    }

    /// The order of the records is that of the first word, with the flags above the stones, then of Black's stones.
    fn key(&self) -> (bool, bool, u64, u64) {
        (self.special, self.black, self.white, self.blacks)
    }

    fn stones(&self) -> Stones {
        let (mover, other) = if self.black { (self.blacks, self.white) } else { (self.white, self.blacks) };
        Stones { mover, other }
    }
}

/// The state of a game: a position, who is to move, and whether it is the first turn of that player.
#[derive(Clone, Copy)]
pub struct State {
    pub stones: Stones,
    pub black: bool,
    pub first: bool,
}

impl State {
    pub fn root(game: &Game, fen: &str) -> Result<(State, u32), String> {
        let (stones, black, quiet, number) = game.parse(fen)?;
        Ok((State { stones, black, first: number == 1 }, quiet))
    }

    /// The image that a record holds.
    pub fn canonical(&self, game: &Game) -> State {
        let image = |symmetry| {
            let Stones { mover, other } = self.stones;
            Stones { mover: game.image(mover, symmetry), other: game.image(other, symmetry) }
        };
        let white_first =
            |stones: &Stones| if self.black { (stones.other, stones.mover) } else { (stones.mover, stones.other) };
        let stones = game.symmetries().map(image).min_by_key(white_first).unwrap_or(self.stones);
        State { stones, ..*self }
    }

    /// The first two words of a record without a rank.
    pub fn words(&self, game: &Game) -> (u64, u64) {
        let Stones { mover, other } = self.stones;
        let (white, blacks) = if self.black { (other, mover) } else { (mover, other) };
        let flags = u64::from(self.black) << 62 | u64::from(self.special(game)) << 63;
        (game.padded(white) | flags, game.padded(blacks))
    }

    fn manner(&self, game: &Game) -> Manner {
        game.manner(self.first, self.black)
    }

    /// The legal moves, equal ones once.
    pub fn turns(&self, game: &Game) -> Vec<Turn> {
        let mut turns = game.turns(self.stones, self.manner(game));
        turns.sort();
        turns.dedup();
        turns
    }

    pub fn play(&self, turn: Turn) -> State {
        // After White's first turn comes Black's.
        State { stones: turn.play(self.stones), black: !self.black, first: self.first && !self.black }
    }

    /// Whether the player to move has lost, if the game is over: it has no stones or cannot move.
    pub fn over(&self, game: &Game) -> Option<bool> {
        let stuck = self.stones.other != 0 && !game.can_move(self.stones);
        stuck.then_some(self.stones.mover == 0 || !game.rules.blocked_draws)
    }

    /// Whether it is a first turn under special rules.
    pub fn special(&self, game: &Game) -> bool {
        self.first && game.rules.special_first(self.black)
    }

    /// The value in the tables, if it is there.
    pub fn value(&self, game: &Game, tables: &Tables) -> Option<Value> {
        if self.special(game) { None } else { tables.value(self.stones) }
    }
}

pub fn turn_text(game: &Game, turn: Turn) -> String {
    let captured: Vec<String> = bits(turn.captured).map(|point| game.name(point)).collect();
    let captured = if captured.is_empty() { String::new() } else { format!(" capturing {}", captured.join(" ")) };
    format!("{}-{}{captured}", game.name(turn.origin), game.name(turn.end))
}

/// Walks through a certificate from its root.
struct Walk<'a> {
    certificate: &'a Certificate,
    game: Game,
    tables: &'a Tables,
    /// For each record whether it was met as a later turn (1) and as a first turn (2).
    seen: Vec<u8>,
    open: Vec<(usize, bool)>,
}

impl Certificate {
    /// Checks the proof with tables of the right rules and number of stones.
    pub fn check(&self, tables: &Tables) -> Result<(), String> {
        let claim = &self.claim;
        claim.compare_tables(tables)?;
        let game = Game::new(claim.rules);
        let (root, quiet) = State::root(&game, &claim.root)?;
        let seen = vec![0; self.records.len()];
        let mut walk = Walk { certificate: self, game, tables, seen, open: Vec::new() };
        let start = walk.find(&root).ok_or("the root is not in the certificate")?;
        let limit = u32::from(claim.rules.limit);
        if claim.wins && limit > 0 && self.records[start].rank + quiet > limit {
            return Err("the rank of the root and its plies without a capture exceed the no-capture limit".to_string());
        }
        walk.meet(start, root.first);
        while let Some((number, first)) = walk.open.pop() {
            let record = &self.records[number];
            if let Err(what) = walk.check(record, first) {
                let fen = walk.game.fen(record.stones(), record.black, 0, 2 - u32::from(first));
                return Err(format!("record {number} ({fen}): {what}"));
            }
        }
        match walk.seen.iter().position(|seen| *seen == 0) {
            Some(number) => Err(format!("no move leads to record {number}")),
            None => Ok(()),
        }
    }
}

impl Walk<'_> {
    /// The record of a state.
    fn find(&self, state: &State) -> Option<usize> {
        let state = state.canonical(&self.game);
        let Stones { mover, other } = state.stones;
        let (white, blacks) = if state.black { (other, mover) } else { (mover, other) };
        let key = (state.special(&self.game), state.black, white, blacks);
        self.certificate.records.binary_search_by_key(&key, Record::key).ok()
    }

    fn meet(&mut self, number: usize, first: bool) {
        let mark = 1 << first as u8;
        if self.seen[number] & mark == 0 {
            self.seen[number] |= mark;
            self.open.push((number, first));
        }
    }

    fn check(&mut self, record: &Record, first: bool) -> Result<(), String> {
        let claim = &self.certificate.claim;
        let limit = u32::from(claim.rules.limit);
        if claim.wins && limit > 0 && record.rank > limit {
            return Err("the rank exceeds the no-capture limit".to_string());
        }
        if !claim.wins && record.rank != 0 {
            return Err("a rank in a certificate that has none".to_string());
        }
        let state = State { stones: record.stones(), black: record.black, first };
        let attacker = record.black == claim.attacker_black;
        let turns = state.turns(&self.game);
        if turns.is_empty() {
            let lost = state.over(&self.game).ok_or("a side has no stones")?;
            return if claim.upheld_by(lost && !attacker) {
                Ok(())
            } else {
                Err("the game has ended against the claim".to_string())
            };
        }
        if attacker == claim.wins {
            let turn = record.noted.ok_or("a move that upholds the claim is missing")?;
            if !turns.contains(&turn) {
                return Err(format!("{} is illegal", turn_text(&self.game, turn)));
            }
            return self.follow(&state, turn, record.rank);
        }
        if record.noted.is_some() {
            return Err("it notes a move where every move has to uphold the claim".to_string());
        }
        turns.into_iter().try_for_each(|turn| self.follow(&state, turn, record.rank))
    }

    /// Checks that a move upholds the claim.
    fn follow(&mut self, state: &State, turn: Turn, rank: u32) -> Result<(), String> {
        let claim = &self.certificate.claim;
        let attacker = state.black == claim.attacker_black;
        let wrong = |what: &str| Err(format!("{} {what}", turn_text(&self.game, turn)));
        let next = state.play(turn);
        if let Some(number) = self.find(&next) {
            if claim.wins && turn.captured == 0 && self.certificate.records[number].rank >= rank {
                return wrong("captures nothing and does not lead to a lower rank");
            }
            self.meet(number, next.first);
            return Ok(());
        }
        // Who wins, and the plies to the next capture after this move.
        let (won, plies) = match (next.over(&self.game), next.value(&self.game, self.tables)) {
            (Some(lost), _) => (attacker && lost, 0),
            (None, Some(Value::Win(plies))) => (!attacker, plies),
            (None, Some(Value::Draw)) => (false, 0),
            (None, Some(Value::Loss(plies))) => (attacker, plies),
            (None, None) => return wrong("leads out of the certificate"),
        };
        if !claim.upheld_by(won) {
            return wrong("ends the game or leads into the tables against the claim");
        }
        // A capture comes within one ply; any other move takes one more than what follows.
        if claim.wins && rank < 1 + if turn.captured == 0 { u32::from(plies) } else { 0 } {
            return wrong("takes more plies than the rank");
        }
        Ok(())
    }
}
