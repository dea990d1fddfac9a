//! All positions of a training.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::calibration::{DEFAULT_SCORE_SCALE, fit_score_scale};
use super::example::{Example, is_held_out, is_wanted};
use super::{Settings, TrainingError};
use crate::training::data::{DataFile, Record, Sample};
use vato_engine::board::BoardSize;
use vato_engine::container::ContainerError;
use vato_engine::rules::{Rules, parse_rules};

/// Positions of a file that its score scale is fitted to, at most.
const SCALE_SAMPLE: usize = 100_000;

/// A file of training data, and the selected positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Source {
    /// The file's name, without its folder.
    pub name: String,
    /// Positions in the file.
    pub positions: u64,
    /// Checksum (CRC-32) of its records.
    pub checksum: u32,
    /// Positions to train on.
    pub training: u64,
    /// Positions held out.
    pub held_out: u64,
    /// Centi-stones over which the odds that a score stands for grow by e.
    pub score_scale: f32,
    /// Whether the scale is the default because the results did not suffice for a fit.
    pub is_default_scale: bool,
}

/// All positions of a training: those to train on, and those of the games that are held out.
#[derive(Clone, Debug, Default)]
pub struct DataSet {
    /// The rules of the games, if they come from files.
    pub rules: Option<Rules>,
    /// The files, and the positions selected from each.
    pub sources: Vec<Source>,
    pub(super) training: Vec<Example>,
    pub(super) held_out: Vec<Example>,
}

impl DataSet {
    /// Reads files of training data and selects positions by the settings.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, is for another board than 9x5 or of other rules than the first, or
    /// there is nothing to train on or nothing held out.
    pub fn read(paths: &[PathBuf], settings: &Settings) -> Result<DataSet, TrainingError> {
        let mut set = DataSet::default();
        let mut first: Option<(&Path, Rules)> = None;
        for path in paths {
            let file = DataFile::read(path)?;
            let wrong = ContainerError::content(path);
            let rules = parse_rules(&file.header.rules).map_err(ContainerError::content(path))?;
            if rules.board != BoardSize::STANDARD {
                let board = rules.board;
                return Err(wrong(format!("of a board of {board}; networks are for 9x5")).into());
            }
            let &mut (first_path, first_rules) = first.get_or_insert((path, rules));
            if !is_same_game(&rules, &first_rules) {
                let first = first_path.display();
                return Err(wrong(format!(
                    "of other rules ('{rules}') than {first} ('{first_rules}')"
                ))
                .into());
            }
            let name = path.file_name().unwrap_or(path.as_os_str());
            set.add(&name.to_string_lossy(), &file.records, settings);
        }
        set.rules = first.map(|(_, rules)| rules);
        set.check()?;
        Ok(set)
    }

    /// How many positions there are to train on.
    pub fn training(&self) -> usize {
        self.training.len()
    }

    /// Adds the selected ones of these records.
    pub(super) fn add(&mut self, name: &str, records: &[Record], settings: &Settings) {
        let wanted = || {
            let samples = records.iter().map(Record::sample);
            samples.filter(|sample| is_wanted(settings, sample))
        };
        let fitted = match settings.score_scale {
            Some(scale) => Some(scale),
            None => {
                let every = wanted().count().div_ceil(SCALE_SAMPLE).max(1);
                fit_score_scale(wanted().step_by(every))
            }
        };
        let score_scale = fitted.unwrap_or(DEFAULT_SCORE_SCALE);
        let before = (self.training.len(), self.held_out.len());
        let is_held_out = |sample: &Sample| is_held_out(sample.game, settings.validation);
        let held_out = wanted().filter(is_held_out).count();
        self.held_out.reserve_exact(held_out);
        self.training.reserve_exact(wanted().count() - held_out);
        for sample in wanted() {
            let example = Example::new(&sample, score_scale, settings);
            if is_held_out(&sample) {
                self.held_out.push(example);
            } else {
                self.training.push(example);
            }
        }
        self.sources.push(Source {
            name: name.to_owned(),
            positions: records.len() as u64,
            checksum: crc32fast::hash(bytemuck::cast_slice(records)),
            training: (self.training.len() - before.0) as u64,
            held_out: (self.held_out.len() - before.1) as u64,
            score_scale,
            is_default_scale: fitted.is_none(),
        });
    }

    /// Checks that there is something to train on and something held out, and not too much.
    pub(super) fn check(&self) -> Result<(), TrainingError> {
        if self.training.is_empty() || self.held_out.is_empty() {
            let read: u64 = self.sources.iter().map(|source| source.positions).sum();
            return Err(TrainingError::Invalid(format!(
                "{} positions to train on and {} held out, of {read} in the data: expected some of \
                 both (validation sets the share of the games that is held out; positions and \
                 skip-plies what is left out)",
                self.training.len(),
                self.held_out.len()
            )));
        }
        if u32::try_from(self.training.len()).is_err() {
            let (count, most) = (self.training.len(), u32::MAX);
            return Err(TrainingError::Invalid(format!(
                "{count} positions to train on, expected at most {most}"
            )));
        }
        Ok(())
    }

    pub(super) fn mean_score_scale(&self) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for source in &self.sources {
            let positions = (source.training + source.held_out) as f64;
            sum += f64::from(source.score_scale) * positions;
            count += positions;
        }
        (sum / count) as f32
    }

    /// What is different in the files that a training began with.
    pub(super) fn difference(&self, sources: &[Source]) -> Option<String> {
        let described = |sources: &[Source]| {
            let list = sources.iter().map(|source| {
                let (name, positions, checksum) = (&source.name, source.positions, source.checksum);
                format!("{name} ({positions} positions, checksum {checksum:08x})")
            });
            list.collect::<Vec<_>>().join(", ")
        };
        let (there, here) = (described(sources), described(&self.sources));
        (there != here).then(|| format!("the data are {there} there and {here} here"))
    }
}

/// Whether positions of the two are worth the same: how long games without captures or with repeated
/// positions go on does not matter.
fn is_same_game(rules: &Rules, other: &Rules) -> bool {
    let other = Rules {
        repeat: rules.repeat,
        limit: rules.limit,
        ..*other
    };
    *rules == other
}

#[cfg(test)]
mod tests {
    use super::super::trainer::tests::{records, settings};
    use super::*;

    #[test]
    fn whole_games_are_held_out() {
        let settings = settings();
        let records = records(4_000);
        let mut data = DataSet::default();
        data.add("a", &records, &settings);
        data.check().expect("some of both");
        let held_out = |sample: &Sample| is_held_out(sample.game, settings.validation);
        let wanted = records.iter().map(Record::sample).filter(held_out);
        assert_eq!(data.held_out.len(), wanted.clone().count());
        assert_eq!(data.training() + data.held_out.len(), records.len());
        for (sample, example) in wanted.zip(&data.held_out) {
            assert_eq!((sample.own(), sample.other()), (example.own, example.other));
        }
        let source = &data.sources[0];
        assert_eq!(source.training, data.training() as u64);
        assert!(!source.is_default_scale && source.score_scale > 50.0);
    }

    #[test]
    fn every_file_has_a_scale_of_its_own() {
        let settings = settings();
        let records = records(4_000);
        let twice: Vec<Record> = records
            .iter()
            .map(|record| {
                let sample = record.sample();
                let score = 2 * sample.score.clamp(-1_500, 1_500);
                Record::new(&Sample { score, ..sample })
            })
            .collect();
        let mut data = DataSet::default();
        data.add("a", &records, &settings);
        data.add("b", &twice, &settings);
        let [once, twice] = [0, 1].map(|place| data.sources[place].score_scale);
        assert!((twice / once - 2.0).abs() < 0.05, "{once} {twice}");
        let mean = data.mean_score_scale();
        assert!((mean - 1.5 * once).abs() < 0.1 * once, "{mean}");
    }
}
