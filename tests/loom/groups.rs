//! Groups and the proof table: the states of a group that another thread may see.

use loom::sync::Arc;
use loom::thread;

use super::*;
use crate::proof_table::{Entry, ProofTable, Status};

/// The thread that makes the groups, and the one that looks them up.
const MAKER: usize = 1;
const OTHER: usize = 0;

const KEY: u64 = 1 << 40;

/// States of a group.
const VOID: Option<PathDependence> = None;
const CONFIRMED: Option<PathDependence> = Some(None);

/// The maker makes a group, stores a disproof that depends on it, and does `then`; meanwhile the other thread looks the
/// disproof up, and `is_right` says whether it may see this state of the group.
fn model(then: fn(&Groups, GroupId), is_right: fn(Option<PathDependence>) -> bool) {
    loom::model(move || {
        let shared = Arc::new((
            Groups::new(4).expect("memory"),
            ProofTable::new(1).expect("memory"),
        ));
        // Looked at once, so that the atomics are made before the threads begin.
        (0..4).for_each(|group| assert_ne!(shared.0.dependence(group, OTHER), CONFIRMED));
        assert_eq!(shared.1.get(KEY), None);
        let made = Arc::clone(&shared);
        let maker = thread::spawn(move || {
            let (groups, table) = &*made;
            let group = groups.open(MAKER, 5).expect("room");
            groups.lower(group, 2);
            table.put(KEY, Entry::new(Status::Disproven(Some(group)), 1));
            then(groups, group);
        });
        // The maker runs first, as its join comes first: loom goes back to a store before a load of another thread,
        // but not to a load before a store whose thread has loaded the same.
        let reader = thread::spawn(move || {
            let (groups, table) = &*shared;
            let Some(entry) = table.get(KEY) else {
                return;
            };
            let Status::Disproven(Some(group)) = entry.status else {
                panic!("{entry:?} was not stored");
            };
            let state = groups.dependence(group, OTHER);
            assert!(is_right(state), "{state:?}");
            if state == CONFIRMED {
                assert_eq!(groups.dependence(group, OTHER), CONFIRMED);
            }
        });
        for thread in [maker, reader] {
            thread.join().expect("no panic");
        }
    });
}

#[test]
fn loom_a_group_of_another_thread_is_void() {
    model(|_, _| (), |state| state == VOID);
}

#[test]
fn loom_a_discarded_group_is_never_confirmed() {
    model(Groups::discard, |state| state == VOID);
}

#[test]
fn loom_a_confirmed_group_is_void_before() {
    model(Groups::confirm, |state| [VOID, CONFIRMED].contains(&state));
}

#[test]
fn loom_a_merged_group_has_the_state_of_the_other() {
    fn merged(groups: &Groups, group: GroupId) -> GroupId {
        let above = groups.open(MAKER, 4).expect("room");
        groups.merge(group, above);
        above
    }
    model(
        |groups, group| groups.discard(merged(groups, group)),
        |state| state == VOID,
    );
    model(
        |groups, group| groups.confirm(merged(groups, group)),
        |state| [VOID, CONFIRMED].contains(&state),
    );
}
