//! How a network is trained.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use vato_engine::memory::processors;
use vato_engine::text::{decimal, number};
use vato_solver::conditions::other_conditions;
use vato_tools::tournament::settings::SettingsError;

const MAX_THREADS: usize = 1_024;

/// The least number above zero.
const ABOVE_0: f32 = f32::from_bits(1);

/// Which positions are trained on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum PositionFilter {
    /// All.
    #[default]
    All,
    /// Those in which the side to move cannot capture.
    Quiet,
}

/// How a network is trained: the options of the command line, and the keys of a TOML file.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// Number of epochs [default: 20]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u32>(..))]
    pub epochs: u32,
    /// Batch size in positions [default: 16384]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<usize>(..))]
    pub batch: usize,
    /// The highest learning rate [default: 0.001]
    #[arg(long, value_name = "R", help_heading = "Optimisation", value_parser = decimal::<f32>)]
    pub learning_rate: f32,
    /// The learning rate at the end, as a part of the highest [default: 0.01]
    #[arg(long, value_name = "PART", help_heading = "Optimisation", value_parser = decimal::<f32>)]
    pub final_rate: f32,
    /// Batches over which the learning rate rises to its highest, a tenth of all at most [default: 200]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u32>(..))]
    pub warm_up: u32,
    /// Weight of the score in the target, 0 to 1; the rest is that of the result [default: 0.7]
    #[arg(long, value_name = "W", help_heading = "Positions", value_parser = decimal::<f32>)]
    pub score_weight: f32,
    /// Centi-stones over which the odds that a score stands for grow by e [default: fitted to the
    /// results of every file]
    #[arg(long, value_name = "CS", help_heading = "Positions", value_parser = decimal::<f32>)]
    pub score_scale: Option<f32>,
    /// Which positions: all, or quiet (the side to move cannot capture) [default: all]
    #[arg(
        long,
        value_name = "KIND",
        help_heading = "Positions",
        value_enum,
        hide_possible_values = true
    )]
    pub positions: PositionFilter,
    /// Leave out the first N plies of every game [default: 0]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = number::<u16>(..))]
    pub skip_plies: u16,
    /// Scores beyond N centi-stones either way, known wins among them, count as N [default: 3000]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = number::<u16>(..))]
    pub most_score: u16,
    /// Share of the games that is held out for validation [default: 0.02]
    #[arg(long, value_name = "SHARE", help_heading = "Positions", value_parser = decimal::<f32>)]
    pub validation: f32,
    /// Begin with the weights of this network [default: random weights]
    #[arg(long, value_name = "NET", help_heading = "Optimisation")]
    pub start: Option<PathBuf>,
    /// Seed of random weights, the order of the positions and their mirroring [default: 1]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u64>(..))]
    pub seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T", help_heading = "Optimisation", value_parser = number::<usize>(1..=MAX_THREADS as u64))]
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 20,
            batch: 16_384,
            learning_rate: 0.001,
            final_rate: 0.01,
            warm_up: 200,
            score_weight: 0.7,
            score_scale: None,
            positions: PositionFilter::All,
            skip_plies: 0,
            most_score: 3_000,
            validation: 0.02,
            start: None,
            seed: 1,
            threads: processors(),
        }
    }
}

impl Settings {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    ///
    /// Names the first setting that is not, and what is wanted.
    pub fn check(&self) -> Result<(), SettingsError> {
        let (some, part) = ("at least 1", "a number from 0 to 1");
        SettingsError::unless(1.., "epochs", self.epochs, some)?;
        SettingsError::unless(1.., "batch", self.batch, some)?;
        let expected = "a number above 0, at most 1";
        SettingsError::unless(ABOVE_0..=1.0, "learning-rate", self.learning_rate, expected)?;
        SettingsError::unless(0.0..=1.0, "final-rate", self.final_rate, part)?;
        SettingsError::unless(0.0..=1.0, "score-weight", self.score_weight, part)?;
        let expected = "centi-stones from 1 to 100000";
        SettingsError::unless(1.0..=100_000.0, "score-scale", self.score_scale, expected)?;
        let expected = "a number above 0 and below 1";
        SettingsError::unless(ABOVE_0..1.0, "validation", self.validation, expected)?;
        let expected = "a number from 1 to 1024";
        SettingsError::unless(1..=MAX_THREADS, "threads", self.threads, expected)?;
        SettingsError::unless(1.., "most-score", self.most_score, some)
    }

    /// In what the settings differ from those of a training that is continued. The number of threads does not matter.
    pub(super) fn difference(&self, there: &Settings) -> Option<String> {
        let there = Settings {
            threads: self.threads,
            ..there.clone()
        };
        other_conditions(&there, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_right_and_what_is_not_is_named() {
        Settings::default().check().expect("right");
        let wrong = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.check().expect_err("wrong").to_string()
        };
        for (named, change) in [
            ("epochs '0'", (|it| it.epochs = 0) as fn(&mut Settings)),
            ("batch '0'", |it| it.batch = 0),
            ("learning-rate 'NaN'", |it| it.learning_rate = f32::NAN),
            ("final-rate '1.5'", |it| it.final_rate = 1.5),
            ("score-weight '-0.1'", |it| it.score_weight = -0.1),
            ("score-scale '0'", |it| it.score_scale = Some(0.0)),
            ("validation '1'", |it| it.validation = 1.0),
            ("threads '0'", |it| it.threads = 0),
            ("most-score '0'", |it| it.most_score = 0),
        ] {
            let (said, wanted) = (wrong(change), format!("invalid {named}: expected "));
            assert!(said.starts_with(&wanted), "{said}");
        }
    }

    #[test]
    fn files_may_leave_out_settings_and_not_add_any() {
        let text = "batch = 64\npositions = \"quiet\"\nscore-scale = 200.0";
        let wanted = Settings {
            batch: 64,
            positions: PositionFilter::Quiet,
            score_scale: Some(200.0),
            ..Settings::default()
        };
        assert_eq!(toml::from_str(text), Ok(wanted));
        assert!(toml::from_str::<Settings>("bach = 64").is_err());
    }
}
