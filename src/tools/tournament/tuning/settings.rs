//! The settings of a tuning run.

use serde::{Deserialize, Serialize};

use super::OPTION;
use crate::tournament::settings::{MatchSettings, SettingsError};
use vato_engine::search::Parameters;
use vato_engine::text::{differences, excerpt};

pub(super) const MOST_ITERATIONS: u32 = 1_000_000_000;

/// The settings of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuneSettings {
    /// The parameters to tune.
    pub parameters: Vec<TunedParameter>,
    /// Other parameters with values that are not the default, in the syntax of the engine's option.
    pub fixed: String,
    /// The number of iterations (pairs of games).
    pub iterations: u32,
    /// The learning rate: the change of a parameter per point won at the end of the run, as a fraction of
    /// its step.
    pub rate: f64,
    /// Seed of the random perturbations.
    pub seed: u64,
    /// The settings of the games. Both engines are the same; the number of games is twice the iterations.
    #[serde(rename = "match")]
    pub games: MatchSettings,
}

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// The start value.
    pub start: i32,
    /// The smallest value.
    pub least: i32,
    /// The largest value.
    pub most: i32,
    /// The perturbation at the end of the run, about a change worth a few Elo.
    pub step: i32,
}

impl TunedParameter {
    /// The value clamped to the range.
    pub(super) fn within(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.least), f64::from(self.most))
    }

    /// The value rounded, as sent to the engine.
    pub fn rounded(&self, value: f64) -> i32 {
        self.within(value).round() as i32
    }
}

impl TuneSettings {
    /// Settings that tune the parameters with these names (all if empty) from the values `start`, with
    /// games as in `games`.
    pub fn new(
        names: &[String],
        start: &Parameters,
        games: MatchSettings,
    ) -> Result<TuneSettings, SettingsError> {
        check_names(names.iter().map(String::as_str))?;
        let is_tuned = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        let tuned = Parameters::TUNABLE
            .iter()
            .filter(|tunable| is_tuned(tunable.name));
        let parameters = tuned.map(|tunable| TunedParameter {
            name: tunable.name.to_owned(),
            start: start.get(tunable.name).unwrap_or(tunable.standard),
            least: *tunable.range.start(),
            most: *tunable.range.end(),
            step: tunable.step,
        });
        let start = start.to_string();
        let fixed: Vec<&str> = start
            .split_whitespace()
            .filter(|pair| !is_tuned(pair.split('=').next().unwrap_or_default()))
            .collect();
        Ok(TuneSettings {
            parameters: parameters.collect(),
            fixed: fixed.join(" "),
            iterations: 1_000,
            rate: TuneSettings::DEFAULT_RATE,
            seed: 0,
            games,
        })
    }

    /// The default learning rate: a parameter that wins one game more than it loses in every fourth pair
    /// moves by about seven steps in a thousand pairs.
    pub const DEFAULT_RATE: f64 = 0.02;

    /// The name of the first setting, other than the number of concurrent games, that differs from `other`.
    pub(super) fn difference(&self, other: &TuneSettings) -> Option<String> {
        let mut other = other.clone();
        other.games.concurrency = self.games.concurrency;
        let (name, ..) = differences(self, &other).into_iter().next()?;
        // As the command line calls it.
        Some(match name.strip_prefix("match, ") {
            Some(name) => name.to_owned(),
            None => name.replace("fixed", "start"),
        })
    }

    /// Validates the constraints that the types do not enforce.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let wrong = |what: String| Err(SettingsError::new(what));
        if self.parameters.is_empty() {
            return wrong("no parameter to tune, expected at least one".to_owned());
        }
        let names = self.parameters.iter();
        check_names(names.map(|parameter| parameter.name.as_str()))?;
        for parameter in &self.parameters {
            let range = parameter.least..=parameter.most;
            if !range.contains(&parameter.start) || parameter.step < 1 {
                let name = excerpt(&parameter.name);
                return wrong(format!(
                    "parameter '{name}': expected least <= start <= most and a step of at least 1"
                ));
            }
        }
        if let Err(error) = self.fixed.parse::<Parameters>() {
            return wrong(format!("fixed: {error}"));
        }
        if !(1..=MOST_ITERATIONS).contains(&self.iterations) {
            return wrong(format!(
                "iterations: '{}', expected 1 to {MOST_ITERATIONS}",
                self.iterations
            ));
        }
        let engines = self.games.engines.iter();
        let mut options = engines.flat_map(|engine| engine.options.keys());
        let is_number = |name: &str| {
            let mut all = Parameters::TUNABLE.iter().map(|tunable| tunable.name);
            all.any(|number| number.eq_ignore_ascii_case(name))
        };
        if let Some(name) =
            options.find(|name| name.eq_ignore_ascii_case(OPTION) || is_number(name))
        {
            return wrong(format!(
                "the tuning itself sets {name}; say by --start what to begin with"
            ));
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return wrong(format!(
                "rate: '{}', expected more than 0, at most 1",
                self.rate
            ));
        }
        self.games.validate()
    }

    /// The value of the engine's option for these values of the parameters.
    pub fn option(&self, values: &[i32]) -> String {
        let tuned = self.parameters.iter().zip(values);
        let mut pairs: Vec<String> = tuned
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        if !self.fixed.is_empty() {
            pairs.push(self.fixed.clone());
        }
        pairs.join(" ")
    }
}

/// Checks that all names are parameters and distinct.
fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), SettingsError> {
    let mut before = Vec::new();
    for name in names {
        let mut known = Parameters::TUNABLE.iter();
        if !known.any(|tunable| tunable.name == name) {
            return Err(SettingsError::new(format!(
                "no parameter '{}'; `vato tune --list` names them all",
                excerpt(name)
            )));
        }
        if before.contains(&name) {
            return Err(SettingsError::new(format!(
                "parameter '{name}' is named twice"
            )));
        }
        before.push(name);
    }
    Ok(())
}
