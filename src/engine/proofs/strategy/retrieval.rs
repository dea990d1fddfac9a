//! A static function from keys to bits, which does not store the keys: ribbon retrieval.
//!
//! P. C. Dillinger and S. Walzer, *Ribbon filter: practically smaller than Bloom and Xor*, 2021. Each key stands for a
//! linear equation over GF(2): the sum of some of [`WIDTH`] neighbouring slots is its bit. The equations of a shard, a
//! few hundred keys, are solved together. `docs/certificate.md` has the layout.

use crate::random::split_mix;

/// Slots that an equation may touch.
pub const WIDTH: usize = 128;
/// A function in memory: whatever the key, it has an answer, which means something only for the keys that it was made of.
#[derive(Clone, Debug)]
pub struct Retrieval {
    /// The first slot of each shard, and the end.
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

/// An equation of a shard with `slots` slots, at least [`WIDTH`]: its first slot, and which of the slots from there on
/// it adds up. The first is one of them.
pub fn equation(key: u64, slots: usize) -> (usize, u128) {
    let first = split_mix(key);
    let start = (u128::from(first) * (slots - WIDTH + 1) as u128) >> 64;
    let low = split_mix(first);
    let high = split_mix(low);
    (start as usize, u128::from(high) << 64 | u128::from(low) | 1)
}

/// The shard of a key.
pub fn shard(key: u64, shards: usize) -> usize {
    ((u128::from(key) * shards as u128) >> 64) as usize
}

impl Retrieval {
    /// Reads a function.
    ///
    /// # Errors
    ///
    /// If the number of bytes is wrong, or a shard has too few slots.
    pub fn decode(bytes: &[u8]) -> Result<Retrieval, String> {
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
    pub fn bit(&self, key: u64) -> bool {
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
