//! Outcomes in two bits each.

use super::value::Wdl;

/// Outcomes in a byte.
pub(super) const PER_BYTE: u64 = 4;

/// Bytes that so many outcomes take.
pub(super) const fn packed_bytes(outcomes: u64) -> u64 {
    outcomes.div_ceil(PER_BYTE)
}

/// Packs outcomes; the lowest bits of a byte hold the first. `packed` has room for exactly so many.
pub(super) fn pack(outcomes: &[Wdl], packed: &mut [u8]) {
    for (byte, four) in packed.iter_mut().zip(outcomes.chunks(PER_BYTE as usize)) {
        let outcomes = four.iter().rev();
        *byte = outcomes.fold(0, |byte, &outcome| byte << 2 | outcome as u8);
    }
}

/// The outcome at `place` of packed ones.
///
/// # Panics
///
/// If it is not among them.
#[inline(always)]
pub(super) fn get(packed: &[u8], place: usize) -> Wdl {
    Wdl::from_code(packed[place / PER_BYTE as usize] >> (2 * (place % PER_BYTE as usize)) & 3)
}

/// Packed outcomes that belong together.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedWdl {
    bytes: Vec<u8>,
}

impl PackedWdl {
    /// Takes over bytes that are packed outcomes.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> PackedWdl {
        PackedWdl { bytes }
    }

    /// The outcome with this number.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> Wdl {
        get(&self.bytes, number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let outcomes: Vec<Wdl> = (0..23).map(|i| Wdl::ALL[i * i % 3]).collect();
        let mut bytes = vec![0; packed_bytes(23) as usize];
        pack(&outcomes, &mut bytes);
        let packed = PackedWdl::from_bytes(bytes);
        for (number, &outcome) in outcomes.iter().enumerate() {
            assert_eq!(packed.get(number as u64), outcome);
        }
    }
}
