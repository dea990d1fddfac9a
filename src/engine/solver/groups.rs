//! Results that rest on the history of the path, settled in groups.
//!
//! "The attacker makes no progress, because the position repeats one of the path" holds only below that
//! position. Such results are stored with a *group*, that of the deepest position of the path that they
//! rest on. When the search leaves that position, the group is held if nothing in it rests on positions
//! further up, merged into the group of the position before if something does, and void if the position
//! is not held after all. The members of a group that is held rest only on each other and on results
//! without history, so that play among them never ends in a win: they are held (a greatest fixed point).
//!
//! The graph history interaction is described by A. Kishimoto and M. Müller, *A General Solution to the
//! Graph History Interaction Problem*, AAAI 2004; groups follow the lowlinks of R. Tarjan's strongly
//! connected components, 1972.

use bytemuck::allocation::try_zeroed_slice_box;

use crate::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of a group, from 1; 0 is none.
pub(super) type GroupId = u32;

/// What a group is worth to a thread that meets one of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Its members are held.
    Held,
    /// Its members are held as long as two positions of the path are on it: `low` is the depth of the
    /// highest that any of them rests on, `deep` that of the deepest.
    OnPath { low: u32, deep: u32 },
    /// Nothing is known of its members.
    Void,
}

/// All groups of a search. A group is changed only by the thread that made it; nothing orders what others see of it
/// (`tests/loom/groups.rs`), but whatever that is, a group held to them is held, and one on a path is their own.
#[derive(Debug)]
pub(super) struct Groups {
    /// Kind in the two highest bits; of a group on the path, its thread (14 bits), the least depth that a
    /// member rests on and its own depth (24 bits each); of a merged one the group that took it.
    states: Box<[AtomicU64]>,
    used: AtomicU32,
}

const KIND: u32 = 62;
/// Of zeros: to another thread, a group that it knows of may not have been written yet.
const VOID: u64 = 0;
const HELD: u64 = 1;
const MERGED: u64 = 2;
const ON_PATH: u64 = 3;
const DEPTH: u64 = (1 << 24) - 1;

impl Groups {
    /// No group, with room for so many; `None` if there is no memory for it.
    pub(super) fn new(room: usize) -> Option<Groups> {
        Some(Groups {
            states: try_zeroed_slice_box(room).ok()?,
            used: AtomicU32::new(1),
        })
    }

    /// A new group of a position at `depth` of the path of `thread`; `None` if there is no room.
    pub(super) fn open(&self, thread: usize, depth: u32) -> Option<GroupId> {
        // Far from wrapping: threads stop asking soon after there is no room.
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

    fn state(&self, id: GroupId) -> u64 {
        self.states[id as usize].load(Ordering::Relaxed)
    }

    /// The least depth that a member of a group on the path rests on.
    pub(super) fn low(&self, id: GroupId) -> u32 {
        (self.state(id) >> 24 & DEPTH) as u32
    }

    /// Notes that a member of a group on the path rests on a position at this depth.
    pub(super) fn lower(&self, id: GroupId, low: u32) {
        let state = self.state(id);
        let least = (state >> 24 & DEPTH).min(u64::from(low));
        let others = state & !(DEPTH << 24);
        self.states[id as usize].store(others | least << 24, Ordering::Relaxed);
    }

    /// All members of the group are held.
    pub(super) fn hold(&self, id: GroupId) {
        self.states[id as usize].store(HELD << KIND, Ordering::Relaxed);
    }

    /// Nothing is known of the members of the group.
    pub(super) fn void(&self, id: GroupId) {
        self.states[id as usize].store(VOID << KIND, Ordering::Relaxed);
    }

    /// The members of the group belong to another one, which is on the path.
    pub(super) fn merge(&self, id: GroupId, into: GroupId) {
        self.lower(into, self.low(id));
        self.states[id as usize].store(MERGED << KIND | u64::from(into), Ordering::Relaxed);
    }

    /// What the group is worth to `thread`.
    pub(super) fn standing(&self, id: GroupId, thread: usize) -> Standing {
        let mut state = self.state(id);
        while state >> KIND == MERGED {
            state = self.state(state as GroupId);
        }
        match state >> KIND {
            HELD => Standing::Held,
            ON_PATH if (state >> 48 & 0x3fff) == thread as u64 => Standing::OnPath {
                low: (state >> 24 & DEPTH) as u32,
                deep: (state & DEPTH) as u32,
            },
            // What other threads have not settled yet is nothing to rely on.
            _ => Standing::Void,
        }
    }
}

#[cfg(all(test, vato_loom))]
#[path = "../../../tests/loom/groups.rs"]
mod models;
