//! What a match that was put together from parts lacks.

use serde::Serialize;

/// More ranges than this are counted and not told.
const MOST_RANGES: usize = 1000;

/// What a match that was put together from parts lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingParts {
    /// Into how many shards the match was divided; `None` if it is not known to have been.
    pub shard_count: Option<u32>,
    /// The shards of which there is no part.
    pub shards: Numbers,
    /// The games that can be told from the results.
    pub games: Numbers,
    /// How many encounters depend on these.
    pub later: u64,
}

/// Numbers of shards or games, which may be very many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Numbers {
    /// How many there are.
    pub count: u64,
    /// All of them as ranges, first and last, in order: the first 1000 ranges.
    pub ranges: Vec<[u32; 2]>,
    /// Whether there are more ranges than these.
    pub cut: bool,
}

impl Numbers {
    /// Adds the numbers from `first` to `last`, all of them larger than those before.
    pub(super) fn add(&mut self, first: u32, last: u32) {
        self.count += u64::from(last - first) + 1;
        let full = self.ranges.len() == MOST_RANGES;
        match self.ranges.last_mut() {
            _ if self.cut => {}
            Some([_, end]) if end.checked_add(1) == Some(first) => *end = last,
            _ if full => self.cut = true,
            _ => self.ranges.push([first, last]),
        }
    }

    /// Those from 1 to `most` that are not among `present`, which are in order.
    pub(super) fn between(present: impl IntoIterator<Item = u32>, most: u32) -> Numbers {
        let mut missing = Numbers::default();
        // The first number that may be missing; beyond the largest there is none.
        let mut next = Some(1);
        for number in present {
            if let Some(first) = next.filter(|&first| first < number) {
                missing.add(first, number - 1);
            }
            next = number.checked_add(1);
        }
        if let Some(first) = next.filter(|&first| first <= most) {
            missing.add(first, most);
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(all: impl IntoIterator<Item = u32>) -> Numbers {
        let mut numbers = Numbers::default();
        for number in all {
            numbers.add(number, number);
        }
        numbers
    }

    #[test]
    fn neighbours_are_a_range() {
        let found = numbers([3, 4, 7, 9, 10, 11, u32::MAX]);
        let ranges = vec![[3, 4], [7, 7], [9, 11], [u32::MAX, u32::MAX]];
        assert_eq!((found.count, found.cut), (7, false));
        assert_eq!(found.ranges, ranges);
        assert_eq!(numbers([]), Numbers::default());
    }

    #[test]
    fn what_is_not_told_is_counted() {
        let found = numbers((0..3000).map(|number| 2 * number));
        assert_eq!((found.count, found.cut), (3000, true));
        assert_eq!(found.ranges.len(), MOST_RANGES);
        let whole = numbers(0..3000);
        assert_eq!((whole.ranges, whole.cut), (vec![[0, 2999]], false));
    }

    #[test]
    fn what_lies_between() {
        let between = |present: &[u32], most| Numbers::between(present.to_vec(), most).ranges;
        assert_eq!(between(&[2, 5], 6), [[1, 1], [3, 4], [6, 6]]);
        assert_eq!(between(&[1, 2, 3], 3), [[0_u32; 2]; 0]);
        assert_eq!(between(&[], 4), [[1, 4]]);
        let most = u32::MAX;
        assert_eq!(between(&[2], most), [[1, 1], [3, most]]);
        assert_eq!(between(&[2, most], most), [[1, 1], [3, most - 1]]);
    }
}
