//! The arguments of `vato train`, and the settings that they make.

use std::path::PathBuf;

use clap::Args;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};
use vato_tools::training::{PositionFilter, Settings};

use crate::cli::arguments::{decimal, number, read_config, set};
use crate::cli::failure::Failure;
use crate::cli::resources::threads;

/// Train a network on positions of games
///
/// Fits the network to a mixture of the search's scores and the games' results, and at last its scale
/// and win model to games that were held out. The training is saved after every epoch; the
/// same command resumes it. Settings may be given in a TOML file, under the names of the
/// options; the command line takes precedence.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato train --data games.vtd --out my.net
  vato train --data old.vtd new.vtd --out long.net --epochs 40 --threads 8
  vato train --data games.vtd --out quiet.net --config train.toml --positions quiet

Standard output has a line for every epoch: mean squared errors of the expected points, of the \
positions trained on, and of those held out (all, those without and with a capture for the side to \
move). The same settings and data give the same network, whatever the number of threads.")]
pub struct Arguments {
    /// Files of training data
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,

    /// File for the network
    #[arg(long, value_name = "NET")]
    pub out: PathBuf,

    /// Take the settings from a TOML file; other options take precedence
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Checkpoint file, to save to and resume from [default: NET with .checkpoint]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Begin anew even if there is a checkpoint, and replace it and all other files that are written
    #[arg(long)]
    pub restart: bool,

    /// File for the network as it is before the first epoch, to compare with
    #[arg(long, value_name = "NET")]
    pub untrained: Option<PathBuf>,

    /// File for a plot of the losses [default: NET with .svg]
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Begin with the weights of this network [default: random weights]
    #[arg(long, value_name = "NET", help_heading = "Optimisation")]
    start: Option<PathBuf>,

    /// Number of epochs [default: 20]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u32>(..))]
    epochs: Option<u32>,

    /// Batch size in positions [default: 16384]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<usize>(..))]
    batch: Option<usize>,

    /// The highest learning rate [default: 0.001]
    #[arg(long, value_name = "R", help_heading = "Optimisation", value_parser = decimal::<f32>)]
    learning_rate: Option<f32>,

    /// The learning rate at the end, as a part of the highest [default: 0.01]
    #[arg(long, value_name = "PART", help_heading = "Optimisation", value_parser = decimal::<f32>)]
    final_rate: Option<f32>,

    /// Batches over which the learning rate rises to its highest, a tenth of all at most [default: 200]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u32>(..))]
    warm_up: Option<u32>,

    /// Seed of random weights, the order of the positions and their mirroring [default: 1]
    #[arg(long, value_name = "N", help_heading = "Optimisation", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = threads(), help_heading = "Optimisation")]
    threads: Option<u64>,

    /// Weight of the score in the target, 0 to 1; the rest is that of the result [default: 0.7]
    #[arg(long, value_name = "W", help_heading = "Positions", value_parser = decimal::<f32>)]
    score_weight: Option<f32>,

    /// Centi-stones over which the odds that a score stands for grow by e [default: fitted to the
    /// results of every file]
    #[arg(long, value_name = "CS", help_heading = "Positions", value_parser = decimal::<f32>)]
    score_scale: Option<f32>,

    /// Which positions: all, or quiet (the side to move cannot capture) [default: all]
    #[arg(long, value_name = "KIND", value_parser = named::<PositionFilter>, help_heading = "Positions")]
    positions: Option<PositionFilter>,

    /// Leave out the first N plies of every game [default: 0]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = number::<u16>(..))]
    skip_plies: Option<u16>,

    /// Scores beyond N centi-stones either way, known wins among them, count as N [default: 3000]
    #[arg(long, value_name = "N", help_heading = "Positions", value_parser = number::<u16>(..))]
    most_score: Option<u16>,

    /// Share of the games that is held out for validation [default: 0.02]
    #[arg(long, value_name = "SHARE", help_heading = "Positions", value_parser = decimal::<f32>)]
    validation: Option<f32>,
}

/// Reads a value by the name that it has in files.
fn named<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Error> {
    let deserializer: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(deserializer)
}

impl Arguments {
    /// The settings of the training: those of the file, if there is one, under those of the command
    /// line.
    ///
    /// # Errors
    ///
    /// If the settings' file does not read.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let mut settings: Settings = read_config(self.config.as_deref())?;
        set(&mut settings.start, self.start.clone().map(Some));
        set(&mut settings.epochs, self.epochs);
        set(&mut settings.batch, self.batch);
        set(&mut settings.learning_rate, self.learning_rate);
        set(&mut settings.final_rate, self.final_rate);
        set(&mut settings.warm_up, self.warm_up);
        set(&mut settings.seed, self.seed);
        let threads = self.threads.map(|threads| threads as usize);
        set(&mut settings.threads, threads);
        set(&mut settings.score_weight, self.score_weight);
        set(&mut settings.score_scale, self.score_scale.map(Some));
        set(&mut settings.positions, self.positions);
        set(&mut settings.skip_plies, self.skip_plies);
        set(&mut settings.most_score, self.most_score);
        set(&mut settings.validation, self.validation);
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn arguments(more: &[&str]) -> Result<Arguments, clap::Error> {
        let words = ["train", "--data", "a", "b", "--out", "c"];
        CommandLine::try_parse_from(words.iter().chain(more)).map(|line| line.arguments)
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("train.toml");
        std::fs::write(&path, "batch = 64\nepochs = 3\nscore-scale = 90.0\n").expect("room");
        let config = path.to_str().expect("a path in Unicode");
        let options = ["--config", config, "--batch", "96", "--positions", "quiet"];
        let settings = arguments(&options).expect("right").settings();
        let wanted = Settings {
            batch: 96,
            epochs: 3,
            score_scale: Some(90.0),
            positions: PositionFilter::Quiet,
            ..Settings::default()
        };
        assert_eq!(settings.expect("right"), wanted);
        std::fs::write(&path, "epoch = 3\n").expect("room");
        let Err(Failure::Usage(error)) = arguments(&options).expect("right").settings() else {
            panic!("no such setting");
        };
        assert!(
            error.contains("train.toml") && error.contains("epoch"),
            "{error}"
        );
    }

    #[test]
    fn unknown_names_are_refused_with_those_that_there_are() {
        let error = arguments(&["--positions", "loud"]).expect_err("no such set");
        let error = error.to_string();
        assert!(error.contains("loud") && error.contains("quiet"), "{error}");
    }
}
