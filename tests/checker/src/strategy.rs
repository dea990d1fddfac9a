//! Strategies: a function that gives the holder's reply in every position.

use crate::board::Turn;
use crate::proof::take;
use std::cmp::Reverse;

/// Numbers of replies, each with the length of its code word in bits.
pub type Code = Vec<(usize, u32)>;

pub struct Strategy {
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

impl Strategy {
    pub fn read(codes: Vec<Code>, mut bytes: &[u8]) -> Result<Strategy, String> {
        // Code words are in order and all different.
        let proper = |code: &Code| {
            let share: f64 = code.iter().map(|&(_, bits)| 0.5f64.powi(bits as i32)).sum();
            share <= 1.0 && code.is_sorted_by(|a, b| (a.1, a.0) < (b.1, b.0)) && code.iter().all(|two| two.1 < 60)
        };
        if codes.len() != 32 || !codes.iter().all(proper) {
            return Err("the header has wrong codes".to_string());
        }
        let (mut shards, mut total) = (Vec::new(), 0);
        for _ in 0..u32::from_le_bytes(*take(&mut bytes)?) {
            let slots = usize::from(u16::from_le_bytes(*take(&mut bytes)?));
            if slots < 128 {
                return Err("a shard has too few slots".to_string());
            }
            shards.push((total, slots));
            total += slots;
        }
        let unused = |byte: &u8| total % 8 != 0 && byte >> (total % 8) != 0;
        if bytes.len() != total.div_ceil(8) || bytes.last().is_some_and(unused) {
            return Err("the slots do not fill the file, or an unused bit is set".to_string());
        }
        Ok(Strategy { codes, shards, slots: bytes.to_vec() })
    }

    fn bit(&self, key: u64) -> bool {
        if self.shards.is_empty() {
            return false;
        }
        // A number below a limit, by the high bits of a random word.
        let below = |word: u64, limit: usize| ((u128::from(word) * limit as u128) >> 64) as usize;
        let (first, slots) = self.shards[below(key, self.shards.len())];
        let (a, b, c) = (mix(key), mix(mix(key)), mix(mix(mix(key))));
        let start = first + below(a, slots - 127);
        let chosen = u128::from(c) << 64 | u128::from(b) | 1;
        let slots = (0..128).filter(|slot| chosen >> slot & 1 == 1).map(|slot| start + slot);
        slots.filter(|slot| self.slots[slot / 8] >> (slot % 8) & 1 == 1).count() % 2 == 1
    }

    /// The moves to follow: the reply if one is enough (`choice`), or else all. There are no ranks.
    pub fn moves(&self, words: [u64; 2], mut turns: Vec<Turn>, choice: bool) -> Result<(Vec<Turn>, u32), &str> {
        if choice {
            turns.sort_by_key(|turn| (Reverse(turn.captured.count_ones()), turn.word()));
            let number = if turns.len() == 1 { Some(0) } else { self.number(words, turns.len()) };
            turns = vec![*number.and_then(|number| turns.get(number)).ok_or("there is no reply")?];
        }
        Ok((turns, 0))
    }

    /// The number of the reply to a position, given by its words, with so many moves.
    fn number(&self, words: [u64; 2], moves: usize) -> Option<usize> {
        let key = mix(mix(words[0]) ^ words[1]);
        // What is read, and the next code word, both of the same length.
        let (mut read, mut word, mut length) = (0, 0, 0);
        for &(number, bits) in &self.codes[moves.min(33) - 2] {
            word <<= bits - length;
            for i in length..bits {
                read = read << 1 | u64::from(self.bit(mix(key.wrapping_add(i.into()))));
            }
            if read == word {
                return Some(number);
            }
            (word, length) = (word + 1, bits);
        }
        None
    }
}
