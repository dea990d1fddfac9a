//! The table of proof and disproof numbers: one memory for all threads, without locks.
//!
//! An entry is a [`Slot`] as in the transposition table. All 64 bits of the key are kept: with 32, a billion look-ups
//! would give hundreds of false matches, and one is enough to make a proof wrong. Four entries of 16 bytes fill a cache
//! line; of these the one with the smallest subtree is replaced.

use std::collections::TryReserveError;

use super::groups::GroupId;
use vato_engine::buckets::Buckets;
use vato_engine::proofs::Claim;

/// The greatest proof and disproof number.
pub(super) const MOST: u32 = (1 << 27) - 1;

/// A checkpoint of at most so many entries keeps all of them.
const FEW: usize = 1 << 20;

/// The status of a node; `D` is what a disproof depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status<D> {
    /// Neither proven nor disproven: proof and disproof number, from 1 to [`MOST`].
    Open { proof: u32, disproof: u32 },
    /// The attacker wins; the rank is the most plies to the next capture or the end of the game.
    Proven { rank: u32 },
    /// The attacker cannot win; `None` if that holds on every path.
    Disproven(Option<D>),
}

impl<D> Status<D> {
    /// The status with the dependence of a disproof in other terms; `None` if it has none in these.
    #[inline]
    pub(super) fn with<E>(self, of: impl FnOnce(D) -> Option<Option<E>>) -> Option<Status<E>> {
        Some(match self {
            Status::Open { proof, disproof } => Status::Open { proof, disproof },
            Status::Proven { rank } => Status::Proven { rank },
            Status::Disproven(None) => Status::Disproven(None),
            Status::Disproven(Some(dependence)) => Status::Disproven(of(dependence)?),
        })
    }
}

/// The status of a node in the search.
pub(super) type PathStatus = Status<(u32, u32)>;

/// The status of a node that the rules or the tables decide.
pub(super) fn of_claim(claim: Claim) -> PathStatus {
    match claim {
        Claim::Wins => Status::Proven { rank: 0 },
        Claim::CannotWin => Status::Disproven(None),
    }
}

/// The status of a node, and the size of the subtree searched for it in its longest visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// A disproof holds on every path, or if its group is confirmed.
    pub(super) status: Status<GroupId>,
    /// Eight times the binary logarithm of the number of nodes.
    pub(super) size: u8,
}

impl Entry {
    pub(super) fn new(status: Status<GroupId>, nodes: u64) -> Entry {
        let size = (8.0 * (nodes.max(1) as f64).log2()) as u8;
        Entry { status, size }
    }

    /// In one word, never 0: the kind in the two highest bits, then eight bits of size.
    fn pack(self) -> u64 {
        let (kind, payload) = match self.status {
            Status::Open { proof, disproof } => (0, u64::from(proof) << 27 | u64::from(disproof)),
            Status::Proven { rank } => (1, u64::from(rank)),
            Status::Disproven(None) => (2, 0),
            Status::Disproven(Some(group)) => (3, u64::from(group)),
        };
        kind << 62 | u64::from(self.size) << 54 | payload
    }

    fn unpack(word: u64) -> Entry {
        let payload = word & ((1 << 54) - 1);
        let status = match word >> 62 {
            0 => Status::Open {
                proof: (payload >> 27) as u32,
                disproof: payload as u32 & MOST,
            },
            1 => Status::Proven {
                rank: payload as u32,
            },
            2 => Status::Disproven(None),
            _ => Status::Disproven(Some(payload as GroupId)),
        };
        let size = (word >> 54) as u8;
        Entry { status, size }
    }
}

pub(super) struct ProofTable(Buckets);

impl ProofTable {
    /// An empty table of `mib` MiB; `None` if there is no memory for it.
    pub(super) fn new(mib: usize) -> Option<ProofTable> {
        Buckets::new(mib).map(ProofTable)
    }

    /// Loads the bucket of this key into the cache.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.0.prefetch(key);
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let slots = self.0.at(key);
        slots.iter().find_map(|slot| match slot.read() {
            (_, 0) => None,
            (found, word) => (found == key).then(|| Entry::unpack(word)),
        })
    }

    /// Keys and words of at most `most` entries: those with the largest subtrees, of at least `least` nodes unless
    /// there are few entries. A disproof with a group is left out unless the group is confirmed. Other threads may
    /// write meanwhile.
    pub(super) fn largest(
        &self,
        most: usize,
        least: u64,
        is_confirmed: impl Fn(GroupId) -> bool,
    ) -> Result<Vec<[u64; 2]>, TryReserveError> {
        let entries = || {
            let slots = self.0.all().iter().flat_map(|bucket| &bucket.0);
            slots.filter_map(|slot| {
                let (key, word) = slot.read();
                let Entry { status, size } = (word != 0).then(|| Entry::unpack(word))?;
                let status = status.with(|group| is_confirmed(group).then_some(None))?;
                Some((key, Entry { status, size }))
            })
        };
        let mut count = [0_usize; 256];
        for (_, entry) in entries() {
            count[usize::from(entry.size)] += 1;
        }
        let mut least = Entry::new(Status::Disproven(None), least).size;
        if count.iter().sum::<usize>() <= FEW {
            least = 0;
        }
        let mut left: usize = count[usize::from(least)..].iter().sum();
        while left > most && least < u8::MAX {
            left -= count[usize::from(least)];
            least += 1;
        }
        // Entries that other threads add meanwhile are left out.
        let room = left.min(most);
        let mut large = Vec::new();
        large.try_reserve_exact(room)?;
        let entries = entries().filter(|(_, entry)| entry.size >= least);
        large.extend(entries.map(|(key, entry)| [key, entry.pack()]).take(room));
        Ok(large)
    }

    /// Stores an entry of [`ProofTable::largest`] unless it is invalid or there is a better one: settled, or else of a
    /// larger subtree. Returns whether another one was replaced.
    pub(super) fn restore(&self, [key, word]: [u64; 2]) -> bool {
        let entry = Entry::unpack(word);
        let is_valid = match entry.status {
            Status::Open { proof, disproof } => proof > 0 && disproof > 0,
            Status::Proven { rank } => rank <= MOST,
            Status::Disproven(group) => group.is_none(),
        };
        let is_open = |entry: Entry| matches!(entry.status, Status::Open { .. });
        let is_better = |old: Entry| (is_open(entry), old.size) > (is_open(old), entry.size);
        is_valid && !self.get(key).is_some_and(is_better) && self.put(key, entry)
    }

    /// Stores an entry. Returns whether one with another key was replaced.
    pub(super) fn put(&self, key: u64, entry: Entry) -> bool {
        let slots = self.0.at(key);
        let mut place = &slots[0];
        let mut least = u16::MAX;
        for slot in slots {
            let (found, word) = slot.read();
            // 0 of a slot that is empty.
            let before = Entry::unpack(word).size;
            if word == 0 || found == key {
                // A visit may be shorter than one before it.
                let size = entry.size.max(before);
                slot.write(key, Entry { size, ..entry }.pack());
                return false;
            }
            let size = u16::from(before);
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

    impl ProofTable {
        /// Deletes half of the entries, as if they had been replaced.
        pub(crate) fn lose(&self, seed: u64) {
            for (place, slot) in (self.0.all().iter().flat_map(|bucket| &bucket.0)).enumerate() {
                if vato_engine::random::split_mix(seed << 32 | place as u64) & 1 == 0 {
                    slot.write(0, 0);
                }
            }
        }
    }

    #[test]
    fn entries_come_back() {
        let table = ProofTable::new(1).expect("memory");
        let [first, second] =
            [(1, MOST), (MOST, 1)].map(|(proof, disproof)| Status::Open { proof, disproof });
        let all = [
            first,
            second,
            Status::Proven { rank: 90 },
            Status::Disproven(None),
            Status::Disproven(Some(GroupId::MAX)),
        ];
        for (key, status) in (1_u64..).zip(all) {
            let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(table.get(key), None);
            let entry = Entry::new(status, key % 1_000);
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
    }

    #[test]
    fn the_smallest_subtree_is_replaced() {
        let table = ProofTable::new(1).expect("memory");
        for nodes in [50, 4, 300, 20, 1_000] {
            table.put(nodes, Entry::new(Status::Disproven(None), nodes));
        }
        let left = [50, 4, 300, 20, 1_000].map(|key| table.get(key).is_some());
        assert_eq!(left, [true, false, true, true, true]);
    }
}
