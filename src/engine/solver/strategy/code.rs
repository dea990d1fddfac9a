//! Prefix codes: the numbers of replies in as few bits as their frequencies allow.
//!
//! D. A. Huffman, *A method for the construction of minimum-redundancy codes*, 1952, in canonical form: code words are
//! given out in order of length, then of symbol, each the one before plus one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest code word.
const LONGEST: u8 = 48;

/// A code: each symbol with the length of its word in bits, in order of length, then of symbol. A single symbol has the
/// empty word.
pub(super) type Code = Vec<(u16, u8)>;

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

/// Checks a code that was read.
///
/// # Errors
///
/// If it is out of order, has a symbol twice, or its words do not fill the code exactly.
pub(super) fn check(code: &Code) -> Result<(), String> {
    let is_ordered = code.is_sorted_by_key(|&(symbol, length)| (length, symbol));
    let mut symbols: Vec<u16> = code.iter().map(|(symbol, _)| *symbol).collect();
    symbols.sort_unstable();
    let is_unique = symbols.windows(2).all(|pair| pair[0] != pair[1]);
    let is_short = code.iter().all(|&(_, length)| length <= LONGEST);
    let share = |&(_, length): &(u16, u8)| 1u128 << (LONGEST - length);
    let fills = || code.iter().map(share).sum::<u128>() == 1 << LONGEST;
    match is_ordered && is_unique && is_short && (code.is_empty() || fills()) {
        true => Ok(()),
        false => Err("a code is not a complete prefix code in canonical form".to_owned()),
    }
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

/// Reads a symbol: `bit` gives the bits of its word by their place. `None` if the code is empty.
pub(super) fn read(code: &Code, bit: impl Fn(u8) -> bool) -> Option<u16> {
    let (mut word, mut next, mut known) = (0u64, 0u64, 0);
    for &(symbol, length) in code {
        while known < length {
            word = word << 1 | u64::from(bit(known));
            next <<= 1;
            known += 1;
        }
        if word == next {
            return Some(symbol);
        }
        next += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for frequencies in [
            &[5, 0, 900, 30, 30, 1, 0, 2][..],
            &[0, 4],
            &[1; 40],
            &[7, 7],
        ] {
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
    fn other_codes_are_refused() {
        for code in [
            vec![(0, 1)],
            vec![(0, 1), (0, 1)],
            vec![(1, 1), (0, 1)],
            vec![(0, 60)],
        ] {
            assert!(check(&code).is_err(), "{code:?}");
        }
    }
}
