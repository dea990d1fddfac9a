//! A Swiss tournament: in each round engines with equal points meet, without rematches.
//!
//! The pairing rules:
//!
//! - Before each round the engines are ordered by points, then by seed (their order in the list). Points
//!   are those of all games; a bye counts like winning every game of an encounter.
//! - If the number of engines is odd, the last one in this order without a bye so far has the bye.
//! - In this order, every engine without an opponent gets one: among the engines with equal points, the
//!   first of the lower half, or else those after it in order, or else those before it in reverse order; or
//!   else the first of those with fewer points. Rematches are excluded, and so are opponents that would leave
//!   the other engines, or a later round, without such a pairing. So a pairing is found wherever one exists.
//! - An encounter consists of pairs of games with swapped colours, so colours are always balanced. White in
//!   the first game is the engine that has begun fewer encounters, or else the one that did not begin its
//!   last encounter, or else the first in the order.
//! - Final ties are broken by Buchholz, then Sonneborn-Berger, then seed. For both, a bye counts as an
//!   opponent with the engine's own points (FIDE Handbook C.07, the "dummy").

mod feasibility;

use super::{Format, Meeting, Ranking, Results, Rounds, TieBreak, points};
use crate::tournament::standings::Standings;

use self::feasibility::Feasibility;

#[derive(Debug)]
pub(super) struct Swiss {
    engines: usize,
    rounds: Rounds,
    paired: Vec<Round>,
}

impl Swiss {
    pub(super) fn new(engines: usize, games: u32, rounds: u32) -> Swiss {
        Swiss {
            engines,
            rounds: Rounds::new(rounds.into(), engines / 2, games.into()),
            paired: Vec::new(),
        }
    }

    fn number_of(&self, round: usize, place: usize) -> u32 {
        round as u32 * self.rounds.encounters + place as u32
    }

    /// Every engine of every encounter, its opponent (`None`: a bye), and its points.
    fn scored(&self, results: &Results) -> Vec<(usize, Option<usize>, f64)> {
        let mut all = Vec::new();
        for (number, round) in self.paired.iter().enumerate() {
            for (place, &[one, other]) in round.encounters.iter().enumerate() {
                let [first, second] = points(results.scores(self.number_of(number, place)));
                all.extend([(one, Some(other), first), (other, Some(one), second)]);
            }
            let bye = round.bye.into_iter();
            all.extend(bye.map(|engine| (engine, None, self.rounds.most_games as f64)));
        }
        all
    }

    fn points(&self, scored: &[(usize, Option<usize>, f64)]) -> Vec<f64> {
        let mut points = vec![0.0; self.engines];
        for (engine, _, scored) in scored {
            points[*engine] += scored;
        }
        points
    }
}

impl Format for Swiss {
    fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    fn pair(&mut self, results: &Results) {
        while self.paired.len() < self.rounds.rounds as usize {
            let played = self.paired.len();
            let mut last = (0..self.rounds.encounters as usize)
                .filter_map(|place| Some(self.number_of(played.checked_sub(1)?, place)));
            if !last.all(|encounter| self.is_over(encounter, results)) {
                return;
            }
            let points = self.points(&self.scored(results));
            let left = self.rounds.rounds as usize - played;
            let Some(next) = next_round(&points, &self.paired, left) else {
                return;
            };
            self.paired.push(next);
        }
    }

    fn meeting(&self, encounter: u32, _: &Results) -> Meeting {
        let (round, place) = self.place(encounter);
        let Some(round) = self.paired.get(round as usize) else {
            return Meeting::Unknown;
        };
        let engines = round.encounters.get(place as usize);
        engines.map_or(Meeting::Void, |&engines| Meeting::Of(engines))
    }

    fn ranking(&self, standings: &Standings, results: &Results) -> Ranking {
        let all = self.scored(results);
        let points = self.points(&all);
        let mut ranking = Ranking::in_order(standings);
        for place in &mut ranking.places {
            place.points = points[place.engine];
            let mut tie_breaks = [0.0; 2];
            for (engine, opponent, scored) in all.iter().filter(|(one, ..)| *one == place.engine) {
                let points = points[opponent.unwrap_or(*engine)];
                tie_breaks[0] += points;
                tie_breaks[1] += points * scored / self.rounds.most_games as f64;
                place.bye_points += opponent.map_or(*scored, |_| 0.0);
            }
            place.tie_breaks = tie_breaks.to_vec();
        }
        ranking.places.sort_by(|one, other| {
            let [one, other] = [one, other].map(|place| (place.points, &place.tie_breaks));
            let order = other.partial_cmp(&one);
            order.unwrap_or(std::cmp::Ordering::Equal)
        });
        let byes = (1..).zip(&self.paired).filter_map(|(round, pairing)| {
            let name = &standings.engines[pairing.bye?].name;
            Some(format!("{name} had a bye in round {round}"))
        });
        Ranking {
            tie_breaks: vec![TieBreak::Buchholz, TieBreak::SonnebornBerger],
            remarks: byes.collect(),
            ..ranking
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    /// The encounters; the first engine of each plays White first.
    encounters: Vec<[usize; 2]>,
    bye: Option<usize>,
}

/// The round after `rounds`, by the points of the engines; with it `left` rounds remain. `None` if there is no
/// pairing without a rematch, which validated settings exclude.
fn next_round(points: &[f64], rounds: &[Round], left: usize) -> Option<Round> {
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
    use std::collections::BTreeSet;

    use rand::RngExt;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::schedule::tests::{engines, play, schedule};
    use super::*;
    use crate::tournament::settings::MatchSettings;

    /// The encounters of a tournament with random results; in each the engine of the smaller number comes first.
    fn encounters(count: usize, rounds: u32, seed: u64) -> Vec<(u32, [usize; 2])> {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut schedule = schedule(Swiss::new(count, 2, rounds));
        let games = play(&mut schedule, |game| {
            // Stronger engines win more often, so that score groups arise.
            let [one, other] = game.players;
            match random.random_range(0..3) {
                0 => None,
                1 => Some(one.min(other)),
                _ => Some(if random.random_bool(0.5) { one } else { other }),
            }
        });
        assert!(schedule.is_finished());
        let encounters = games.iter().step_by(2);
        encounters
            .map(|game| (game.place.round, engines(game)))
            .collect()
    }

    #[test]
    fn nobody_meets_anybody_twice_whatever_the_results() {
        for engines in (2..=16).chain([21, 40]) {
            let most = MatchSettings::most_swiss_rounds(engines);
            for rounds in 1..=most {
                let seeds = if engines <= 9 { 0..8 } else { 0..2 };
                for seed in seeds {
                    let found = encounters(engines, rounds, seed);
                    assert_eq!(found.len(), rounds as usize * (engines / 2));
                    let met: BTreeSet<[usize; 2]> = found.iter().map(|(_, both)| *both).collect();
                    assert_eq!(met.len(), found.len(), "{engines} engines, {rounds} rounds");
                    for round in 1..=rounds {
                        let of_round = found.iter().filter(|(number, _)| *number == round);
                        let playing: BTreeSet<usize> =
                            of_round.flat_map(|(_, engines)| *engines).collect();
                        assert_eq!(playing.len(), engines / 2 * 2);
                    }
                    // No engine has two byes.
                    for engine in 0..engines {
                        let played = found.iter().filter(|(_, both)| both.contains(&engine));
                        assert!(played.count() + 1 >= rounds as usize);
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half() {
        let pairs = |count| {
            let found = encounters(count, 1, 0).into_iter().map(|(_, both)| both);
            found.collect::<BTreeSet<_>>()
        };
        assert_eq!(pairs(8), BTreeSet::from([[0, 4], [1, 5], [2, 6], [3, 7]]));
        // The last of an odd number has the bye.
        assert!(!pairs(7).iter().any(|both| both.contains(&6)));
    }

    #[test]
    fn winners_meet_winners() {
        let mut schedule = schedule(Swiss::new(8, 2, 3));
        let games = play(&mut schedule, |game| Some(engines(game)[0]));
        for game in games.iter().filter(|game| game.place.round == 2) {
            let [one, other] = game.players.map(|engine| engine < 4);
            assert_eq!(one, other, "{game:?}");
        }
    }

    fn round(encounters: &[[usize; 2]], bye: Option<usize>) -> Round {
        Round {
            encounters: encounters.to_vec(),
            bye,
        }
    }

    /// Who has met (the first two of a pair begun by the first), points of each, and who meets then.
    #[test]
    fn the_next_round_follows_from_points_and_colours() {
        for (played, points, wanted) in [
            // Both have begun one encounter, their last one: the order decides.
            ([[0, 1], [2, 3]], [1.0, 1.0, 1.0, 1.0], [[0, 2], [1, 3]]),
            // 0 floats down to 2. Neither 3 nor 1 has begun an encounter, and 3 comes first in the order.
            ([[0, 1], [2, 3]], [2.0, 0.0, 1.0, 1.0], [[0, 2], [3, 1]]),
            // Colours alternate.
            ([[0, 2], [1, 3]], [2.0, 0.0, 0.0, 2.0], [[3, 0], [2, 1]]),
        ] {
            let next = next_round(&points, &[round(&played, None)], 1);
            assert_eq!(next.expect("there is one").encounters, wanted);
        }
        // Byes go up from the last; no way out is no panic.
        let rounds = [round(&[[0, 1], [2, 3]], Some(4))];
        let next = next_round(&[2.0, 0.0, 2.0, 0.0, 2.0], &rounds, 1);
        assert_eq!(next.expect("there is one").bye, Some(3));
        assert_eq!(next_round(&[0.0; 2], &[round(&[[0, 1]], None)], 1), None);
    }
}
