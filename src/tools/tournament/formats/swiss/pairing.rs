//! Pairing one round of a Swiss tournament.

use super::feasibility::Feasibility;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// The encounters; the first engine of each plays White first.
    pub(super) encounters: Vec<[usize; 2]>,
    pub(super) bye: Option<usize>,
}

/// The round after `rounds`, by the points of the engines; with it `left` rounds remain. `None` if there is no
/// pairing without a rematch, which validated settings exclude.
pub(super) fn next_round(points: &[f64], rounds: &[Round], left: usize) -> Option<Round> {
    let engines = points.len();
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by(|&one, &other| points[other].total_cmp(&points[one]));
    let mut free = Feasibility::new(engines, rounds, left);
    let mut bye = None;
    if !engines.is_multiple_of(2) {
        // The dummy comes after the engines.
        let mut can_rest = |&engine: &usize| free.try_pair(engine, engines);
        bye = Some(order.remove(order.iter().rposition(&mut can_rest)?));
    }
    let mut encounters = Vec::with_capacity(order.len() / 2);
    while let Some(&top) = order.first() {
        let rest = candidates(points, &order);
        let partner = rest.into_iter().find(|&other| free.try_pair(top, other))?;
        order.retain(|&engine| engine != top && engine != partner);
        encounters.push(beginner_first(rounds, top, partner));
    }
    Some(Round { encounters, bye })
}

/// The possible opponents of the first engine of the order, in order of preference.
fn candidates(points: &[f64], order: &[usize]) -> Vec<usize> {
    let same_points = |&&engine: &&usize| points[engine] == points[order[0]];
    let group = order.iter().take_while(same_points).count();
    let half = (group / 2).max(1);
    let lower = order[half..group].iter();
    let upper = order[1..half].iter().rev();
    lower.chain(upper).chain(&order[group..]).copied().collect()
}

/// Both engines, the one to begin first; `one` precedes `other` in the order.
fn beginner_first(rounds: &[Round], one: usize, other: usize) -> [usize; 2] {
    let key = |engine: usize| {
        let encounters = rounds.iter().flat_map(|round| &round.encounters);
        let own = encounters.filter(|pair| pair.contains(&engine));
        let began: Vec<bool> = own.map(|pair| pair[0] == engine).collect();
        let count = began.iter().filter(|&&began| began).count();
        (count, began.last() == Some(&true))
    };
    match key(other) < key(one) {
        true => [other, one],
        false => [one, other],
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
        let next = next_round(&[1.0, 1.0, 1.0, 1.0], &rounds, 1).expect("there is one");
        // Both have begun one encounter, their last one: the order decides.
        assert_eq!(next.encounters, [[0, 2], [1, 3]]);
        let next = next_round(&[2.0, 0.0, 1.0, 1.0], &rounds, 1).expect("there is one");
        // Neither 3 nor 1 has begun an encounter, and 3 comes first in the order.
        assert_eq!(next.encounters, [[0, 2], [3, 1]]);
    }

    #[test]
    fn byes_go_up_from_the_last() {
        let rounds = [round(&[[0, 1], [2, 3]], Some(4))];
        let next = next_round(&[2.0, 0.0, 2.0, 0.0, 2.0], &rounds, 1).expect("there is one");
        assert_eq!(next.bye, Some(3));
    }

    #[test]
    fn colours_alternate() {
        let rounds = [round(&[[0, 2], [1, 3]], None)];
        let next = next_round(&[2.0, 0.0, 0.0, 2.0], &rounds, 1).expect("there is one");
        assert_eq!(next.encounters, [[3, 0], [2, 1]]);
    }

    #[test]
    fn no_way_out_is_no_panic() {
        let rounds = [round(&[[0, 1]], None)];
        assert_eq!(next_round(&[0.0, 0.0], &rounds, 1), None);
    }
}
