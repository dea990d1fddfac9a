//! A training on disk, to go on with.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `VATOTRN` and a zero |
//! | 4 | version of the format |
//! | 4 | length of the header |
//! | | the header, JSON |
//! | | weights, then the optimiser's means of gradients and of their squares, 4 bytes a number |
//! | 4 | checksum (CRC-32) of all before |
//!
//! All numbers are little-endian.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DataSet, EpochReport, Settings, Source, Trainer, TrainingError};
use crate::files::replace;

const MAGIC: [u8; 8] = *b"VATOTRN\0";
const VERSION: u32 = 1;
/// Bytes before the header.
const PREAMBLE: usize = 16;
/// Bytes behind the numbers.
const CHECKSUM: usize = 4;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Header {
    settings: Settings,
    sources: Vec<Source>,
    epochs: Vec<EpochReport>,
    steps: u64,
}

impl Trainer {
    /// Writes the training under a temporary name beside `path`, then gives it its own: whatever
    /// happens on the way, there is a whole checkpoint or none.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_checkpoint(&self, path: &Path) -> Result<(), TrainingError> {
        replace(path, |file| self.write(file)).map_err(TrainingError::file(path))
    }

    fn write(&self, file: &mut impl Write) -> io::Result<()> {
        let header = serde_json::to_vec(&Header {
            settings: self.settings.clone(),
            sources: self.data.sources.clone(),
            epochs: self.history.clone(),
            steps: self.adam.steps,
        })?;
        let length = u32::try_from(header.len()).map_err(io::Error::other)?;
        let mut hasher = crc32fast::Hasher::new();
        let mut write = |bytes: &[u8]| {
            hasher.update(bytes);
            file.write_all(bytes)
        };
        write(&MAGIC)?;
        write(&VERSION.to_le_bytes())?;
        write(&length.to_le_bytes())?;
        write(&header)?;
        for numbers in [&self.parameters, &self.adam.first, &self.adam.second] {
            for number in numbers.iter() {
                write(&number.to_le_bytes())?;
            }
        }
        file.write_all(&hasher.finalize().to_le_bytes())
    }

    /// The training that the checkpoint at `path` is of. Its settings and data have to be these; only
    /// the number of threads may be another.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::new`], and if the checkpoint does not read, is damaged, or is of another
    /// training.
    pub fn resume(
        settings: Settings,
        data: DataSet,
        path: &Path,
    ) -> Result<Trainer, TrainingError> {
        let bytes = fs::read(path).map_err(TrainingError::file(path))?;
        let damaged = |what: String| TrainingError::damaged(path, what);
        let (header, numbers) = parts(&bytes).map_err(damaged)?;
        let mut differences = settings.differences(&header.settings);
        differences.extend(data.differences(&header.sources));
        if !differences.is_empty() {
            return Err(TrainingError::OtherTraining {
                path: path.to_owned(),
                differences: differences.join("; "),
            });
        }
        let mut trainer = Trainer::new(settings, data)?;
        let count = trainer.parameters.len();
        if numbers.len() != 3 * count * size_of::<f32>() {
            return Err(damaged(format!(
                "{} bytes of numbers, want {}",
                numbers.len(),
                3 * count * size_of::<f32>()
            )));
        }
        let numbers = numbers.as_chunks().0.iter();
        let places = (trainer.parameters.iter_mut())
            .chain(trainer.adam.first.iter_mut())
            .chain(trainer.adam.second.iter_mut());
        for (place, &bytes) in places.zip(numbers) {
            *place = f32::from_le_bytes(bytes);
        }
        trainer.adam.steps = header.steps;
        trainer.history = header.epochs;
        Ok(trainer)
    }
}

/// The header and the bytes of the numbers, or what is wrong.
fn parts(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    if !bytes.starts_with(&MAGIC) {
        return Err("not a checkpoint of a training".to_owned());
    }
    let truncated = || format!("truncated: {} bytes", bytes.len());
    let word = |place: usize| {
        let bytes = bytes.get(place..).and_then(|rest| rest.first_chunk());
        bytes.copied().map(u32::from_le_bytes).ok_or_else(truncated)
    };
    let version = word(8)?;
    if version != VERSION {
        return Err(format!("version {version}, this program reads {VERSION}"));
    }
    let length = word(12)? as usize;
    if bytes.len() < PREAMBLE + CHECKSUM {
        return Err(truncated());
    }
    let (content, _) = bytes.split_at(bytes.len() - CHECKSUM);
    if crc32fast::hash(content) != word(content.len())? {
        return Err("damaged: the checksum is wrong".to_owned());
    }
    let (header, numbers) = content[PREAMBLE..]
        .split_at_checked(length)
        .ok_or_else(truncated)?;
    let header = serde_json::from_slice(header).map_err(|error| format!("header: {error}"))?;
    Ok((header, numbers))
}

#[cfg(test)]
mod tests {
    use super::super::trainer::tests::{data, records, settings};
    use super::*;

    fn trainer(settings: Settings) -> Trainer {
        let data = data(&settings, &records(1_500));
        Trainer::new(settings, data).expect("right")
    }

    #[test]
    fn a_training_that_was_broken_off_comes_to_the_same_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.checkpoint");
        let mut whole = trainer(settings());
        while !whole.is_done() {
            whole.epoch(&mut |_| {}).expect("finite");
            let mut broken = if whole.history().len() == 1 {
                trainer(settings())
            } else {
                let data = data(&settings(), &records(1_500));
                let other_threads = Settings {
                    threads: 2,
                    ..settings()
                };
                Trainer::resume(other_threads, data, &path).expect("right")
            };
            broken.epoch(&mut |_| {}).expect("finite");
            assert_eq!(broken.parameters(), whole.parameters());
            assert_eq!(broken.history().len(), whole.history().len());
            broken.write_checkpoint(&path).expect("there is room");
        }
        let names = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 1, "nothing temporary is left");
    }

    #[test]
    fn checkpoints_of_other_trainings_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.checkpoint");
        let records = records(1_500);
        trainer(settings())
            .write_checkpoint(&path)
            .expect("there is room");
        let resume = |settings: Settings, data: DataSet| {
            let resumed = Trainer::resume(settings, data, &path);
            resumed.err().map(|error| error.to_string())
        };
        let other = Settings {
            hidden: 64,
            learning_rate: 0.02,
            ..settings()
        };
        let error = resume(other, data(&settings(), &records)).expect("other settings");
        for part in [
            "a.checkpoint",
            "hidden is 32 there and 64 here",
            "learning-rate",
            "--restart",
        ] {
            assert!(error.contains(part), "{error}");
        }
        let fewer = data(&settings(), &records[1..]);
        let error = resume(settings(), fewer).expect("other data");
        assert!(error.contains("synthetic (1500 positions"), "{error}");
        assert_eq!(resume(settings(), data(&settings(), &records)), None);
    }

    #[test]
    fn damaged_checkpoints_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.checkpoint");
        trainer(settings())
            .write_checkpoint(&path)
            .expect("there is room");
        let right = fs::read(&path).expect("just written");
        assert!(parts(&right).is_ok());
        for length in (0..200).chain((200..right.len()).step_by(997)) {
            assert!(parts(&right[..length]).is_err(), "{length} bytes");
        }
        for place in (0..200).chain((200..right.len()).step_by(997)) {
            let mut wrong = right.clone();
            wrong[place] ^= 0x10;
            assert!(parts(&wrong).is_err(), "byte {place}");
        }
        fs::write(&path, &right[..right.len() - 1]).expect("there is room");
        let data = data(&settings(), &records(1_500));
        let error = Trainer::resume(settings(), data, &path).err();
        let error = error.expect("damaged").to_string();
        assert!(error.contains("a.checkpoint: damaged"), "{error}");
    }
}
