//! Prefix codes: the numbers of replies in as few bits as their frequencies allow.
//!
//! D. A. Huffman, *A method for the construction of minimum-redundancy codes*, 1952, in canonical form: code words are
//! given out in order of length, then of symbol, each the one before plus one.

const LONGEST: u8 = 48;

/// A code: each symbol with the length of its word in bits, in order of length, then of symbol. A single symbol has the
/// empty word.
pub type Code = Vec<(u16, u8)>;

/// Checks a code that was read.
///
/// # Errors
///
/// If it is out of order, has a symbol twice, or its words do not fill the code exactly.
pub fn check(code: &Code) -> Result<(), String> {
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

/// Reads a symbol: `bit` gives the bits of its word by their place. `None` if the code is empty.
pub fn read(code: &Code, bit: impl Fn(u8) -> bool) -> Option<u16> {
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
