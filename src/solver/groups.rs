//! Disproofs that depend on the path, settled in groups.
//!
//! A position that repeats one of the path is disproven, but only below that position. Such a disproof, and every one
//! that uses it, is stored with the *group* of the deepest position of the path that it depends on. When the search
//! leaves that position, its group is confirmed if no member depends on a position further up, merged into the group of
//! its parent if one does, and void if the position itself is not disproven. The members of a confirmed group depend
//! only on each other and on disproofs that hold on every path, so that play among them never ends in a win: they are
//! disproven (a greatest fixed point).
//!
//! The graph history interaction is described by A. Kishimoto and M. Müller, *A General Solution to the
//! Graph History Interaction Problem*, AAAI 2004; groups follow the lowlinks of R. Tarjan's strongly
//! connected components, 1972.

use bytemuck::allocation::try_zeroed_slice_box;

use vato_engine::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of a group, from 1.
pub(super) type GroupId = u32;

/// The least and the greatest depth of the path that a disproof depends on; `None` if it holds on every path.
pub(super) type PathDependence = Option<(u32, u32)>;

/// All groups of a search. Only the thread that made a group changes it. Other threads may see these changes in any
/// order (`tests/loom/groups.rs`): they use a group only once it is confirmed, which is final.
#[derive(Debug)]
pub(super) struct Groups {
    /// The kind in the two highest bits; of a group on the path, its thread (14 bits), the least depth that a
    /// member depends on and its own depth (24 bits each); of a merged one, the group that it belongs to.
    states: Box<[AtomicU64]>,
    used: AtomicU32,
}

const KIND: u32 = 62;
/// Zero, as another thread may look up a group before it sees the first state.
const VOID: u64 = 0;
const CONFIRMED: u64 = 1;
const MERGED: u64 = 2;
const ON_PATH: u64 = 3;
const DEPTH: u64 = (1 << 24) - 1;

impl Groups {
    /// Room for `capacity` groups; `None` if there is no memory for it.
    pub(super) fn new(capacity: usize) -> Option<Groups> {
        Some(Groups {
            states: try_zeroed_slice_box(capacity).ok()?,
            used: AtomicU32::new(1),
        })
    }

    /// A new group for the position at `depth` of the path of `thread`; `None` if there is no room.
    pub(super) fn open(&self, thread: usize, depth: u32) -> Option<GroupId> {
        // Each thread adds at most one after the last free one, so this does not wrap.
        if self.used.load(Ordering::Relaxed) as usize >= self.states.len() {
            return None;
        }
        let id = self.used.fetch_add(1, Ordering::Relaxed);
        let state = self.states.get(id as usize)?;
        let depth = u64::from(depth);
        state.store(
            ON_PATH << KIND | (thread as u64) << 48 | depth << 24 | depth,
            Ordering::Relaxed,
        );
        Some(id)
    }

    fn word(&self, id: GroupId) -> u64 {
        self.states[id as usize].load(Ordering::Relaxed)
    }

    /// The least depth that a member of a group on the path depends on.
    pub(super) fn low(&self, id: GroupId) -> u32 {
        (self.word(id) >> 24 & DEPTH) as u32
    }

    /// Notes that a member of a group on the path depends on the position at this depth.
    pub(super) fn lower(&self, id: GroupId, low: u32) {
        let state = self.word(id);
        let least = (state >> 24 & DEPTH).min(u64::from(low));
        let others = state & !(DEPTH << 24);
        self.states[id as usize].store(others | least << 24, Ordering::Relaxed);
    }

    /// The members of the group are disproven.
    pub(super) fn confirm(&self, id: GroupId) {
        self.states[id as usize].store(CONFIRMED << KIND, Ordering::Relaxed);
    }

    /// Nothing is known of the members of the group.
    pub(super) fn discard(&self, id: GroupId) {
        self.states[id as usize].store(VOID << KIND, Ordering::Relaxed);
    }

    /// Moves the members of the group to another one, which is on the path.
    pub(super) fn merge(&self, id: GroupId, into: GroupId) {
        self.lower(into, self.low(id));
        self.states[id as usize].store(MERGED << KIND | u64::from(into), Ordering::Relaxed);
    }

    /// What the disproofs of the group depend on; `None` if nothing is known of its members, as of those of a group on
    /// the path of another thread than `thread`.
    pub(super) fn dependence(&self, id: GroupId, thread: usize) -> Option<PathDependence> {
        let mut state = self.word(id);
        while state >> KIND == MERGED {
            state = self.word(state as GroupId);
        }
        match state >> KIND {
            CONFIRMED => Some(None),
            ON_PATH if (state >> 48 & 0x3fff) == thread as u64 => {
                Some(Some(((state >> 24 & DEPTH) as u32, (state & DEPTH) as u32)))
            }
            _ => None,
        }
    }
}

/// The dependence of a disproof that uses two others.
pub(super) fn depends_on_both(one: PathDependence, other: PathDependence) -> PathDependence {
    match (one, other) {
        (Some((low, deep)), Some((other_low, other_deep))) => {
            Some((low.min(other_low), deep.max(other_deep)))
        }
        (one, other) => one.or(other),
    }
}

/// Of two dependences, `None`, or else the one whose least depth is greater.
pub(super) fn less_dependent(one: PathDependence, other: PathDependence) -> PathDependence {
    let ((low, _), (other_low, _)) = (one?, other?);
    if other_low > low { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependences_are_combined() {
        assert_eq!(depends_on_both(None, None), None);
        assert_eq!(depends_on_both(Some((2, 3)), None), Some((2, 3)));
        assert_eq!(depends_on_both(Some((2, 3)), Some((1, 2))), Some((1, 3)));
        assert_eq!(less_dependent(None, Some((1, 1))), None);
        assert_eq!(less_dependent(Some((1, 4)), Some((2, 2))), Some((2, 2)));
        assert_eq!(less_dependent(Some((2, 4)), Some((1, 1))), Some((2, 4)));
    }
}

#[cfg(all(test, vato_loom))]
#[path = "../../tests/loom/groups.rs"]
mod models;
