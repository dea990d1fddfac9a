//! A static function from keys to bits, which does not store the keys: ribbon retrieval.
//!
//! P. C. Dillinger and S. Walzer, *Ribbon filter: practically smaller than Bloom and Xor*, 2021. Each key stands for a
//! linear equation over GF(2): the sum of some of [`WIDTH`] neighbouring slots is its bit. The equations of a shard, a
//! few hundred keys, are solved together. `docs/certificate.md` has the layout.

use crate::random::split_mix;

/// Slots that an equation may touch.
const WIDTH: usize = 128;
/// Keys of a shard in the mean: measured, 1 percent more slots than keys, and half a percent for the shards' lengths.
const SHARD: usize = 3200;

/// A function in memory: whatever the key, it has an answer, which means something only for the keys that it was made of.
#[derive(Clone, Debug)]
pub(super) struct Retrieval {
    /// The first slot of each shard, and the end.
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

/// An equation of a shard with `slots` slots, at least [`WIDTH`]: its first slot, and which of the slots from there on
/// it adds up. The first is one of them.
fn equation(key: u64, slots: usize) -> (usize, u128) {
    let first = split_mix(key);
    let start = (u128::from(first) * (slots - WIDTH + 1) as u128) >> 64;
    let low = split_mix(first);
    let high = split_mix(low);
    (start as usize, u128::from(high) << 64 | u128::from(low) | 1)
}

fn shard(key: u64, shards: usize) -> usize {
    ((u128::from(key) * shards as u128) >> 64) as usize
}

/// The slots of a shard, if the equations can be solved with this many.
fn solve(keys: &[(u64, bool)], slots: usize) -> Option<Vec<bool>> {
    let mut rows = vec![(0u128, false); slots];
    for &(key, bit) in keys {
        let (mut place, mut row) = equation(key, slots);
        let mut sum = bit;
        loop {
            let (other, value) = rows[place];
            if other == 0 {
                rows[place] = (row, sum);
                break;
            }
            row ^= other;
            sum ^= value;
            if row == 0 {
                // The same equation as others together: with the same sum it is met.
                match sum {
                    true => return None,
                    false => break,
                }
            }
            place += row.trailing_zeros() as usize;
            row >>= row.trailing_zeros();
        }
    }
    let mut solution = vec![false; slots];
    for place in (0..slots).rev() {
        let (row, sum) = rows[place];
        let rest = (1..WIDTH).filter(|&bit| row >> bit & 1 == 1);
        solution[place] = rest.fold(sum, |sum, bit| sum ^ solution[place + bit]);
    }
    Some(solution)
}

impl Retrieval {
    /// The bytes of a function that has these bits at these keys; `None` if a key comes twice with different bits.
    pub(super) fn encode(mut keys: Vec<(u64, bool)>) -> Option<Vec<u8>> {
        keys.sort_unstable();
        keys.dedup();
        if keys.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let shards = keys.len().div_ceil(SHARD);
        let mut bytes = u32::try_from(shards).ok()?.to_le_bytes().to_vec();
        let (mut slots, mut rest) = (Vec::new(), keys.as_slice());
        for place in 0..shards {
            let length = rest.partition_point(|&(key, _)| shard(key, shards) <= place);
            let (keys, after) = rest.split_at(length);
            rest = after;
            let least = keys.len().max(WIDTH);
            let mut sizes = (least..=u16::MAX.into()).step_by(1 + keys.len() / 256);
            let solved = sizes.find_map(|slots| solve(keys, slots))?;
            bytes.extend(u16::try_from(solved.len()).ok()?.to_le_bytes());
            slots.extend(solved);
        }
        let byte = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0, |byte, &bit| byte << 1 | u8::from(bit))
        };
        bytes.extend(slots.chunks(8).map(byte));
        Some(bytes)
    }

    /// Reads a function.
    ///
    /// # Errors
    ///
    /// If the number of bytes is wrong, or a shard has too few slots.
    pub(super) fn decode(bytes: &[u8]) -> Result<Retrieval, String> {
        let short = || "the function is cut off".to_owned();
        let (shards, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let shards = u32::from_le_bytes(*shards) as usize;
        let (slots, bits) = shards
            .checked_mul(2)
            .and_then(|length| rest.split_at_checked(length))
            .ok_or_else(short)?;
        let mut starts = vec![0];
        for slots in slots.as_chunks().0 {
            let slots = usize::from(u16::from_le_bytes(*slots));
            if slots < WIDTH {
                return Err(format!(
                    "a shard of {slots} slots, expected {WIDTH} or more"
                ));
            }
            starts.push(starts[starts.len() - 1] + slots);
        }
        if bits.len() != starts[shards].div_ceil(8) {
            return Err(short());
        }
        // A window is read as three words.
        let mut bytes = bits.to_vec();
        bytes.resize(bits.len() + 24, 0);
        Ok(Retrieval { starts, bytes })
    }

    /// The bit of a key.
    pub(super) fn bit(&self, key: u64) -> bool {
        let shards = self.starts.len() - 1;
        if shards == 0 {
            return false;
        }
        let place = shard(key, shards);
        let (start, end) = (self.starts[place], self.starts[place + 1]);
        let (first, row) = equation(key, end - start);
        let bit = start + first;
        let at = bit / 8;
        let mut window = [0; 16];
        window.copy_from_slice(&self.bytes[at..at + 16]);
        let mut window = u128::from_le_bytes(window) >> (bit % 8);
        if bit % 8 > 0 {
            window |= u128::from(self.bytes[at + 16]) << (WIDTH - bit % 8);
        }
        (window & row).count_ones() % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_bit() {
        for count in [0, 1, 100, 12_345] {
            let bit = |key: u64| key.count_ones() % 3 == 1;
            let keys: Vec<u64> = (0..count).map(split_mix).collect();
            let bits = keys.iter().map(|&key| (key, bit(key))).collect();
            let bytes = Retrieval::encode(bits).expect("different keys");
            let function = Retrieval::decode(&bytes).expect("its own bytes");
            for key in keys {
                assert_eq!(function.bit(key), bit(key));
            }
            assert!(
                bytes.len() as u64 <= 30 + count * 21 / 160,
                "{} bytes",
                bytes.len()
            );
        }
    }

    #[test]
    fn wrong_bytes_are_refused() {
        assert_eq!(Retrieval::encode(vec![(7, true), (7, false)]), None);
        let bytes = Retrieval::encode(vec![(7, true)]).expect("one key");
        assert!(Retrieval::decode(&bytes[..bytes.len() - 1]).is_err());
        assert!(Retrieval::decode(&bytes[..3]).is_err());
        assert!(Retrieval::decode(&[255; 4]).is_err());
        assert!(Retrieval::decode(&[1, 0, 0, 0, 127, 0]).is_err());
    }
}
