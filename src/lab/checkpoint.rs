//! Checkpoints of a training: a [`Format`] whose body is the weights, then the optimiser's means of
//! gradients and of their squares, 4 bytes a number, little-endian.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DataSet, EpochReport, Settings, Source, Trainer, TrainingError};
use vato_engine::container::{Checksum, ContainerError, Format};
use vato_engine::network::PARAMETERS;

const FORMAT: Format = Format {
    name: "a checkpoint of a training",
    magic: *b"VATOTRN\0",
    version: 1,
    checksum: Checksum::Crc32,
    max_bytes: 1 << 32,
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Header {
    settings: Settings,
    sources: Vec<Source>,
    epochs: Vec<EpochReport>,
    steps: u64,
}

const BODY_LENGTH: usize = 3 * size_of::<f32>() * PARAMETERS;

impl Trainer {
    /// Writes the training atomically: to a temporary file beside `path`, then renamed.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_checkpoint(&self, path: &Path) -> Result<(), ContainerError> {
        let header = Header {
            settings: self.settings.clone(),
            sources: self.data.sources.clone(),
            epochs: self.history.clone(),
            steps: self.adam.steps,
        };
        let numbers = [&self.parameters, &self.adam.first, &self.adam.second];
        let numbers = numbers.into_iter().flat_map(|numbers| numbers.iter());
        let body: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        let bytes = FORMAT.encode(&header, &body);
        vato_solver::files::save(path, &bytes.map_err(ContainerError::content(path))?)
    }

    /// Resumes the training of the checkpoint at `path`. Settings and data must match, except for the
    /// number of threads.
    ///
    /// # Errors
    ///
    /// As for [`Trainer::new`], and if the checkpoint cannot be read, is damaged, or is of another
    /// training.
    pub fn resume(
        settings: Settings,
        data: DataSet,
        path: &Path,
    ) -> Result<Trainer, TrainingError> {
        let wrong = ContainerError::content(path);
        let bytes = FORMAT.load(path)?;
        let (header, numbers): (Header, _) = FORMAT
            .decode(&bytes, |_: &Header| Some(BODY_LENGTH))
            .map_err(&wrong)?;
        let differences = [
            settings.difference(&header.settings),
            data.difference(&header.sources),
        ];
        let differences: Vec<String> = differences.into_iter().flatten().collect();
        if !differences.is_empty() {
            return Err(wrong(format!(
                "a checkpoint of another training: {} (--restart begins anew and overwrites it, \
                 --checkpoint FILE names another)",
                differences.join("; ")
            ))
            .into());
        }
        let mut trainer = Trainer::new(settings, data)?;
        let places = (trainer.parameters.iter_mut())
            .chain(trainer.adam.first.iter_mut())
            .chain(trainer.adam.second.iter_mut());
        for (place, &bytes) in places.zip(numbers.as_chunks().0) {
            *place = f32::from_le_bytes(bytes);
        }
        trainer.adam.steps = header.steps;
        trainer.history = header.epochs;
        Ok(trainer)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::trainer::tests::{data, records, settings};

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
            whole.epoch(&mut |_| true).expect("finite");
            let mut broken = if whole.history.len() == 1 {
                trainer(settings())
            } else {
                let data = data(&settings(), &records(1_500));
                let other_threads = Settings {
                    threads: 2,
                    ..settings()
                };
                Trainer::resume(other_threads, data, &path).expect("right")
            };
            broken.epoch(&mut |_| true).expect("finite");
            assert_eq!(*broken.parameters, *whole.parameters);
            assert_eq!(broken.history.len(), whole.history.len());
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
        let begun = trainer(settings());
        begun.write_checkpoint(&path).expect("there is room");
        let resume = |settings: Settings, data: DataSet| {
            let resumed = Trainer::resume(settings, data, &path);
            resumed.err().map(|error| error.to_string())
        };
        let other = Settings {
            epochs: 64,
            learning_rate: 0.02,
            ..settings()
        };
        let error = resume(other, data(&settings(), &records)).expect("other settings");
        let wanted = ["epochs 3 there, 64 here", "learning-rate"];
        assert!(wanted.iter().all(|part| error.contains(part)), "{error}");
        let fewer = data(&settings(), &records[1..]);
        let error = resume(settings(), fewer).expect("other data");
        assert!(error.contains("synthetic (1500 positions"), "{error}");
        let same = || data(&settings(), &records);
        assert_eq!(resume(settings(), same()), None);
        // What else is damage is tested with the container.
        let right = fs::read(&path).expect("just written");
        fs::write(&path, &right[..right.len() - 1]).expect("there is room");
        let error = resume(settings(), same()).expect("truncated");
        assert!(error.contains("a.checkpoint: truncated"), "{error}");
    }
}
