//! Simultaneous perturbation stochastic approximation: all numbers are moved at once, each up or down
//! by the toss of a coin, and a pair of games between the two settings says which way to go.
//!
//! J. C. Spall, *Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization*
//! (1998); the gains are named by their last values, as the testing framework of Stockfish does
//! (<https://www.chessprogramming.org/SPSA>).

use std::collections::BTreeSet;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::settings::{TuneSettings, TunedParameter};

/// How fast the steps of learning grow smaller.
const LEARNING_DECAY: f64 = 0.602;
/// How fast the perturbations grow smaller.
const PERTURBATION_DECAY: f64 = 0.101;
/// The part of all iterations that keeps the first steps of learning from being too large.
const STABILITY: f64 = 0.1;

/// Where the search for better numbers stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spsa {
    /// The numbers, in the order of the tuned parameters.
    pub(super) values: Vec<f64>,
    /// The iterations that have been learned from.
    pub(super) progress: DoneIterations,
}

/// A comparison to be played: by how much each parameter is moved, and in which direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Perturbation {
    /// The iteration, from 1.
    pub(super) iteration: u32,
    /// For each parameter 1 or −1.
    signs: Vec<f64>,
    /// The numbers of the two players: moved with the signs, and against them.
    pub(super) players: [Vec<i32>; 2],
}

impl TuneSettings {
    /// How far a parameter is moved to try it, in iteration `iteration`.
    fn perturbation(&self, parameter: &TunedParameter, iteration: u32) -> f64 {
        let left = f64::from(self.iterations) / f64::from(iteration.max(1));
        f64::from(parameter.step) * left.powf(PERTURBATION_DECAY)
    }

    /// How far a parameter goes for each point won, in iteration `iteration`.
    fn learning(&self, parameter: &TunedParameter, iteration: u32) -> f64 {
        let all = f64::from(self.iterations);
        let stability = STABILITY * all;
        let left = (stability + all) / (stability + f64::from(iteration));
        let step = f64::from(parameter.step);
        let gain = self.rate * step * step * left.powf(LEARNING_DECAY);
        gain / self.perturbation(parameter, iteration)
    }
}

impl Spsa {
    /// The beginning: the parameters' first values.
    pub(super) fn new(parameters: &[TunedParameter]) -> Spsa {
        let first = parameters
            .iter()
            .map(|parameter| f64::from(parameter.start));
        Spsa {
            values: first.collect(),
            progress: DoneIterations::default(),
        }
    }

    /// The comparison of an iteration, from the current values.
    pub(super) fn perturb(&self, settings: &TuneSettings, iteration: u32) -> Perturbation {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(u64::from(iteration));
        let mut signs = Vec::new();
        let mut players = [Vec::new(), Vec::new()];
        for (parameter, &value) in settings.parameters.iter().zip(&self.values) {
            let sign = if random.random() { 1.0 } else { -1.0 };
            let offset = sign * settings.perturbation(parameter, iteration);
            // Whole numbers whose means are the values, so that small changes are not lost.
            let luck: f64 = random.random();
            for (player, value) in players.iter_mut().zip([value + offset, value - offset]) {
                player.push(parameter.rounded((value + luck).floor()));
            }
            signs.push(sign);
        }
        Perturbation {
            iteration,
            signs,
            players,
        }
    }

    /// Learns from a perturbation: `lead` is what the first player has won beyond the second, in points, from
    /// −2 to 2 for a pair of games.
    pub(super) fn learn(
        &mut self,
        settings: &TuneSettings,
        perturbation: &Perturbation,
        lead: f64,
    ) {
        let moved = self.values.iter_mut().zip(&perturbation.signs);
        for (parameter, (value, sign)) in settings.parameters.iter().zip(moved) {
            let way = settings.learning(parameter, perturbation.iteration) * lead * sign;
            *value = parameter.within(*value + way);
        }
        self.progress.insert(perturbation.iteration);
    }
}

/// The iterations that are done: games end in another order than they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DoneIterations {
    /// All up to this one are done.
    all_to: u32,
    /// And these.
    beyond: BTreeSet<u32>,
}

impl DoneIterations {
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
    use crate::tournament::settings::MatchSettings;

    fn parameters() -> Vec<TunedParameter> {
        [("a", 50, 10), ("b", 50, 2)]
            .map(|(name, start, step)| TunedParameter {
                name: name.to_owned(),
                start,
                least: 0,
                most: 100,
                step,
            })
            .into()
    }

    #[test]
    fn a_hill_is_climbed() {
        let parameters = parameters();
        let settings = TuneSettings {
            parameters: parameters.clone(),
            fixed: String::new(),
            iterations: 2_000,
            rate: 0.02,
            seed: 3,
            games: MatchSettings::default(),
        };
        // The nearer to the top, the better; the games are without luck.
        let worth = |values: &[i32]| {
            let [a, b] = [f64::from(values[0]), f64::from(values[1])];
            -((a - 80.0) / 20.0).powi(2) - ((b - 40.0) / 4.0).powi(2)
        };
        let mut spsa = Spsa::new(&parameters);
        for iteration in 1..=settings.iterations {
            let perturbation = spsa.perturb(&settings, iteration);
            let [first, second] = [0, 1].map(|player| worth(&perturbation.players[player]));
            spsa.learn(&settings, &perturbation, (first - second).clamp(-2.0, 2.0));
        }
        assert_eq!(spsa.progress.count(), 2_000);
        assert!((spsa.values[0] - 80.0).abs() < 3.0, "{:?}", spsa.values);
        assert!((spsa.values[1] - 40.0).abs() < 1.0, "{:?}", spsa.values);
    }

    #[test]
    fn both_players_stay_within_the_ranges_and_differ() {
        let mut parameters = parameters();
        parameters[0].start = 98;
        let settings = TuneSettings {
            parameters: parameters.clone(),
            fixed: String::new(),
            iterations: 100,
            rate: 5.0,
            seed: 1,
            games: MatchSettings::default(),
        };
        let mut spsa = Spsa::new(&parameters);
        for iteration in 1..=100 {
            let perturbation = spsa.perturb(&settings, iteration);
            for player in &perturbation.players {
                assert!(player.iter().all(|value| (0..=100).contains(value)));
            }
            assert_ne!(perturbation.players[0], perturbation.players[1]);
            assert_eq!(spsa.perturb(&settings, iteration), perturbation);
            spsa.learn(&settings, &perturbation, 2.0);
            assert!(
                spsa.values
                    .iter()
                    .all(|value| (0.0..=100.0).contains(value))
            );
        }
    }

    #[test]
    fn the_last_steps_are_those_that_were_asked_for() {
        let parameters = parameters();
        let settings = TuneSettings {
            parameters: parameters.clone(),
            fixed: String::new(),
            iterations: 1_000,
            rate: 0.02,
            seed: 0,
            games: MatchSettings::default(),
        };
        let first = &parameters[0];
        assert!((settings.perturbation(first, 1_000) - 10.0).abs() < 1e-9);
        assert!((settings.learning(first, 1_000) - 0.02 * 10.0).abs() < 1e-9);
        assert!(settings.perturbation(first, 1) > 15.0);
        assert!(settings.learning(first, 1) > 0.4);
    }

    #[test]
    fn iterations_end_in_any_order() {
        let mut progress = DoneIterations::default();
        for iteration in [2, 4, 1] {
            progress.insert(iteration);
        }
        let expected = DoneIterations {
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
