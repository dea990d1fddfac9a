//! Simultaneous perturbation stochastic approximation (SPSA): all parameters are perturbed at once, each in
//! a random direction, and a pair of games between the two opposite perturbations determines the update.
//!
//! J. C. Spall, *Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization*
//! (1998); the gains are specified by their final values, as in Stockfish's testing framework
//! (<https://www.chessprogramming.org/SPSA>).

use std::collections::BTreeSet;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::settings::{TuneSettings, TunedParameter};

/// The decay exponent of the learning gain (Spall's α).
const LEARNING_DECAY: f64 = 0.602;
/// The decay exponent of the perturbation (Spall's γ).
const PERTURBATION_DECAY: f64 = 0.101;
/// The stability constant (Spall's A) as a fraction of all iterations; it limits the first updates.
const STABILITY: f64 = 0.1;

/// The state of the optimization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spsa {
    /// The current values, in the order of the tuned parameters.
    pub(super) values: Vec<f64>,
    pub(super) progress: DoneIterations,
}

/// A perturbation to be played: the signs and the parameters of both players.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Perturbation {
    /// The iteration, from 1.
    pub(super) iteration: u32,
    /// The direction of each parameter: 1 or −1.
    signs: Vec<f64>,
    /// The parameters of the two players: perturbed with the signs, and against them.
    pub(super) players: [Vec<i32>; 2],
}

impl TuneSettings {
    fn perturbation(&self, parameter: &TunedParameter, iteration: u32) -> f64 {
        let left = f64::from(self.iterations) / f64::from(iteration.max(1));
        f64::from(parameter.step) * left.powf(PERTURBATION_DECAY)
    }

    /// The change of a parameter per point won in iteration `iteration`.
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
    pub(super) fn new(parameters: &[TunedParameter]) -> Spsa {
        let first = parameters
            .iter()
            .map(|parameter| f64::from(parameter.start));
        Spsa {
            values: first.collect(),
            progress: DoneIterations::default(),
        }
    }

    pub(super) fn perturb(&self, settings: &TuneSettings, iteration: u32) -> Perturbation {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(u64::from(iteration));
        let mut signs = Vec::new();
        let mut players = [Vec::new(), Vec::new()];
        for (parameter, &value) in settings.parameters.iter().zip(&self.values) {
            let sign = if random.random() { 1.0 } else { -1.0 };
            let offset = sign * settings.perturbation(parameter, iteration);
            // Stochastic rounding, whose mean is the exact value, so that small changes are not lost.
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

    /// Updates the values. `lead`: the first player's points minus the second's, −2 to 2 for a pair of games.
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

/// The iterations done; games end in a different order than they start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DoneIterations {
    /// All iterations up to this one are done.
    all_to: u32,
    /// Further iterations that are done.
    beyond: BTreeSet<u32>,
}

impl DoneIterations {
    /// The number of iterations done.
    pub(super) fn count(&self) -> u32 {
        self.all_to
            .saturating_add(u32::try_from(self.beyond.len()).unwrap_or(u32::MAX))
    }

    pub(super) fn contains(&self, iteration: u32) -> bool {
        iteration <= self.all_to || self.beyond.contains(&iteration)
    }

    /// The last iteration done.
    pub(super) fn last(&self) -> u32 {
        self.beyond.last().copied().unwrap_or(self.all_to)
    }

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
        // Without noise: the nearer to the maximum, the higher.
        let worth = |values: &[i32]| {
            let [a, b] = [f64::from(values[0]), f64::from(values[1])];
            -((a - 80.0) / 20.0).powi(2) - ((b - 40.0) / 4.0).powi(2)
        };
        let mut spsa = Spsa::new(&parameters);
        for iteration in 1..=settings.iterations {
            let perturbation = spsa.perturb(&settings, iteration);
            let [first, second] = [0, 1].map(|player| worth(&perturbation.players[player]));
            spsa.learn(&settings, &perturbation, (first - second).clamp(-2.0, 2.0));
            // A tuning that was stopped goes on with the same numbers, to the last bit.
            let text = serde_json::to_string(&spsa).expect("numbers");
            assert_eq!(serde_json::from_str(&text).ok(), Some(spsa.clone()));
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
