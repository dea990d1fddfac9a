//! Making what a strategy is written in: prefix codes, and a static function from keys to bits, by its equations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use vato_engine::proofs::strategy::code::Code;
use vato_engine::proofs::strategy::retrieval::{WIDTH, equation, shard};

/// Keys of a shard in the mean: measured, 1 percent more slots than keys, and half a percent for the shards' lengths.
const SHARD: usize = 3200;

/// The best code for symbols with these frequencies, by symbol; those that never occur have no word.
pub(super) fn best(frequencies: &[u64]) -> Code {
    let occurs = |&(_, &count): &(usize, &u64)| count > 0;
    let symbols = frequencies.iter().enumerate().filter(occurs);
    let leaf = |(symbol, &count): (usize, &u64)| Reverse((count, vec![(symbol as u16, 0)]));
    let mut heap: BinaryHeap<Reverse<(u64, Code)>> = symbols.map(leaf).collect();
    while let Some(Reverse((count, mut code))) = heap.pop() {
        let Some(Reverse((other, more))) = heap.pop() else {
            code.sort_unstable_by_key(|&(symbol, length)| (length, symbol));
            return code;
        };
        code.extend(more);
        code.iter_mut().for_each(|(_, length)| *length += 1);
        heap.push(Reverse((count + other, code)));
    }
    Code::new()
}

/// The word of a symbol, the last of its bits lowest, and its length.
pub(super) fn word(code: &Code, symbol: u16) -> Option<(u64, u8)> {
    let (mut next, mut before) = (0u64, 0);
    for &(other, length) in code {
        next <<= length - before;
        if other == symbol {
            return Some((next, length));
        }
        next += 1;
        before = length;
    }
    None
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
                if sum { return None } else { break }
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

#[cfg(test)]
mod tests {
    use vato_engine::proofs::strategy::code::{check, read};
    use vato_engine::proofs::strategy::retrieval::Retrieval;
    use vato_engine::random::split_mix;

    use super::*;

    #[test]
    fn words_are_read_back() {
        let mixed = [5, 0, 900, 30, 30, 1, 0, 2];
        for frequencies in [&mixed[..], &[0, 4], &[1; 40], &[7, 7]] {
            let code = best(frequencies);
            assert_eq!(check(&code), Ok(()));
            for (symbol, &count) in frequencies.iter().enumerate() {
                let symbol = symbol as u16;
                let Some((bits, length)) = word(&code, symbol) else {
                    assert_eq!(count, 0);
                    continue;
                };
                let bit = |place| bits >> (length - 1 - place) & 1 == 1;
                assert_eq!(read(&code, bit), Some(symbol));
            }
        }
        assert_eq!(best(&[30, 1, 10]), [(0, 1), (1, 2), (2, 2)]);
        assert_eq!(best(&[3]), [(0, 0)]);
    }

    #[test]
    fn every_key_has_its_bit() {
        for count in [0, 1, 100, 12_345] {
            let bit = |key: u64| key.count_ones() % 3 == 1;
            let keys: Vec<u64> = (0..count).map(split_mix).collect();
            let bits = keys.iter().map(|&key| (key, bit(key))).collect();
            let bytes = encode(bits).expect("different keys");
            let function = Retrieval::decode(&bytes).expect("its own bytes");
            for key in keys {
                assert_eq!(function.bit(key), bit(key));
            }
            let most = 30 + count * 21 / 160;
            assert!(bytes.len() as u64 <= most, "{count}: {}", bytes.len());
        }
    }

    #[test]
    fn wrong_bytes_are_refused() {
        assert_eq!(encode(vec![(7, true), (7, false)]), None);
        let bytes = encode(vec![(7, true)]).expect("one key");
        assert!(Retrieval::decode(&bytes[..bytes.len() - 1]).is_err());
        assert!(Retrieval::decode(&bytes[..3]).is_err());
        assert!(Retrieval::decode(&[255; 4]).is_err());
        assert!(Retrieval::decode(&[1, 0, 0, 0, 127, 0]).is_err());
    }
}
