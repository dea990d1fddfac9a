//! Strategies, as docs/certificate.md describes them: a function that gives the holder's reply in every position.

use crate::board::{Game, Turn};
use crate::certificate::{Claim, State, open, parse_header, take};
use crate::tables::{Tables, Value};
use std::collections::HashSet;

/// A number of a reply and the length of its code word in bits.
type Code = Vec<(usize, u32)>;

pub struct Strategy {
    /// What follows for each root: the opponent of the holder cannot win.
    pub claims: Vec<Claim>,
    codes: Vec<Code>,
    /// For each shard its first slot and the number of its slots.
    shards: Vec<(usize, usize)>,
    slots: Vec<u8>,
}

/// The output function of SplitMix64.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A number below `limit`, by the high bits of a random word.
fn below(word: u64, limit: usize) -> usize {
    ((u128::from(word) * limit as u128) >> 64) as usize
}

impl Strategy {
    pub fn read(file: &[u8]) -> Result<Strategy, String> {
        let (header, mut bytes) = open(file, b"VATOSTRA")?;
        let header = parse_header(header)?;
        let wrong = |what: &str| format!("the header has a wrong {what}");
        let list = |key: &str| header.get(key).and_then(|value| value.as_array()).ok_or_else(|| wrong(key));
        let mut claims = Vec::new();
        for root in list("roots")? {
            let holder = root["holds"].as_str().ok_or_else(|| wrong("roots"))?;
            let attacker = if holder == "White" { "Black" } else { "White" };
            let mut claim = header.clone();
            claim.insert("root".to_string(), root["fen"].clone());
            claim.insert("attacker".to_string(), attacker.into());
            claim.insert("claim".to_string(), "cannot-win".into());
            if !["White", "Black"].contains(&holder) {
                return Err(wrong("roots"));
            }
            claims.push(Claim::parse(&claim)?);
        }
        if claims.is_empty() {
            return Err(wrong("roots"));
        }
        let codes = list("codes")?.iter().map(|code| read_code(code).ok_or_else(|| wrong("codes")));
        let codes = codes.collect::<Result<Vec<Code>, String>>()?;
        if codes.len() != 32 {
            return Err(wrong("codes"));
        }
        let count = u32::from_le_bytes(take(&mut bytes, 4)?.try_into().expect("four bytes"));
        let (mut shards, mut total) = (Vec::new(), 0);
        for _ in 0..count {
            let slots = usize::from(u16::from_le_bytes(take(&mut bytes, 2)?.try_into().expect("two bytes")));
            if slots < 128 {
                return Err("a shard has too few slots".to_string());
            }
            shards.push((total, slots));
            total += slots;
        }
        let unused = bytes.len() * 8 - total.min(bytes.len() * 8);
        if bytes.len() != total.div_ceil(8) || bytes.last().is_some_and(|byte| byte.leading_zeros() < unused as u32) {
            return Err("the slots do not fill the file, or an unused bit is set".to_string());
        }
        Ok(Strategy { claims, codes, shards, slots: bytes.to_vec() })
    }

    fn bit(&self, key: u64) -> bool {
        if self.shards.is_empty() {
            return false;
        }
        let (first, slots) = self.shards[below(key, self.shards.len())];
        let a = mix(key);
        let b = mix(a);
        let c = mix(b);
        let start = first + below(a, slots - 127);
        let chosen = u128::from(c) << 64 | u128::from(b) | 1;
        let set = |slot: usize| self.slots[(start + slot) / 8] >> ((start + slot) % 8) & 1 == 1;
        (0..128).filter(|&slot| chosen >> slot & 1 == 1 && set(slot)).count() % 2 == 1
    }

    /// The number of the reply to a position, given by its words, with so many moves.
    fn number(&self, words: (u64, u64), moves: usize) -> Option<usize> {
        if moves == 1 {
            return Some(0);
        }
        let key = mix(mix(words.0) ^ words.1);
        let (mut read, mut word, mut length) = (0, 0u64, 0);
        let mut next = 0u64;
        for &(number, bits) in &self.codes[moves.min(33) - 2] {
            next <<= bits - length;
            while length < bits {
                word = word << 1 | u64::from(self.bit(mix(key.wrapping_add(read))));
                read += 1;
                length += 1;
            }
            if word == next {
                return Some(number);
            }
            next += 1;
        }
        None
    }

    /// Walks from the roots, with tables of the right rules and number of stones.
    pub fn check(&self, tables: &Tables) -> Result<(), String> {
        self.claims[0].compare_tables(tables)?;
        let game = Game::new(self.claims[0].rules);
        // The positions met, with the side that attacks.
        let mut seen: HashSet<(u64, u64, bool)> = HashSet::new();
        let (mut open, mut replies) = (Vec::new(), 0);
        for claim in &self.claims {
            let root = State::root(&game, &claim.root)?.0.canonical(&game);
            let (white, blacks) = root.words(&game);
            if seen.insert((white, blacks, claim.attacker_black)) {
                open.push((root, claim.attacker_black));
            }
        }
        while let Some((state, attacker_black)) = open.pop() {
            let wrong = |what: String| {
                let fen = game.fen(state.stones, state.black, 0, 2 - u32::from(state.first));
                Err(format!("{fen}: {what}"))
            };
            let holder = state.black != attacker_black;
            let mut turns = state.turns(&game);
            if turns.is_empty() {
                if holder && state.over(&game) != Some(false) {
                    return wrong("the holder has lost".to_string());
                }
                continue;
            }
            if holder {
                replies += 1;
                turns.sort_by_key(|turn| (std::cmp::Reverse(turn.captured.count_ones()), word(&game, *turn)));
                let number = self.number(state.words(&game), turns.len());
                let reply = number.and_then(|number| turns.get(number).copied());
                let Some(reply) = reply else { return wrong(format!("no reply, but {number:?}")) };
                turns = vec![reply];
            }
            for turn in turns {
                let next = state.play(turn).canonical(&game);
                // Captures lead to the tables. A holder without stones has lost, as one without moves has, above.
                if turn.captured != 0 && !next.special(&game) {
                    match tables.value(next.stones) {
                        _ if next.stones.mover == 0 && holder => continue,
                        Some(value) if matches!(value, Value::Loss(_)) && !holder => {
                            return wrong("a capture leads to a position that the holder loses".to_string());
                        }
                        Some(value) if matches!(value, Value::Win(_)) && holder => {
                            return wrong("the reply leads to a position that the holder loses".to_string());
                        }
                        Some(_) => continue,
                        None => {}
                    }
                }
                let (white, blacks) = next.words(&game);
                if seen.insert((white, blacks, attacker_black)) {
                    open.push((next, attacker_black));
                }
            }
        }
        let expected = self.claims[0].positions;
        if replies == expected { Ok(()) } else { Err(format!("{replies} positions have a reply, not {expected}")) }
    }
}

/// The word that a record has for a move.
fn word(game: &Game, turn: Turn) -> u64 {
    let point = |set: u64| u64::from(game.padded(set).trailing_zeros());
    game.padded(turn.captured) | point(turn.origin) << 49 | point(turn.end) << 55
}

/// Reads a code, in order, with code words that are all different.
fn read_code(json: &serde_json::Value) -> Option<Code> {
    let pair = |pair: &serde_json::Value| {
        let [number, length] = &pair.as_array()?[..] else { return None };
        Some((number.as_u64()? as usize, u32::try_from(length.as_u64()?).ok().filter(|&bits| bits < 60)?))
    };
    let code: Code = json.as_array()?.iter().map(pair).collect::<Option<_>>()?;
    let ordered = code.windows(2).all(|two| (two[0].1, two[0].0) < (two[1].1, two[1].0));
    let share: f64 = code.iter().map(|&(_, bits)| 0.5f64.powi(bits as i32)).sum();
    (ordered && share <= 1.0).then_some(code)
}
