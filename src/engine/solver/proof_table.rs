//! The table of proof and disproof numbers: one memory for all threads, without locks.
//!
//! An entry is a [`Slot`] as in the transposition table of the search. All 64 bits of the key are kept: with 32, a billion look-ups would
//! give hundreds of false matches, and one is enough to spoil a proof. Four entries of 16 bytes fill a
//! cache line; of these the one with the smallest subtree gives way.

use std::collections::TryReserveError;

use bytemuck::Zeroable;

use super::groups::GroupId;
use crate::memory::{Buckets, Slot};

/// Proof and disproof numbers are at most this.
pub(super) const MOST: u32 = (1 << 27) - 1;

/// So many entries are written to a checkpoint in no time.
const FEW: usize = 1 << 20;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Neither yet: proof and disproof number, from 1 to [`MOST`].
    Open { proof: u32, disproof: u32 },
    /// The attacker wins; the most plies to the next capture or the end of the game.
    Won { rank: u32 },
    /// The attacker cannot win.
    Held,
    /// The attacker cannot win if the group is held.
    HeldIf(GroupId),
}

/// What is known, and the size of the subtree searched for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) known: Known,
    /// Eight times the binary logarithm of the number of nodes.
    pub(super) size: u8,
}

impl Entry {
    pub(super) fn new(known: Known, nodes: u64) -> Entry {
        let size = (8.0 * (nodes.max(1) as f64).log2()) as u8;
        Entry { known, size }
    }

    /// In one word, never 0: the kind in the two highest bits, then eight bits of size.
    fn pack(self) -> u64 {
        let (kind, payload) = match self.known {
            Known::Open { proof, disproof } => (0, u64::from(proof) << 27 | u64::from(disproof)),
            Known::Won { rank } => (1, u64::from(rank)),
            Known::Held => (2, 0),
            Known::HeldIf(group) => (3, u64::from(group)),
        };
        kind << 62 | u64::from(self.size) << 54 | payload
    }

    fn unpack(word: u64) -> Entry {
        let payload = word & ((1 << 54) - 1);
        let known = match word >> 62 {
            0 => Known::Open {
                proof: (payload >> 27) as u32,
                disproof: payload as u32 & MOST,
            },
            1 => Known::Won {
                rank: payload as u32,
            },
            2 => Known::Held,
            _ => Known::HeldIf(payload as GroupId),
        };
        let size = (word >> 54) as u8;
        Entry { known, size }
    }
}

/// A cache line.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; 4]);

/// The table.
pub(super) struct ProofTable(Buckets<Bucket>);

impl ProofTable {
    /// An empty table of `mib` MiB; `None` if there is no memory for it.
    pub(super) fn new(mib: usize) -> Option<ProofTable> {
        Buckets::new(mib).map(ProofTable)
    }

    /// Says that the node with this key will be asked for soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.0.prefetch(key);
    }

    /// What is known of the node with this key.
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let slots = &self.0.at(key).0;
        slots.iter().find_map(|slot| match slot.read() {
            (_, 0) => None,
            (found, word) => (found == key).then(|| Entry::unpack(word)),
        })
    }

    /// At most `most` entries of subtrees of at least `least` nodes (or all, if they are few), the largest if there are more:
    /// their keys and words. `settled` says what stands for an entry that rests on a group; without that it is
    /// left out. Others may write meanwhile.
    pub(super) fn largest(
        &self,
        most: usize,
        least: u64,
        settled: impl Fn(GroupId) -> Option<Known>,
    ) -> Result<Vec<[u64; 2]>, TryReserveError> {
        let entries = || {
            let slots = self.0.all().iter().flat_map(|bucket| &bucket.0);
            slots.filter_map(|slot| {
                let (key, word) = slot.read();
                let mut entry = (word != 0).then(|| Entry::unpack(word))?;
                if let Known::HeldIf(group) = entry.known {
                    entry.known = settled(group)?;
                }
                Some((key, entry))
            })
        };
        let mut count = [0_usize; 256];
        for (_, entry) in entries() {
            count[usize::from(entry.size)] += 1;
        }
        let mut least = Entry::new(Known::Held, least).size;
        if count.iter().sum::<usize>() <= FEW {
            least = 0;
        }
        let mut left: usize = count[usize::from(least)..].iter().sum();
        while left > most && least < u8::MAX {
            left -= count[usize::from(least)];
            least += 1;
        }
        // Others may write more meanwhile, which is left out.
        let room = left.min(most);
        let mut large = Vec::new();
        large.try_reserve_exact(room)?;
        let entries = entries().filter(|(_, entry)| entry.size >= least);
        large.extend(entries.map(|(key, entry)| [key, entry.pack()]).take(room));
        Ok(large)
    }

    /// Stores an entry of [`ProofTable::largest`], and says whether another one gave way. What is none is left out.
    pub(super) fn put_back(&self, [key, word]: [u64; 2]) -> bool {
        let entry = Entry::unpack(word);
        let is_right = match entry.known {
            Known::Open { proof, disproof } => proof > 0 && disproof > 0,
            Known::Won { rank } => rank <= MOST,
            Known::Held => true,
            Known::HeldIf(_) => false,
        };
        is_right && self.put(key, entry)
    }

    /// Loses entries, as if others had taken their places.
    #[cfg(test)]
    pub(super) fn lose(&self, seed: u64) {
        for (place, slot) in (self.0.all().iter().flat_map(|bucket| &bucket.0)).enumerate() {
            if crate::random::split_mix(seed << 32 | place as u64) & 1 == 0 {
                slot.write(0, 0);
            }
        }
    }

    /// Stores what is known of the node with this key, and says whether another one gave way.
    pub(super) fn put(&self, key: u64, entry: Entry) -> bool {
        let slots = &self.0.at(key).0;
        let mut place = &slots[0];
        let mut least = u16::MAX;
        for slot in slots {
            let (found, word) = slot.read();
            if word == 0 || found == key {
                slot.write(key, entry.pack());
                return false;
            }
            let size = u16::from(Entry::unpack(word).size);
            if size < least {
                (place, least) = (slot, size);
            }
        }
        place.write(key, entry.pack());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = ProofTable::new(1).expect("memory");
        let all = [
            Known::Open {
                proof: 1,
                disproof: MOST,
            },
            Known::Open {
                proof: MOST,
                disproof: 1,
            },
            Known::Won { rank: 90 },
            Known::Held,
            Known::HeldIf(GroupId::MAX),
        ];
        for (key, known) in (1_u64..).zip(all) {
            let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(table.get(key), None);
            let entry = Entry::new(known, key % 1_000);
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
    }

    #[test]
    fn the_smallest_subtree_gives_way() {
        let table = ProofTable::new(1).expect("memory");
        for nodes in [50, 4, 300, 20, 1_000] {
            table.put(nodes, Entry::new(Known::Held, nodes));
        }
        let left = [50, 4, 300, 20, 1_000].map(|key| table.get(key).is_some());
        assert_eq!(left, [true, false, true, true, true]);
    }
}
