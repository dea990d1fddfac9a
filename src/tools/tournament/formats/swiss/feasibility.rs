//! Pairing feasibility: whether a pairing leaves the other engines, and later rounds, a pairing without
//! rematches.

use vato_engine::random::split_mix;

use super::Round;
use crate::tournament::settings::MatchSettings;

/// The numbers of [`Feasibility::can_finish_round`] are remainders by this.
const PRIME: u64 = (1 << 31) - 1;

/// Which engines may still meet, updated while a round is paired.
///
/// With an odd number of engines a dummy is added, and its opponent has the bye. So no engine has two byes
/// for the same reason that no two engines meet twice.
///
/// Up to [`MatchSettings::LOOK_AHEAD`] places (engines and dummy), an exhaustive search tests whether all
/// remaining rounds can be paired; it takes milliseconds for that many, but minutes for 22. With more
/// places a tournament has at most half as many rounds. Then every engine has met so few others that each
/// round can be paired whatever the rounds before were (Dirac 1952: a graph in which every node is adjacent
/// to at least half of the others has a Hamiltonian cycle), and only the current round is tested.
#[derive(Debug)]
pub(super) struct Feasibility {
    /// Whether two places may still meet, indexed by both.
    allowed: Vec<Vec<bool>>,
    /// Whether a place has no opponent in this round yet.
    unpaired: Vec<bool>,
    /// The number of rounds after this one.
    later: usize,
}

impl Feasibility {
    /// The state before the next round of a tournament in which `rounds` have been played and `left`
    /// remain, the next one included.
    pub(super) fn new(engines: usize, rounds: &[Round], left: usize) -> Feasibility {
        let places = engines.next_multiple_of(2);
        let mut allowed = vec![vec![true; places]; places];
        for (place, others) in allowed.iter_mut().enumerate() {
            others[place] = false;
        }
        let mut ahead = Feasibility {
            allowed,
            unpaired: vec![true; places],
            later: left.saturating_sub(1),
        };
        for round in rounds {
            let bye = round.bye.map(|engine| [engine, places - 1]);
            for &[one, other] in round.encounters.iter().chain(&bye) {
                ahead.allow(one, other, false);
            }
        }
        ahead
    }

    /// Pairs two engines, if they may meet and a complete pairing remains possible.
    pub(super) fn try_pair(&mut self, one: usize, other: usize) -> bool {
        if !self.allowed[one][other] {
            return false;
        }
        self.meet(one, other, true);
        let possible = if self.unpaired.len() <= MatchSettings::LOOK_AHEAD {
            self.can_finish(self.later, None)
        } else {
            self.can_finish_round()
        };
        if !possible {
            self.meet(one, other, false);
        }
        possible
    }

    fn allow(&mut self, one: usize, other: usize, allowed: bool) {
        self.allowed[one][other] = allowed;
        self.allowed[other][one] = allowed;
    }

    /// Pairs two places, or undoes it.
    fn meet(&mut self, one: usize, other: usize, meet: bool) {
        self.allow(one, other, !meet);
        self.unpaired[one] = !meet;
        self.unpaired[other] = !meet;
    }

    /// Whether all unpaired places can be paired, and `later` further rounds. The search is exhaustive but
    /// for the order of later rounds, which is fixed by the opponents of the first place: in the next of
    /// them it is at least `least`; `None` means this round.
    fn can_finish(&mut self, later: usize, least: Option<usize>) -> bool {
        let Some(one) = self.unpaired.iter().position(|&unpaired| unpaired) else {
            if later == 0 {
                return true;
            }
            self.unpaired.fill(true);
            let possible = self.can_finish(later - 1, Some(least.unwrap_or(1)));
            self.unpaired.fill(false);
            return possible;
        };
        let first = least.filter(|_| one == 0).unwrap_or(one + 1);
        for other in first..self.unpaired.len() {
            if self.unpaired[other] && self.allowed[one][other] {
                let least = least.map(|least| if one == 0 { other + 1 } else { least });
                self.meet(one, other, true);
                let possible = self.can_finish(later, least);
                self.meet(one, other, false);
                if possible {
                    return true;
                }
            }
        }
        false
    }

    /// Whether all unpaired places can be paired in this round: whether the matrix that has a variable for each two
    /// that may meet, once with either sign, is regular (Tutte 1947). Random numbers take the variables' places: a yes
    /// is always right, a no is wrong once in millions of cases (Lovász 1979), and then others are paired.
    fn can_finish_round(&self) -> bool {
        let places: Vec<usize> = (0..self.unpaired.len())
            .filter(|&place| self.unpaired[place])
            .collect();
        let number = |one: usize, other: usize| {
            let seed = (one.min(other) * self.unpaired.len() + one.max(other)) as u64;
            match 1 + split_mix(seed) % (PRIME - 1) {
                _ if !self.allowed[one][other] => 0,
                random if one < other => random,
                random => PRIME - random,
            }
        };
        let row = |&one: &usize| places.iter().map(|&other| number(one, other)).collect();
        let mut rows: Vec<Vec<u64>> = places.iter().map(row).collect();
        // By elimination, whose sums and products stay within 64 bits.
        for column in 0..rows.len() {
            let Some(pivot) = (column..rows.len()).find(|&row| rows[row][column] != 0) else {
                return false;
            };
            rows.swap(column, pivot);
            let (upper, lower) = rows.split_at_mut(column + 1);
            let upper = &upper[column];
            for row in lower.iter_mut().filter(|row| row[column] != 0) {
                let (own, other) = (upper[column], PRIME - row[column]);
                for (number, above) in row.iter_mut().zip(upper).skip(column) {
                    *number = (*number * own + other * above) % PRIME;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(encounters: &[[usize; 2]]) -> Round {
        Round {
            encounters: encounters.to_vec(),
            bye: None,
        }
    }

    #[test]
    fn a_pairing_that_leaves_two_who_have_met_is_passed_over() {
        let mut ahead = Feasibility::new(4, &[met(&[[0, 1], [2, 3]])], 1);
        assert!(!ahead.try_pair(0, 1), "they have met");
        assert!(ahead.try_pair(0, 2) && ahead.try_pair(1, 3));
        // Many engines are paired by matching.
        let mut many = Feasibility::new(100, &[], 1);
        assert!((0..50).all(|one| many.try_pair(one, one + 50)));
        assert!(many.can_finish_round());
    }

    #[test]
    fn later_rounds_count() {
        // If the first three of six meet the last three in three rounds, two triangles remain, which cannot
        // be paired: with a fourth round to come, the third must avoid this.
        let rounds = [
            met(&[[0, 3], [1, 4], [2, 5]]),
            met(&[[0, 4], [1, 5], [2, 3]]),
        ];
        for (left, possible) in [(1, true), (2, false)] {
            let mut ahead = Feasibility::new(6, &rounds, left);
            assert!(ahead.try_pair(0, 5), "1 may still meet 2");
            assert_eq!(ahead.try_pair(1, 3), possible, "{left} rounds left");
        }
    }

    /// Both ways of looking at a round say the same.
    #[test]
    fn matchings_are_there_or_not() {
        let mut counts = [0; 2];
        for seed in 0..2_000 {
            let mut ahead = Feasibility::new(10, &[], 1);
            for (one, other) in (0..10).flat_map(|other| (0..other).map(move |one| (one, other))) {
                let random = split_mix(split_mix(seed) + (10 * one + other) as u64);
                ahead.allow(one, other, random % 100 < 15 + seed % 20);
            }
            ahead.unpaired[8..].fill(seed % 3 > 0);
            let possible = ahead.can_finish(0, None);
            assert_eq!(ahead.can_finish_round(), possible, "{seed}");
            counts[usize::from(possible)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
    }
}
