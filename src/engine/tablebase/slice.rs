//! Slices: the positions with given numbers of stones.

use std::fmt;
use std::str::FromStr;

use crate::board::BoardSize;
use crate::text::{excerpt, serde_as_text};

/// The most stones of a tablebase: enough to solve small boards completely.
pub const MAX_STONES: u32 = 16;

/// The positions in which the side to move has `own` stones and the other side `other`.
///
/// Written `3v4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    own: u8,
    other: u8,
}

impl Slice {
    /// The slice with these numbers of stones; `None` if a side has none, or both together more than [`MAX_STONES`].
    pub const fn new(own: u32, other: u32) -> Option<Slice> {
        if own == 0 || other == 0 || own > MAX_STONES || other > MAX_STONES - own {
            None
        } else {
            Some(Slice {
                own: own as u8,
                other: other as u8,
            })
        }
    }

    /// Stones of the side to move.
    #[inline]
    pub const fn own(self) -> u32 {
        self.own as u32
    }

    /// Stones of the other side.
    #[inline]
    pub const fn other(self) -> u32 {
        self.other as u32
    }

    /// Stones of both sides.
    #[inline]
    pub const fn stones(self) -> u32 {
        self.own() + self.other()
    }

    /// The colour-swapped slice, to which a quiet move leads. The two are solved together.
    #[inline]
    pub const fn swapped(self) -> Slice {
        Slice {
            own: self.other,
            other: self.own,
        }
    }

    /// The index of this slice among all; less than [`Slice::NUMBERS`].
    #[inline]
    pub(super) const fn number(self) -> usize {
        self.own as usize * (MAX_STONES as usize + 1) + self.other as usize
    }

    pub(super) const NUMBERS: usize = (MAX_STONES as usize + 1) * (MAX_STONES as usize + 1);

    /// One slice of each colour-swapped pair with at most `stones` stones on a board of this size:
    /// `own` is not more than `other`. Slices with fewer stones come first, so captures lead to earlier ones.
    pub fn pairs_up_to(stones: u32, size: BoardSize) -> impl Iterator<Item = Slice> {
        let most = stones.min(size.points().count()).min(MAX_STONES);
        (2..=most).flat_map(|sum| {
            (1..=sum / 2)
                .rev()
                .filter_map(move |own| Slice::new(own, sum - own))
        })
    }

    /// All slices with at most `stones` stones, each pair of [`Slice::pairs_up_to`] together.
    pub fn all_up_to(stones: u32, size: BoardSize) -> impl Iterator<Item = Slice> {
        Slice::pairs_up_to(stones, size).flat_map(Slice::pair)
    }

    /// This slice and the colour-swapped one, if they differ.
    pub fn pair(self) -> impl Iterator<Item = Slice> {
        let swapped = (self.swapped() != self).then(|| self.swapped());
        std::iter::once(self).chain(swapped)
    }

    /// Whether solving this slice needs the other one: captures lead from it, or from the colour-swapped one, to that
    /// one or its pair. A slice needs itself.
    pub fn needs(self, other: Slice) -> bool {
        let sides = |slice: Slice| {
            let (own, other) = (slice.own(), slice.other());
            (own.min(other), own.max(other))
        };
        let ((fewer, more), (of_fewer, of_more)) = (sides(self), sides(other));
        of_fewer <= fewer && of_more <= more
    }

    /// The number of positions with a given side to move, symmetric ones counted.
    pub fn positions(self, size: BoardSize) -> u64 {
        let points = u64::from(size.points().count());
        binomial(points, u64::from(self.own()))
            * binomial(
                points.saturating_sub(u64::from(self.own())),
                u64::from(self.other()),
            )
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}v{}", self.own, self.other))
    }
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Slice, String> {
        text.split_once('v')
            .and_then(|(own, other)| Slice::new(own.parse().ok()?, other.parse().ok()?))
            .filter(|slice| slice.to_string() == text)
            .ok_or_else(|| {
                let text = excerpt(text);
                format!("invalid slice '{text}': expected two numbers of stones, for example 3v4")
            })
    }
}

serde_as_text!(Slice);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for slice in Slice::all_up_to(9, BoardSize::STANDARD) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        for text in ["", "v", "3", "0v3", "3v0", "03v1", "+3v1", "9v9", "3v4v5"] {
            assert!(text.parse::<Slice>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_published_number_of_positions() {
        let positions: u64 = Slice::all_up_to(7, BoardSize::STANDARD)
            .map(|slice| slice.positions(BoardSize::STANDARD))
            .sum();
        assert_eq!(positions, 6_261_651_660);
    }

    #[test]
    fn what_slices_need() {
        let needed_by = |slice: Slice| {
            let all = Slice::pairs_up_to(MAX_STONES, BoardSize::STANDARD);
            let needed = all.filter(|&other| slice.needs(other));
            let needed: Vec<String> = needed.map(|slice| slice.to_string()).collect();
            needed.join(" ")
        };
        for (own, other, needed) in [
            (1, 1, "1v1"),
            (3, 1, "1v1 1v2 1v3"),
            (2, 3, "1v1 1v2 2v2 1v3 2v3"),
            (2, 4, "1v1 1v2 2v2 1v3 2v3 1v4 2v4"),
        ] {
            let found = Slice::new(own, other).map(needed_by);
            assert_eq!(found.as_deref(), Some(needed));
        }
    }

    #[test]
    fn captures_lead_to_slices_that_came_before() {
        let slices: Vec<Slice> =
            Slice::pairs_up_to(20, BoardSize::new(3, 3).expect("a board")).collect();
        assert_eq!(slices.last().map(|slice| slice.stones()), Some(9));
        assert!(slices.is_sorted_by_key(|slice| slice.stones()));
    }
}
