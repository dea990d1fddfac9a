//! Making prefix codes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use vato_engine::proofs::strategy::code::Code;

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

#[cfg(test)]
mod tests {
    use vato_engine::proofs::strategy::code::{check, read};

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
}
