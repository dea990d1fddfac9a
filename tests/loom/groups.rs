//! Groups and the table of proof numbers: what another thread may make of a group before it sees all of it.

use loom::sync::Arc;
use loom::thread;

use super::*;
use crate::solver::proof_table::{Entry, Known, ProofTable};

/// The thread that makes the groups, and that which meets them.
const MAKER: usize = 1;
const OTHER: usize = 0;

const KEY: u64 = 1 << 40;

/// The maker makes a group, publishes a result that rests on it, and does `then`; meanwhile the other thread looks
/// the result up, and `is_right` says whether it may be worth this.
fn model(then: fn(&Groups, GroupId), is_right: fn(Standing) -> bool) {
    loom::model(move || {
        let shared = Arc::new((
            Groups::new(4).expect("memory"),
            ProofTable::new(1).expect("memory"),
        ));
        // Looked at once, so that the atomics are made before the threads begin.
        (0..4).for_each(|group| assert_ne!(shared.0.standing(group, OTHER), Standing::Held));
        assert_eq!(shared.1.get(KEY), None);
        let made = Arc::clone(&shared);
        let maker = thread::spawn(move || {
            let (groups, table) = &*made;
            let group = groups.open(MAKER, 5).expect("room");
            groups.lower(group, 2);
            table.put(KEY, Entry::new(Known::HeldIf(group), 1));
            then(groups, group);
        });
        // The maker runs first, as its join comes first: loom goes back to a store before a load of another thread,
        // but not to a load before a store whose thread has loaded the same.
        let reader = thread::spawn(move || {
            let (groups, table) = &*shared;
            let Some(entry) = table.get(KEY) else {
                return;
            };
            let Known::HeldIf(group) = entry.known else {
                panic!("{entry:?} was not stored");
            };
            let standing = groups.standing(group, OTHER);
            assert!(is_right(standing), "{standing:?}");
            if standing == Standing::Held {
                assert_eq!(groups.standing(group, OTHER), Standing::Held);
            }
        });
        for thread in [maker, reader] {
            thread.join().expect("no panic");
        }
    });
}

#[test]
fn loom_a_group_of_another_thread_is_void() {
    model(|_, _| (), |standing| standing == Standing::Void);
}

#[test]
fn loom_a_group_that_was_given_up_is_never_held() {
    model(Groups::void, |standing| standing == Standing::Void);
}

#[test]
fn loom_a_group_that_is_held_is_void_before() {
    model(Groups::hold, |standing| {
        matches!(standing, Standing::Void | Standing::Held)
    });
}

#[test]
fn loom_a_merged_group_is_worth_what_the_other_is() {
    fn merged(groups: &Groups, group: GroupId) -> GroupId {
        let above = groups.open(MAKER, 4).expect("room");
        groups.merge(group, above);
        above
    }
    model(
        |groups, group| groups.void(merged(groups, group)),
        |standing| standing == Standing::Void,
    );
    model(
        |groups, group| groups.hold(merged(groups, group)),
        |standing| matches!(standing, Standing::Void | Standing::Held),
    );
}
