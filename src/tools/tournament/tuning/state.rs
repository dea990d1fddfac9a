//! The state of a tuning run, stored in a file so that it can be continued.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::settings::{TuneSettings, TunedParameter};
use super::spsa::{Perturbation, Spsa};
use crate::tournament::record::OpeningsHeader;
use crate::tournament::statistics::GameCounts;
use vato_engine::files::{self, replace};

const FORMAT: u32 = 1;

/// The maximum number of samples of the values kept for the plot.
const SAMPLES: u32 = 400;

/// Only the version of the format: other versions may have other fields.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// The state of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuneState {
    format: u32,
    /// The settings.
    pub settings: TuneSettings,
    pub(super) spsa: Spsa,
    /// The games from the view of the player whose parameters are perturbed with the signs. They say little
    /// about strength; the draws show how well the games discriminate.
    pub games: GameCounts,
    /// Pairs of games discarded because one ended by an engine's fault. Losses on time are not faults: the
    /// time management parameters are judged by them.
    pub faults: u32,
    pub(super) openings: OpeningsHeader,
    /// The history of the values.
    pub samples: Vec<Sample>,
}

/// The values after a number of iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The number of iterations (pairs of games).
    pub iterations: u32,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

impl TuneState {
    pub(super) fn new(settings: TuneSettings, openings: OpeningsHeader) -> TuneState {
        let spsa = Spsa::new(&settings.parameters);
        TuneState {
            format: FORMAT,
            samples: vec![Sample {
                iterations: 0,
                values: spsa.values.clone(),
            }],
            settings,
            spsa,
            games: GameCounts::default(),
            faults: 0,
            openings,
        }
    }

    /// The number of iterations done.
    pub fn done(&self) -> u32 {
        self.spsa.progress.count()
    }

    /// The parameters with their current values.
    pub fn values(&self) -> impl Iterator<Item = (&TunedParameter, f64)> {
        let parameters = self.settings.parameters.iter();
        parameters.zip(self.spsa.values.iter().copied())
    }

    /// The current value of the engine's option.
    pub fn option(&self) -> String {
        let values: Vec<i32> = self
            .values()
            .map(|(parameter, value)| parameter.rounded(value))
            .collect();
        self.settings.option(&values)
    }

    /// Updates the values by the result of a perturbation, from the view of its first player; `None` counts
    /// the iteration without an update, as one of its games ended by a fault.
    pub(super) fn learn(&mut self, perturbation: &Perturbation, games: Option<GameCounts>) {
        self.faults += u32::from(games.is_none());
        let games = games.unwrap_or_default();
        let lead = games.wins as f64 - games.losses as f64;
        self.spsa.learn(&self.settings, perturbation, lead);
        self.games = self.games.plus(&games);
        // A sample for the plot, if enough iterations have passed since the last.
        let iterations = self.done();
        let every = self.settings.iterations.div_ceil(SAMPLES);
        let last = self.samples.last().map_or(0, |sample| sample.iterations);
        if iterations.saturating_sub(last) >= every || iterations >= self.settings.iterations {
            self.samples.push(Sample {
                iterations,
                values: self.spsa.values.clone(),
            });
        }
    }

    pub(super) fn read(path: &Path) -> io::Result<TuneState> {
        let text = files::read(path)?;
        let Version { format } = serde_json::from_slice(&text).map_err(io::Error::other)?;
        if format != FORMAT {
            let message = format!("format {format}, this program reads {FORMAT}");
            return Err(io::Error::other(message));
        }
        let state: TuneState = serde_json::from_slice(&text).map_err(io::Error::other)?;
        state.check().map_err(io::Error::other)?;
        Ok(state)
    }

    /// Validates a state that was read, as files may be damaged or edited.
    fn check(&self) -> Result<(), String> {
        self.settings
            .validate()
            .map_err(|error| error.to_string())?;
        let done = self.done();
        let iterations = self.settings.iterations;
        if done > iterations || self.spsa.progress.last() > iterations {
            return Err("more is done than there is to do".to_owned());
        }
        let counts = [self.games.wins, self.games.draws, self.games.losses];
        let most = 2 * u64::from(done);
        if counts.iter().any(|&count| count > most) || self.faults > done {
            return Err("more games than were played".to_owned());
        }
        let ordered = self.samples.is_sorted_by_key(|sample| sample.iterations);
        let last = self.samples.last().map_or(0, |sample| sample.iterations);
        if !ordered || last > done {
            return Err("samples that are not of this tuning".to_owned());
        }
        let parameters = &self.settings.parameters;
        let fits = |values: &[f64]| {
            values.len() == parameters.len()
                && (values.iter().zip(parameters))
                    .all(|(&value, parameter)| parameter.within(value) == value)
        };
        let samples = self.samples.iter().map(|sample| sample.values.as_slice());
        if !samples.chain([self.spsa.values.as_slice()]).all(fits) {
            return Err("values that do not fit the parameters".to_owned());
        }
        Ok(())
    }

    /// Writes the state to a temporary file and renames it, so that the file is always complete.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, |file| {
            let text = serde_json::to_string_pretty(self)?;
            file.write_all(text.as_bytes())
        })
    }
}
