//! The arguments of `vato train`, and the settings that they make.

use std::path::PathBuf;

use clap::Args;
use vato_tools::training::Settings;

use crate::cli::support::arguments::Given;
use crate::cli::support::failure::Failure;

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

    #[command(flatten)]
    settings: Given<Settings>,
}

impl Arguments {
    /// The settings of the training: those of the file, if there is one, under those of the command
    /// line.
    ///
    /// # Errors
    ///
    /// If the settings' file does not read.
    pub fn settings(&self) -> Result<Settings, Failure> {
        self.settings.put_into(Given::read(self.config.as_deref())?)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use vato_tools::training::PositionFilter;

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
