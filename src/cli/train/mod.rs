//! `vato train`: a network from training data.

mod report;

use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use vato_engine::eval::network_suits;
use vato_engine::files;
use vato_engine::network::MAGIC;
use vato_lab::{DataSet, Settings, Trainer, TrainingError};
use vato_solver::files::{
    Lock, canonical, create, folder_of, replaceable, require_new, with_extension,
};
use vato_tools::stop::StopSignal;

use super::support::arguments::Given;
use super::support::failure::{Failure, stdout};
use super::support::present::progress_bar;
use super::support::signals;

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
    data: Vec<PathBuf>,

    /// File for the network
    #[arg(long, value_name = "NET")]
    out: PathBuf,

    /// Take the settings from a TOML file; other options take precedence
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Checkpoint file, to save to and resume from [default: NET with .checkpoint]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Start afresh even if there is a checkpoint, and replace it and all other files that are written
    #[arg(long)]
    restart: bool,

    /// File for the network as it is before the first epoch, to compare with
    #[arg(long, value_name = "NET")]
    untrained: Option<PathBuf>,

    #[command(flatten)]
    settings: Given<Settings>,
}

impl Arguments {
    fn settings(&self) -> Result<Settings, Failure> {
        self.settings.put_into(Given::read(self.config.as_deref())?)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = arguments.settings()?;
    settings.check()?;
    let files = Files::of(arguments, settings.start.as_deref())?;
    let goes_on = files.checkpoint.exists() && !arguments.restart;
    files.check(goes_on, arguments.restart)?;
    let _locks = [Lock::take(&files.checkpoint)?, Lock::take(&files.network)?];
    let stop = signals::watch("epoch")?;
    let data = DataSet::read(&arguments.data, &settings)?;
    if let Some(rules) = data.rules.as_ref().filter(|rules| !network_suits(rules)) {
        log::warn!(
            "under the rules '{rules}' the hand-made evaluation plays, whatever network is loaded"
        );
    }
    let mut trainer = match goes_on {
        true => Trainer::resume(settings, data, &files.checkpoint)?,
        false => Trainer::new(settings, data)?,
    };
    // Better known now than after an epoch whether it can be written.
    trainer.write_checkpoint(&files.checkpoint)?;
    files.make_room(&trainer, arguments.restart)?;
    if let Some(path) = &files.untrained {
        write_new(path, &trainer.untrained()?.to_bytes())?;
    }
    let mut out = stdout();
    write!(out, "{}", report::of_sources(&trainer.data.sources))?;
    writeln!(out, "{}", report::HEAD)?;
    for report in &trainer.history {
        writeln!(out, "{}", report::row(report))?;
    }
    if !train(&mut trainer, &files, &stop)? {
        return Err(Failure::to_go_on(arguments.restart));
    }
    finish(&trainer, &files)
}

struct Files {
    network: PathBuf,
    checkpoint: PathBuf,
    untrained: Option<PathBuf>,
}

impl Files {
    /// Whether there are folders for the files, and nothing in their place but what a training that `goes_on`
    /// has left, or one that is done again: better known now than after hours.
    fn check(&self, goes_on: bool, again: bool) -> Result<(), Failure> {
        let written = [
            // Where one goes on, what else it may be is said when it is read.
            (!goes_on).then_some((&self.checkpoint, &b"VATOTRN\0"[..])),
            Some((&self.network, &MAGIC)),
            self.untrained.as_ref().map(|path| (path, &MAGIC[..])),
        ];
        for (path, kind) in written.into_iter().flatten() {
            let failed = Failure::cannot_write(path);
            let metadata = fs::metadata(folder_of(path)).map_err(&failed)?;
            if !metadata.is_dir() {
                return Err(failed(io::ErrorKind::NotADirectory.into()));
            }
            if path.is_dir() {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            match goes_on || again {
                true => replaceable(path, kind),
                false => require_new(path),
            }
            .map_err(failed)?;
        }
        Ok(())
    }

    /// Removes what is written `again`. A training that is not done has written no network: one that is there is not its
    /// own.
    fn make_room(&self, trainer: &Trainer, again: bool) -> Result<(), Failure> {
        for path in iter::once(&self.network).chain(&self.untrained) {
            let is_own = trainer.is_done() || Some(path) == self.untrained.as_ref();
            match again {
                true if path.exists() => fs::remove_file(path),
                false if !is_own => require_new(path),
                _ => Ok(()),
            }
            .map_err(Failure::cannot_write(path))?;
        }
        Ok(())
    }

    fn of(arguments: &Arguments, start: Option<&Path>) -> Result<Files, Failure> {
        let network = arguments.out.clone();
        // Of other names nothing is cut off: my.v1 and my.v2 are two networks.
        let stem = match network.extension() {
            Some(extension) if extension == "net" => network.with_extension(""),
            _ => network.clone(),
        };
        let checkpoint = arguments.checkpoint.clone();
        let files = Files {
            checkpoint: checkpoint.unwrap_or_else(|| with_extension(&stem, "checkpoint")),
            untrained: arguments.untrained.clone(),
            network,
        };
        let read = arguments.data.iter().chain(&arguments.config);
        let read = read.map(PathBuf::as_path).chain(start).map(canonical);
        let (read, mut taken) = (read.collect::<Vec<_>>(), Vec::new());
        let written = [&files.network, &files.checkpoint];
        for path in written.into_iter().chain(&files.untrained) {
            let (path, name) = (canonical(path), path.display());
            let role = match (read.contains(&path), taken.contains(&path)) {
                (true, _) => "both an input and an output",
                (false, true) => "the name of two outputs",
                (false, false) => {
                    taken.push(path);
                    continue;
                }
            };
            return Err(Failure::Usage(format!("{name} is {role}")));
        }
        Ok(files)
    }
}

/// Writes a file, unless it is there already just so: nothing is replaced.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    match files::read(path) {
        Ok(there) if there == bytes => Ok(()),
        _ => create(path, |file| file.write_all(bytes)).map_err(Failure::cannot_write(path)),
    }
}

/// Trains to the end, with a checkpoint and a line of the table after every epoch; whether it is the end.
fn train(trainer: &mut Trainer, files: &Files, stop: &StopSignal) -> Result<bool, Failure> {
    let epochs = u64::from(trainer.settings.epochs);
    let left = epochs.saturating_sub(trainer.history.len() as u64);
    let bar = progress_bar(left * trainer.data.training() as u64, "positions");
    while !trainer.is_done() && !stop.is_given() {
        bar.set_message(format!(", epoch {}/{epochs}", trainer.history.len() + 1));
        let report = match trainer.epoch(&mut |positions| {
            bar.inc(positions);
            !stop.is_now()
        }) {
            Err(TrainingError::Stopped) => break,
            report => report?,
        };
        trainer.write_checkpoint(&files.checkpoint)?;
        bar.suspend(|| writeln!(stdout(), "{}", report::row(&report)))?;
    }
    bar.finish_and_clear();
    Ok(trainer.is_done())
}

fn finish(trainer: &Trainer, files: &Files) -> Result<(), Failure> {
    let calibration = trainer.calibrate();
    let network = trainer.network(&calibration)?;
    write_new(&files.network, &network.to_bytes())?;
    let mut out = stdout();
    if let Some(report) = trainer.history.last() {
        writeln!(out, "{}", report::by_stones(&report.held_out))?;
    }
    write!(out, "{}", report::of_calibration(&calibration))?;
    let (path, name) = (files.network.display(), network.name());
    writeln!(out, "{path}: network {name}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use vato_lab::PositionFilter;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn files(words: &[&str]) -> Result<Files, Failure> {
        let words = ["train"].iter().chain(words);
        let line = CommandLine::try_parse_from(words).expect("right");
        Files::of(&line.arguments, Some(Path::new("s.net")))
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_refused_before_the_work_begins() {
        let folder = tempfile::tempdir().expect("a folder");
        let [pipe, other] = ["pipe", "other"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let [pipe, other] = [&pipe, &other].map(|path| path.to_str().expect("UTF-8"));
        let check = |words: &[&str]| {
            let words = [&["--data", "a"], words].concat();
            files(&words).expect("two files").check(false, true)
        };
        for words in [
            ["--out", pipe].as_slice(),
            &["--out", other, "--checkpoint", pipe],
            &["--out", other, "--untrained", pipe],
        ] {
            let Err(Failure::Error(error)) = check(words) else {
                panic!("a pipe");
            };
            assert_eq!(error, format!("cannot write {pipe}: not a regular file"));
        }
    }

    #[test]
    fn no_file_is_written_over_another() {
        let written = files(&["--data", "a", "--out", "d/b.net"]).expect("two files");
        assert_eq!(written.checkpoint, PathBuf::from("d/b.checkpoint"));
        let both = " is both an input and an output";
        let twice = " is the name of two outputs";
        for (wrong, what) in [
            ("--data a b --out b", both),
            ("--data a --out s.net", both),
            ("--data b.checkpoint --out b.net", both),
            ("--data a --out b.net --checkpoint ./b.net", twice),
            ("--data a --out b --checkpoint a", both),
            ("--data a --out b --checkpoint c --untrained c", twice),
        ] {
            let words: Vec<&str> = wrong.split(' ').collect();
            let Err(Failure::Usage(message)) = files(&words) else {
                panic!("{wrong}");
            };
            assert!(message.ends_with(what), "{message}");
        }
    }

    fn arguments(more: &[&str]) -> Arguments {
        let words = ["train", "--data", "a", "b", "--out", "c"];
        let line = CommandLine::try_parse_from(words.iter().chain(more));
        line.expect("right").arguments
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("train.toml");
        std::fs::write(&path, "batch = 64\nepochs = 3\nscore-scale = 90.0\n").expect("room");
        let config = path.to_str().expect("a path in Unicode");
        let options = ["--config", config, "--batch", "96", "--positions", "quiet"];
        let settings = arguments(&options).settings();
        let wanted = Settings {
            batch: 96,
            epochs: 3,
            score_scale: Some(90.0),
            positions: PositionFilter::Quiet,
            ..Settings::default()
        };
        assert_eq!(settings.expect("right"), wanted);
    }
}
