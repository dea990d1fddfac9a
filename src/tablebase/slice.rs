//! Slices: the positions with given numbers of stones.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{BoardSize, Position};

/// The most stones that a tablebase may have (small boards can be solved to the last point).
pub const MAX_STONES: u32 = 16;

/// The positions in which the side to move has `own` stones and the other side `other`.
///
/// Written `3v4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slice {
    own: u8,
    other: u8,
}

/// A text that names no slice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no slice (want two numbers of stones, such as 3v4)")]
pub struct NoSlice(String);

impl Slice {
    /// The slice with these numbers of stones, `None` where a side has none or both have more than
    /// [`MAX_STONES`] together.
    #[must_use]
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

    /// The slice of a position, `None` as for [`Slice::new`].
    #[inline]
    #[must_use]
    pub const fn of(position: &Position) -> Option<Slice> {
        Slice::new(position.own().count(), position.enemy().count())
    }

    /// Stones of the side to move.
    #[inline]
    #[must_use]
    pub const fn own(self) -> u32 {
        self.own as u32
    }

    /// Stones of the other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> u32 {
        self.other as u32
    }

    /// Stones of both sides.
    #[inline]
    #[must_use]
    pub const fn stones(self) -> u32 {
        self.own() + self.other()
    }

    /// The slice that a quiet move leads to. The two are solved together.
    #[inline]
    #[must_use]
    pub const fn twin(self) -> Slice {
        Slice {
            own: self.other,
            other: self.own,
        }
    }

    /// The place of this slice among all.
    #[inline]
    pub(super) const fn number(self) -> usize {
        self.own as usize * (MAX_STONES as usize + 1) + self.other as usize
    }

    /// How many different [`Slice::number`]s there may be.
    pub(super) const NUMBERS: usize = (MAX_STONES as usize + 1) * (MAX_STONES as usize + 1);

    /// The slices with at most `stones` stones that there are on a board of this size, one of every
    /// pair of twins: `own` is not more than `other`. Fewer stones come first, so that captures lead
    /// to slices that came before.
    pub fn twins_up_to(stones: u32, size: BoardSize) -> impl Iterator<Item = Slice> {
        let most = stones.min(size.points().count()).min(MAX_STONES);
        (2..=most).flat_map(|sum| {
            (1..=sum / 2)
                .rev()
                .filter_map(move |own| Slice::new(own, sum - own))
        })
    }

    /// This slice and its twin, if that is another.
    pub fn with_twin(self) -> impl Iterator<Item = Slice> {
        let twin = (self.twin() != self).then(|| self.twin());
        std::iter::once(self).chain(twin)
    }

    /// How many positions there are: placements of the stones on the board, symmetric ones counted,
    /// the side to move being known.
    #[must_use]
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
    type Err = NoSlice;

    fn from_str(text: &str) -> Result<Slice, NoSlice> {
        text.split_once('v')
            .and_then(|(own, other)| Slice::new(own.parse().ok()?, other.parse().ok()?))
            .filter(|slice| slice.to_string() == text)
            .ok_or_else(|| NoSlice(crate::excerpt::excerpt(text)))
    }
}

impl TryFrom<String> for Slice {
    type Error = NoSlice;

    fn try_from(text: String) -> Result<Slice, NoSlice> {
        text.parse()
    }
}

impl From<Slice> for String {
    fn from(slice: Slice) -> String {
        slice.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for slice in Slice::twins_up_to(9, BoardSize::STANDARD).flat_map(Slice::with_twin) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        for text in ["", "v", "3", "0v3", "3v0", "03v1", "+3v1", "9v9", "3v4v5"] {
            assert!(text.parse::<Slice>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_published_number_of_positions() {
        let positions: u64 = Slice::twins_up_to(7, BoardSize::STANDARD)
            .flat_map(Slice::with_twin)
            .map(|slice| slice.positions(BoardSize::STANDARD))
            .sum();
        assert_eq!(positions, 6_261_651_660);
    }

    #[test]
    fn captures_lead_to_slices_that_came_before() {
        let slices: Vec<Slice> =
            Slice::twins_up_to(20, BoardSize::new(3, 3).expect("a board")).collect();
        assert_eq!(slices.last().map(|slice| slice.stones()), Some(9));
        assert!(slices.is_sorted_by_key(|slice| slice.stones()));
    }
}
