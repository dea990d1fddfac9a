//! All positions of a training.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::calibration::{DEFAULT_SCORE_SCALE, fit_score_scale};
use super::settings::PositionFilter;
use super::{Settings, TrainingError};
use crate::data::{DataFile, Record, Sample};
use vato_engine::board::{Bitboard, BoardSize};
use vato_engine::container::ContainerError;
use vato_engine::random::split_mix;
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

/// [`Example::half_points`] of a position without a result.
pub(super) const NO_RESULT: u8 = u8::MAX;

/// A training example from the view of the side to move, in 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Example {
    /// The stones of the side to move.
    pub(super) own: Bitboard,
    /// The stones of the other side.
    pub(super) other: Bitboard,
    /// The target: expected points, 0 to 1.
    pub(super) target: f32,
    /// Plies since the game began, at most 255.
    pub(super) ply: u8,
    /// Plies since the last capture.
    pub(super) halfmove_clock: u8,
    /// The result for the side to move: 0 lost, 1 drawn, 2 won, [`NO_RESULT`] if it has none.
    pub(super) half_points: u8,
    pub(super) can_capture: bool,
}

const _: () = assert!(size_of::<Example>() == 24);

impl Example {
    /// The example of a position of a game: its target is a mixture of what its score stands for, at
    /// `score_scale` centi-stones for each e in the odds, and its result, if it has one.
    pub(super) fn new(sample: &Sample, score_scale: f32, settings: &Settings) -> Example {
        let (score_weight, most_score) = (settings.score_weight, f32::from(settings.most_score));
        let score = f32::from(sample.score).clamp(-most_score, most_score);
        let expected = sigmoid(score / score_scale);
        // Where it is known who wins, what was made of it tells nothing more.
        let points = sample.points().filter(|_| !sample.is_decided());
        Example {
            own: sample.own(),
            other: sample.other(),
            target: match points {
                Some(points) => score_weight * expected + (1.0 - score_weight) * points,
                None => expected,
            },
            ply: u8::try_from(sample.ply).unwrap_or(u8::MAX),
            halfmove_clock: sample.halfmove_clock,
            half_points: points.map_or(NO_RESULT, |points| (2.0 * points) as u8),
            can_capture: sample.can_capture,
        }
    }

    #[inline(always)]
    pub(super) const fn stones(&self) -> u32 {
        self.own.count() + self.other.count()
    }
}

/// The points that an output of the network, or a score in units of its scale, stands for.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn is_wanted(settings: &Settings, sample: &Sample) -> bool {
    sample.ply >= settings.skip_plies
        && (settings.positions == PositionFilter::All || !sample.can_capture)
}

/// Whether the game with this number is one of the `share` that is held out. The same in every
/// training, whatever its seed.
fn is_held_out(game: u16, share: f32) -> bool {
    let fraction = (split_mix(u64::from(game)) >> 40) as f32 / (1_u64 << 24) as f32;
    fraction < share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainer::tests::{records, settings};
    use vato_engine::board::Side;
    use vato_records::pgn::RecordResult;

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
        let twice = records.iter().map(|record| {
            let sample = record.sample();
            let score = 2 * sample.score.clamp(-1_500, 1_500);
            Record::new(&Sample { score, ..sample })
        });
        let twice: Vec<Record> = twice.collect();
        let mut data = DataSet::default();
        data.add("a", &records, &settings);
        data.add("b", &twice, &settings);
        let [once, twice] = [0, 1].map(|place| data.sources[place].score_scale);
        assert!((twice / once - 2.0).abs() < 0.05, "{once} {twice}");
        let mean = data.mean_score_scale();
        assert!((mean - 1.5 * once).abs() < 0.1 * once, "{mean}");
    }

    fn sample() -> Sample {
        let start = BoardSize::STANDARD.start();
        Sample {
            stones: Side::BOTH.map(|side| start.stones(side)),
            side: Side::Black,
            halfmove_clock: 0,
            can_capture: true,
            score: 200,
            ply: 7,
            result: RecordResult::WhiteWins,
            game: 3,
            is_last: false,
        }
    }

    #[test]
    fn targets_mix_scores_and_results_of_the_side_to_move() {
        let sample = sample();
        let settings = Settings {
            score_weight: 0.75,
            most_score: 400,
            ..Settings::default()
        };
        let example = Example::new(&sample, 200.0, &settings);
        assert_eq!(example.own, sample.stones[1]);
        assert_eq!(example.half_points, 0);
        let wanted = 0.75 / (1.0 + (-1.0_f32).exp());
        assert!((example.target - wanted).abs() < 1e-6);
        // What is known counts for itself, and so does what has no result.
        for (score, result) in [(30_000, sample.result), (500, RecordResult::Unfinished)] {
            let sample = Sample {
                score,
                result,
                ..sample
            };
            let example = Example::new(&sample, 200.0, &settings);
            assert_eq!(example.half_points, NO_RESULT);
            assert!((example.target - 1.0 / (1.0 + (-2.0_f32).exp())).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_not_wanted_is_left_out() {
        let mut settings = Settings::default();
        let sample = sample();
        assert!(is_wanted(&settings, &sample));
        settings.skip_plies = 8;
        assert!(!is_wanted(&settings, &sample));
        settings.skip_plies = 7;
        assert!(is_wanted(&settings, &sample));
        settings.positions = PositionFilter::Quiet;
        assert!(!is_wanted(&settings, &sample));
    }

    #[test]
    fn about_the_share_of_the_games_is_held_out() {
        let count = (0..=u16::MAX)
            .filter(|&game| is_held_out(game, 0.02))
            .count();
        assert!((1_200..1_420).contains(&count), "{count}");
        assert!((0..100).all(|game| !is_held_out(game, 0.02) || is_held_out(game, 0.1)));
    }
}
