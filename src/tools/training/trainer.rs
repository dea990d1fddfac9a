//! The course of a training.

use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::adam::Adam;
use super::calibration::{Calibration, with_results};
use super::gradient::{Part, outputs};
use super::limits::limit_sums;
use super::pass::Pass;
use super::schedule::{initial_parameters, learning_rate, shuffle};
use super::{DataSet, EpochReport, Losses, Settings, TrainingError};
use vato_engine::memory;
use vato_engine::network::{Aligned, Header, Network, PARAMETERS, WdlModel};

/// [`Header::search_scale`]: what the scores of the hand-made evaluation
/// stand for, which the margins of the search were made for.
const SEARCH_SCALE: f32 = 300.0;

/// Parts of a batch. Fixed, so that sums do not depend on the number of threads, of which no more than
/// this are of use.
const PARTS: usize = 16;

/// Positions held out that a thread takes at a time.
const CHUNK: usize = 4_096;

/// A training: its data, where its weights are, and how it went so far.
pub struct Trainer {
    /// How the network is trained.
    pub settings: Settings,
    /// What it is trained on.
    pub data: DataSet,
    pub(super) parameters: Aligned<f32>,
    pub(super) adam: Adam,
    /// The epochs that are over.
    pub history: Vec<EpochReport>,
    parts: Vec<Part>,
    /// The order in which examples are seen.
    order: Vec<u32>,
    threads: ThreadPool,
}

impl Trainer {
    /// A training that begins.
    ///
    /// # Errors
    ///
    /// If a setting is out of its range, the network to begin with cannot be read, there is nothing to
    /// train on or nothing held out, or the threads cannot be started.
    pub fn new(settings: Settings, data: DataSet) -> Result<Trainer, TrainingError> {
        settings.check()?;
        data.check()?;
        memory::require_space(settings.threads).map_err(TrainingError::Invalid)?;
        let threads = memory::thread_pool(settings.threads, "training", None)?;
        let most = settings.batch.min(data.training()).div_ceil(PARTS);
        Ok(Trainer {
            parameters: first_parameters(&settings)?,
            adam: Adam::new(PARAMETERS),
            history: Vec::new(),
            parts: (0..PARTS).map(|_| Part::new(most)).collect(),
            order: vec![0; data.training()],
            threads,
            settings,
            data,
        })
    }

    /// Whether all epochs are over.
    pub fn is_done(&self) -> bool {
        self.history.len() >= self.settings.epochs as usize
    }

    /// Goes through all positions once, in an order that follows from the seed and the epoch's number.
    /// `progress` is told of every batch how many positions it had, and says whether to go on.
    ///
    /// # Errors
    ///
    /// If it was not to go on, or the weights are not finite in the end; the training cannot go on then.
    pub fn epoch(
        &mut self,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<EpochReport, TrainingError> {
        let started = Instant::now();
        let epoch = self.history.len() as u32;
        let mut order = std::mem::take(&mut self.order);
        shuffle(&mut order, self.settings.seed, epoch);
        let mut loss = 0.0;
        for batch in order.chunks(self.settings.batch) {
            loss += self.step(epoch, batch);
            if !progress(batch.len() as u64) {
                return Err(TrainingError::Stopped);
            }
        }
        self.order = order;
        limit_sums(&mut self.parameters);
        if !self.parameters.iter().all(|number| number.is_finite()) {
            let epoch = epoch + 1;
            return Err(TrainingError::Invalid(format!(
                "epoch {epoch}: the weights are no longer finite (a lower learning-rate may help)"
            )));
        }
        let outputs = self.held_out_outputs();
        let report = EpochReport {
            epoch: epoch + 1,
            learning_rate: self.learning_rate(self.adam.steps.saturating_sub(1)),
            training: loss / self.data.training() as f64,
            held_out: Losses::of(&self.data.held_out, &outputs),
            seconds: started.elapsed().as_secs_f64(),
        };
        self.history.push(report.clone());
        Ok(report)
    }

    /// One step of the optimiser; returns the sum of the losses.
    fn step(&mut self, epoch: u32, batch: &[u32]) -> f64 {
        let rate = self.learning_rate(self.adam.steps);
        let seed = self.settings.seed;
        let size = batch.len().div_ceil(PARTS);
        let parts = &mut self.parts[..batch.len().div_ceil(size)];
        self.threads.install(|| {
            parts
                .par_iter_mut()
                .zip(batch.par_chunks(size))
                .for_each(|(part, indices)| {
                    part.fetch(&self.data.training, indices, seed, epoch);
                    part.differentiate(&self.parameters, 1.0 / batch.len() as f32);
                });
            let gradients: Vec<&[f32]> = parts.iter().map(|part| &*part.gradient).collect();
            self.adam.step(&mut self.parameters, &gradients, rate);
        });
        parts.iter().map(|part| part.loss).sum()
    }

    /// The learning rate of the step with this number, from 0.
    fn learning_rate(&self, step: u64) -> f32 {
        let batches = self.data.training().div_ceil(self.settings.batch) as u64;
        let all = batches * u64::from(self.settings.epochs);
        learning_rate(&self.settings, step, all)
    }

    /// What the network says of the positions held out.
    fn held_out_outputs(&self) -> Vec<f32> {
        let examples = &self.data.held_out;
        let mut found = vec![0.0; examples.len()];
        self.threads.install(|| {
            examples
                .par_chunks(CHUNK)
                .zip(found.par_chunks_mut(CHUNK))
                .for_each_init(Pass::new, |pass, (examples, found)| {
                    outputs(pass, &self.parameters, examples, found)
                });
        });
        found
    }

    /// Fits the scale and the win model to the games held out.
    pub fn calibrate(&self) -> Calibration {
        let outputs = self.held_out_outputs();
        let examples = self.data.held_out.iter();
        let judged = with_results(examples.copied().zip(outputs));
        Calibration::fit(&judged, self.data.mean_score_scale())
    }

    /// The quantised network with its scale, win model, and the text of how it was made.
    ///
    /// # Errors
    ///
    /// If the weights do not go into a quantised network.
    pub fn network(&self, calibration: &Calibration) -> Result<Network, TrainingError> {
        let header = Header::new(
            SEARCH_SCALE,
            calibration.scale,
            calibration.wdl_model,
            self.description(),
        );
        Ok(Network::quantise(header, &self.parameters)?)
    }

    /// The quantised network that every training with these settings begins with.
    ///
    /// # Errors
    ///
    /// If the network to begin with cannot be read.
    pub fn untrained(&self) -> Result<Network, TrainingError> {
        let trained = match &self.settings.start {
            Some(start) => format!("not at all; the weights of {}", start.display()),
            None => format!("not at all; seed {}", self.settings.seed),
        };
        let header = Header::new(SEARCH_SCALE, SEARCH_SCALE, WdlModel::CLASSICAL, trained);
        let parameters = first_parameters(&self.settings)?;
        Ok(Network::quantise(header, &parameters)?)
    }

    /// How the network was made, in two lines.
    fn description(&self) -> String {
        let sources: Vec<String> = self
            .data
            .sources
            .iter()
            .map(|source| format!("{} of {}", source.training, source.name))
            .collect();
        let losses = self.history.last().map_or(String::new(), |report| {
            let held_out = report.held_out.all.unwrap_or_default();
            format!(
                ", loss {:.6}, held out {held_out:.6} ({} positions)",
                report.training,
                self.data.held_out.len()
            )
        });
        let settings = Settings {
            // The network does not depend on it.
            threads: 1,
            ..self.settings.clone()
        };
        format!(
            "Vato {}; {} epochs; positions: {}{losses}\n{}",
            env!("CARGO_PKG_VERSION"),
            self.history.len(),
            sources.join(", "),
            serde_json::to_string(&settings).unwrap_or_default()
        )
    }
}

fn first_parameters(settings: &Settings) -> Result<Aligned<f32>, TrainingError> {
    let Some(start) = &settings.start else {
        return Ok(initial_parameters(settings.seed));
    };
    let mut parameters = Aligned::zeros(PARAMETERS);
    parameters.copy_from_slice(&Network::read(start)?.parameters());
    Ok(parameters)
}

#[cfg(test)]
pub(super) mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::training::data::{Record, Sample};
    use crate::training::pass::tests::random_stones;
    use vato_engine::board::Side;
    use vato_engine::notation::pgn::RecordResult;

    /// Positions whose score is 100 for each stone more, and which are won or drawn accordingly.
    pub(in crate::training) fn records(count: u16) -> Vec<Record> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..count)
            .map(|number| {
                let stones = random_stones(&mut random);
                let side = Side::BOTH[usize::from(random.random_bool(0.5))];
                let ahead =
                    stones[side.index()].count() as i16 - stones[(!side).index()].count() as i16;
                let luck = ahead + random.random_range(-6..=6);
                let winner = match luck {
                    3.. => Some(side),
                    ..=-3 => Some(!side),
                    _ => None,
                };
                Record::new(&Sample {
                    stones,
                    side,
                    halfmove_clock: 0,
                    can_capture: number % 3 == 0,
                    score: 100 * ahead,
                    ply: number % 60,
                    result: RecordResult::of_winner(winner),
                    game: number / 8,
                    is_last: false,
                })
            })
            .collect()
    }

    pub(in crate::training) fn settings() -> Settings {
        Settings {
            epochs: 3,
            batch: 100,
            learning_rate: 0.01,
            warm_up: 5,
            validation: 0.1,
            threads: 1,
            ..Settings::default()
        }
    }

    pub(in crate::training) fn data(settings: &Settings, records: &[Record]) -> DataSet {
        let mut data = DataSet::default();
        data.add("synthetic", records, settings);
        data
    }

    fn train(settings: Settings) -> Trainer {
        let data = data(&settings, &records(4_000));
        let mut trainer = Trainer::new(settings, data).expect("right");
        while !trainer.is_done() {
            trainer.epoch(&mut |_| true).expect("finite");
        }
        trainer
    }

    #[test]
    fn training_lowers_the_losses() {
        let trainer = train(settings());
        let (first, last) = (&trainer.history[0], &trainer.history[2]);
        assert!(last.training < 0.5 * first.training);
        let held_out = last.held_out.all.expect("some");
        assert!(held_out < 0.03, "{held_out}");
        assert!(held_out < first.held_out.all.expect("some"));
    }

    #[test]
    fn the_network_depends_on_the_seed_and_not_on_the_threads() {
        let one = train(settings());
        let again = train(settings());
        assert_eq!(*one.parameters, *again.parameters);
        let three = train(Settings {
            threads: 3,
            ..settings()
        });
        assert_eq!(*one.parameters, *three.parameters);
        let other = train(Settings {
            seed: 2,
            ..settings()
        });
        assert_ne!(*one.parameters, *other.parameters);
    }

    #[test]
    fn every_position_is_seen_once_in_an_epoch() {
        let settings = Settings {
            batch: 77,
            ..settings()
        };
        let data = data(&settings, &records(1_000));
        let count = data.training() as u64;
        let mut trainer = Trainer::new(settings, data).expect("right");
        let mut seen = 0;
        let progress = &mut |batch| {
            seen += batch;
            true
        };
        trainer.epoch(progress).expect("finite");
        assert_eq!(seen, count);
    }

    #[test]
    fn impossible_trainings_are_refused() {
        let data_set = data(&settings(), &records(1_000));
        let wrong = Settings {
            epochs: 0,
            ..settings()
        };
        let error = Trainer::new(wrong, data_set).err().expect("no epochs");
        assert!(error.to_string().starts_with("epochs 0: "), "{error}");
        let empty = data(&settings(), &[]);
        let error = Trainer::new(settings(), empty).err().expect("no data");
        let expected = "0 positions to train on and 0 held out, of 0 in the data";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn weights_out_of_all_bounds_are_an_error() {
        let data = data(&settings(), &records(1_000));
        let mut trainer = Trainer::new(settings(), data).expect("right");
        trainer.parameters[7] = f32::NAN;
        let error = trainer.epoch(&mut |_| true).expect_err("not finite");
        assert!(error.to_string().starts_with("epoch 1:"), "{error}");
    }

    #[test]
    fn the_network_says_how_it_was_made() {
        let trainer = train(settings());
        let text = trainer.description();
        assert!(text.contains("of synthetic") && text.contains("\"seed\":1"));
        assert!(text.contains("3 epochs") && text.lines().count() == 2);
        let calibration = trainer.calibrate();
        trainer.network(&calibration).expect("within limits");
    }
}
