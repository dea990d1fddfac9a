//! Which iterations are done.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The iterations that are done: games end in another order than they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// All up to this one are done.
    all_to: u32,
    /// And these.
    beyond: BTreeSet<u32>,
}

impl Progress {
    /// How many are done.
    pub(super) fn count(&self) -> u32 {
        self.all_to
            .saturating_add(u32::try_from(self.beyond.len()).unwrap_or(u32::MAX))
    }

    /// Whether `iteration` is done.
    pub(super) fn contains(&self, iteration: u32) -> bool {
        iteration <= self.all_to || self.beyond.contains(&iteration)
    }

    /// The last iteration that is done.
    pub(super) fn last(&self) -> u32 {
        self.beyond.last().copied().unwrap_or(self.all_to)
    }

    /// Notes that `iteration` is done.
    pub(super) fn insert(&mut self, iteration: u32) {
        self.beyond.insert(iteration);
        while self.all_to < u32::MAX && self.beyond.remove(&(self.all_to + 1)) {
            self.all_to += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_end_in_any_order() {
        let mut progress = Progress::default();
        for iteration in [2, 4, 1] {
            progress.insert(iteration);
        }
        let expected = Progress {
            all_to: 2,
            beyond: BTreeSet::from([4]),
        };
        assert_eq!(progress, expected);
        assert_eq!((progress.count(), progress.last()), (3, 4));
        assert!(progress.contains(1) && progress.contains(4) && !progress.contains(3));
        progress.insert(3);
        assert_eq!((progress.count(), progress.last()), (4, 4));
        assert!(progress.beyond.is_empty());
    }
}
