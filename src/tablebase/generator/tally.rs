//! What a solved slice consists of.

use rayon::prelude::*;

use super::solved::Solved;
use crate::tablebase::value::Wdl;

/// Counts over all positions of a slice, symmetric ones counted, and the longest way to a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tablebase) struct Tally {
    pub(in crate::tablebase) wins: u64,
    pub(in crate::tablebase) draws: u64,
    pub(in crate::tablebase) losses: u64,
    /// Its plies and the lowest number of a position that takes so many; `None` without decided ones.
    pub(in crate::tablebase) longest: Option<(u32, u64)>,
}

impl Tally {
    /// Counts a solved slice, on the threads of the current pool.
    pub(in crate::tablebase) fn of(solved: &Solved) -> Tally {
        (0..solved.index.placements().classes() as u32)
            .into_par_iter()
            .map(|class| Tally::of_block(solved, class))
            .reduce(Tally::default, Tally::plus)
    }

    fn of_block(solved: &Solved, class: u32) -> Tally {
        let weight = u64::from(solved.index.placements().images(class));
        let first = u64::from(class) * solved.index.block();
        let numbers = first..first + solved.index.block();
        let mut counts = [0; 3];
        let mut longest = None;
        for number in numbers {
            let value = solved.value(number);
            counts[value.wdl as usize] += weight;
            if value.wdl != Wdl::Draw && longest.is_none_or(|(plies, _)| value.plies > plies) {
                longest = Some((value.plies, number));
            }
        }
        Tally {
            wins: counts[Wdl::Win as usize],
            draws: counts[Wdl::Draw as usize],
            losses: counts[Wdl::Loss as usize],
            longest,
        }
    }

    fn plus(self, other: Tally) -> Tally {
        let longest = match (self.longest, other.longest) {
            (Some(a), Some(b)) if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 => Some(b),
            (None, b) => b,
            (a, _) => a,
        };
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest,
        }
    }
}
