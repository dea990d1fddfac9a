//! Pairing one round of a Swiss tournament.

use super::feasibility::Feasibility;

/// The pairings of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// The encounters; the first engine of each plays White first.
    pub(super) encounters: Vec<[usize; 2]>,
    /// The engine with the bye.
    pub(super) bye: Option<usize>,
}

/// The input of pairing the next round.
#[derive(Debug)]
pub(super) struct History<'a> {
    /// The points of each engine.
    pub(super) points: &'a [f64],
    /// The rounds played so far.
    pub(super) rounds: &'a [Round],
    /// The number of rounds left, the next one included.
    pub(super) left: usize,
}

impl History<'_> {
    /// The next round; `None` if there is no pairing without a rematch, which validated settings exclude.
    pub(super) fn next_round(&self) -> Option<Round> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&one, &other| self.points[other].total_cmp(&self.points[one]));
        let engines = order.len();
        let mut free = Feasibility::new(engines, self.rounds, self.left);
        let mut bye = None;
        if !engines.is_multiple_of(2) {
            // The dummy comes after the engines.
            let last = order
                .iter()
                .rposition(|&engine| free.try_pair(engine, engines))?;
            bye = Some(order.remove(last));
        }
        let mut encounters = Vec::with_capacity(order.len() / 2);
        while let Some(&top) = order.first() {
            let rest = self.candidates(&order);
            let partner = rest.into_iter().find(|&other| free.try_pair(top, other))?;
            order.retain(|&engine| engine != top && engine != partner);
            encounters.push(self.beginner_first(top, partner));
        }
        Some(Round { encounters, bye })
    }

    /// The possible opponents of the first engine of the order, in order of preference.
    fn candidates(&self, order: &[usize]) -> Vec<usize> {
        let same_points = |&&engine: &&usize| self.points[engine] == self.points[order[0]];
        let group = order.iter().take_while(same_points).count();
        let half = (group / 2).max(1);
        let lower = order[half..group].iter();
        let upper = order[1..half].iter().rev();
        lower.chain(upper).chain(&order[group..]).copied().collect()
    }

    /// Both engines, the one to begin first; `one` precedes `other` in the order.
    fn beginner_first(&self, one: usize, other: usize) -> [usize; 2] {
        let begun = |engine: usize| {
            let encounters = self.rounds.iter().flat_map(|round| &round.encounters);
            encounters.filter(|pair| pair[0] == engine).count()
        };
        let began_last = |engine: usize| {
            let mut rounds = self.rounds.iter().rev();
            let last = rounds
                .find_map(|round| round.encounters.iter().find(|pair| pair.contains(&engine)));
            last.is_some_and(|pair| pair[0] == engine)
        };
        let key = |engine: usize| (begun(engine), began_last(engine));
        if key(other) < key(one) {
            [other, one]
        } else {
            [one, other]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(encounters: &[[usize; 2]], bye: Option<usize>) -> Round {
        Round {
            encounters: encounters.to_vec(),
            bye,
        }
    }

    #[test]
    fn an_engine_without_an_opponent_of_its_points_floats_down() {
        // 0 and 1 have met; 2 has the same points as 3.
        let rounds = [round(&[[0, 1], [2, 3]], None)];
        let history = History {
            points: &[1.0, 1.0, 1.0, 1.0],
            rounds: &rounds,
            left: 1,
        };
        let next = history.next_round().expect("there is one");
        // Both have begun one encounter, their last one: the order decides.
        assert_eq!(next.encounters, [[0, 2], [1, 3]]);
        let history = History {
            points: &[2.0, 0.0, 1.0, 1.0],
            ..history
        };
        let next = history.next_round().expect("there is one");
        // Neither 3 nor 1 has begun an encounter, and 3 comes first in the order.
        assert_eq!(next.encounters, [[0, 2], [3, 1]]);
    }

    #[test]
    fn byes_go_up_from_the_last() {
        let rounds = [round(&[[0, 1], [2, 3]], Some(4))];
        let history = History {
            points: &[2.0, 0.0, 2.0, 0.0, 2.0],
            rounds: &rounds,
            left: 1,
        };
        let next = history.next_round().expect("there is one");
        assert_eq!(next.bye, Some(3));
    }

    #[test]
    fn colours_alternate() {
        let rounds = [round(&[[0, 2], [1, 3]], None)];
        let history = History {
            points: &[2.0, 0.0, 0.0, 2.0],
            rounds: &rounds,
            left: 1,
        };
        let next = history.next_round().expect("there is one");
        assert_eq!(next.encounters, [[3, 0], [2, 1]]);
    }

    #[test]
    fn no_way_out_is_no_panic() {
        let rounds = [round(&[[0, 1]], None)];
        let history = History {
            points: &[0.0, 0.0],
            rounds: &rounds,
            left: 1,
        };
        assert_eq!(history.next_round(), None);
    }
}
