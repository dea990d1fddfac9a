//! The course of a training.

use std::f64::consts::PI;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::calibration::{Calibration, with_results};
use super::data_set::{Example, sigmoid};
use super::limits::limit_sums;
use super::pass::{Layers, Part, Pass};
use super::{DataSet, Settings, TrainingError};
use vato_engine::memory;
use vato_engine::network::{
    Aligned, BUCKETS, Header, Network, OUTPUT_WEIGHTS, PARAMETERS, WdlModel, output_bucket,
};

/// [`Header::search_scale`]: what the scores of the hand-made evaluation
/// stand for, which the margins of the search were made for.
const SEARCH_SCALE: f32 = 300.0;

/// Parts of a batch. Fixed, so that sums do not depend on the number of threads, of which no more than
/// this are of use.
const PARTS: usize = 16;

/// Positions held out that a thread takes at a time.
const CHUNK: usize = 4_096;

/// About how many features are on in a position in the middle of a game.
const TYPICAL_ACTIVE: f32 = 40.0;

/// Hidden units begin in the middle of where they react.
const HIDDEN_BIAS: f32 = 0.5;

/// Mean squared errors of the expected points; `None` of no positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Losses {
    /// Of all positions.
    pub all: Option<f64>,
    /// Of those in which the side to move cannot capture.
    pub quiet: Option<f64>,
    /// Of those in which it can.
    pub capturing: Option<f64>,
    /// Of those of each output bucket.
    #[serde(rename = "heads")]
    pub buckets: Vec<Option<f64>>,
}

impl Losses {
    /// The losses of the examples, where `outputs` is what the network says of each.
    pub(super) fn of(examples: &[Example], outputs: &[f32]) -> Losses {
        // Sums and counts.
        let mut classes = [(0.0, 0_u64); 2];
        let mut by_bucket = [(0.0, 0); BUCKETS];
        for (example, &output) in examples.iter().zip(outputs) {
            let error = f64::from(sigmoid(output) - example.target);
            for (sum, count) in [
                &mut classes[usize::from(example.can_capture)],
                &mut by_bucket[output_bucket(example.stones())],
            ] {
                *sum += error * error;
                *count += 1;
            }
        }
        let mean = |(sum, count): (f64, u64)| (count > 0).then(|| sum / count as f64);
        let [quiet, capturing] = classes;
        Losses {
            all: mean((quiet.0 + capturing.0, quiet.1 + capturing.1)),
            quiet: mean(quiet),
            capturing: mean(capturing),
            buckets: by_bucket.map(mean).to_vec(),
        }
    }
}

/// An epoch that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EpochReport {
    /// Its number, from 1.
    pub epoch: u32,
    /// The learning rate of its last batch.
    pub learning_rate: f32,
    /// The mean squared error of the positions trained on, each when it was seen.
    pub training: f64,
    /// The losses of the positions held out, when it was over.
    pub held_out: Losses,
    /// How long it took.
    pub seconds: f64,
}

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

    fn held_out_outputs(&self) -> Vec<f32> {
        let examples = &self.data.held_out;
        let mut found = vec![0.0; examples.len()];
        self.threads.install(|| {
            examples
                .par_chunks(CHUNK)
                .zip(found.par_chunks_mut(CHUNK))
                .for_each_init(Pass::new, |pass, (examples, found)| {
                    for (example, output) in examples.iter().zip(found) {
                        *output = pass.forward(&self.parameters, example.own, example.other);
                    }
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
        Network::quantise(header, &self.parameters).map_err(TrainingError::Invalid)
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
        Network::quantise(header, &parameters).map_err(TrainingError::Invalid)
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

/// Small random weights: hidden units vary by about a half, outputs by about a third of a unit. The
/// biases of the buckets are 0.
pub(super) fn initial_parameters(seed: u64) -> Aligned<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut parameters = Aligned::zeros(PARAMETERS);
    let layers = Layers::of_mut(&mut parameters);
    let most = 1.0 / TYPICAL_ACTIVE.sqrt();
    let inputs = layers.inputs.as_flattened_mut();
    inputs.fill_with(|| random.random_range(-most..most));
    layers.biases.fill(HIDDEN_BIAS);
    let most = 1.0 / (OUTPUT_WEIGHTS as f32).sqrt();
    let buckets = layers.buckets.as_flattened_mut();
    buckets.fill_with(|| random.random_range(-most..most));
    parameters
}

/// Makes `order` a permutation of its indices that depends on the seed and the epoch alone.
fn shuffle(order: &mut [u32], seed: u64, epoch: u32) {
    for (place, index) in order.iter_mut().zip(0..) {
        *place = index;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // The first stream is that of the first weights.
    random.set_stream(u64::from(epoch) + 1);
    order.shuffle(&mut random);
}

/// The learning rate for the batch with this number, from 0, of `batches` in the whole training: it
/// rises in a straight line over the warm-up, a tenth of all batches at most, then falls along half
/// a wave of the cosine (Loshchilov and Hutter, 2016, <https://arxiv.org/abs/1608.03983>).
fn learning_rate(settings: &Settings, batch: u64, batches: u64) -> f32 {
    let highest = f64::from(settings.learning_rate);
    let warm_up = u64::from(settings.warm_up).min(batches / 10);
    if batch < warm_up {
        return (highest * (batch + 1) as f64 / warm_up as f64) as f32;
    }
    let last = f64::from(settings.final_rate);
    let done = (batch - warm_up) as f64 / (batches - warm_up).max(2).saturating_sub(1) as f64;
    let share = last + (1.0 - last) * 0.5 * (1.0 + (PI * done.min(1.0)).cos());
    (highest * share) as f32
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::{Record, Sample};
    use crate::pass::tests::random_stones;
    use vato_engine::board::{Bitboard, Side};
    use vato_records::pgn::RecordResult;

    /// Positions whose score is 100 for each stone more, and which are won or drawn accordingly.
    pub(crate) fn records(count: u16) -> Vec<Record> {
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

    pub(crate) fn settings() -> Settings {
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

    pub(crate) fn data(settings: &Settings, records: &[Record]) -> DataSet {
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
        // The network says how it was made.
        let text = trainer.description();
        assert!(text.contains("of synthetic") && text.contains("\"seed\":1"));
        assert!(text.contains("3 epochs") && text.lines().count() == 2);
        let calibration = trainer.calibrate();
        trainer.network(&calibration).expect("within limits");
    }

    #[test]
    fn the_network_depends_on_the_seed_and_not_on_the_threads() {
        let trained = [(1, 1), (1, 1), (1, 3), (2, 1)].map(|(seed, threads)| {
            let settings = Settings {
                seed,
                threads,
                ..settings()
            };
            train(settings).parameters
        });
        let [one, again, three, other] = &trained;
        assert_eq!(**one, **again);
        assert_eq!(**one, **three);
        assert_ne!(**one, **other);
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
        let empty = data(&settings(), &[]);
        let error = Trainer::new(settings(), empty).err().expect("no data");
        let expected = "0 positions to train on and 0 held out, of 0 in the data";
        assert!(error.to_string().starts_with(expected), "{error}");
        // Weights out of all bounds.
        let data = data(&settings(), &records(1_000));
        let mut trainer = Trainer::new(settings(), data).expect("right");
        trainer.parameters[7] = f32::NAN;
        let error = trainer.epoch(&mut |_| true).expect_err("not finite");
        assert!(error.to_string().starts_with("epoch 1:"), "{error}");
    }

    #[test]
    fn orders_have_every_index_once_and_change_with_the_epoch() {
        let order = |seed, epoch| {
            let mut order = [7; 1_000];
            shuffle(&mut order, seed, epoch);
            order
        };
        let mut sorted = order(1, 0);
        assert!(!sorted.is_sorted());
        sorted.sort_unstable();
        assert!(sorted.iter().zip(0..).all(|(&index, place)| index == place));
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
    }

    #[test]
    fn the_rate_rises_and_then_falls_to_its_end() {
        let settings = Settings {
            warm_up: 10,
            ..Settings::default()
        };
        let rate = |batch| learning_rate(&settings, batch, 100);
        let rates: Vec<f32> = (0..100).map(rate).collect();
        assert!(rates[..10].is_sorted() && rates[0] > 0.0);
        assert!(rates[10..].is_sorted_by(|a, b| a > b));
        assert_eq!((rates[9], rates[10]), (0.001, 0.001));
        assert!((rates[99] - 0.000_01).abs() < 1e-9);
        // The shortest trainings have one, too.
        for (batch, batches) in [(0, 1), (0, 2), (1, 2), (0, 3), (2, 3)] {
            assert!(learning_rate(&Settings::default(), batch, batches) > 0.0);
        }
    }

    #[test]
    fn losses_are_means_of_each_class() {
        let example = |target, can_capture, stones: u32| Example {
            own: Bitboard::from_bits(1),
            other: Bitboard::from_bits((1_u64 << stones) - 2_u64),
            target,
            ply: 0,
            halfmove_clock: 0,
            half_points: 0,
            can_capture,
        };
        let [few, more] = [example(0.5, false, 5), example(0.0, false, 8)];
        let losses = Losses::of(&[few, more, example(0.75, true, 5)], &[0.0; 3]);
        assert_eq!(losses.all, Some(0.3125 / 3.0));
        assert_eq!(losses.quiet, Some(0.125));
        assert_eq!(losses.capturing, Some(0.0625));
        assert_eq!(losses.buckets[..3], [Some(0.03125), Some(0.25), None]);
    }
}
