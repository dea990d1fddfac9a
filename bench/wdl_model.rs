//! Fits the win/draw/loss model of a network to its own games:
//!
//! ```text
//! vato selfplay --games 1500 --nodes 50000 --asides 0 --seed 1 --out games.data
//! cargo run --release --package vato-lab --bin wdl_model -- --games games.data --network src/engine/network/standard.net
//! ```
//!
//! Training fits the model to what the network says of positions; what a search finds says more of the
//! result. The model is fitted to the games with even numbers and written into the network's file, and
//! its errors are those in the others.

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use vato_engine::network::{Network, WdlModel};
use vato_lab::data::{DataFile, Record, Sample};
use vato_lab::fit_wdl_model;
use vato_solver::files::save;

/// Centi-stones of a group of scores.
const GROUP: u16 = 20;
/// The last group has all scores from here on.
const MOST: u16 = 400;

#[derive(Parser)]
struct Arguments {
    /// Training data: games of the network.
    #[arg(long)]
    games: PathBuf,
    /// The network, which gets the model.
    #[arg(long)]
    network: PathBuf,
}

/// A name and the positions that it stands for.
type Class = (&'static str, fn(&Sample) -> bool);

const CLASSES: [Class; 4] = [
    ("all", |_| true),
    ("at most 19 plies without a capture", |sample| {
        sample.halfmove_clock < 20
    }),
    ("20 and more", |sample| sample.halfmove_clock >= 20),
    ("20 and more, 8 to 13 stones", |sample| {
        sample.halfmove_clock >= 20 && (8..=13).contains(&stones(sample))
    }),
];

fn stones(sample: &Sample) -> u32 {
    sample.own().count() + sample.other().count()
}

/// The mean difference between the points expected and those made, over groups of scores.
fn error(model: &WdlModel, samples: &[&Sample]) -> f64 {
    let mut groups = vec![(0.0, 0.0); usize::from(MOST / GROUP) + 1];
    for sample in samples {
        // From the view of the side that is ahead.
        let score = sample.score.unsigned_abs();
        let quiet_plies = sample.halfmove_clock.into();
        let expected = model.expected_score(score.into(), stones(sample), quiet_plies);
        let points = f64::from(sample.points().unwrap_or(0.5));
        let made = if sample.score < 0 {
            1.0 - points
        } else {
            points
        };
        let group = &mut groups[usize::from(score.min(MOST) / GROUP)];
        *group = (group.0 + expected, group.1 + made);
    }
    let differences: f64 = groups
        .iter()
        .map(|(expected, made)| (expected - made).abs())
        .sum();
    differences / samples.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let file = DataFile::read(&arguments.games)?;
    let (fitted, measured): (Vec<Sample>, Vec<Sample>) = (file.records.iter())
        .map(Record::sample)
        .filter(|sample| !sample.is_aside() && !sample.is_decided())
        .partition(|sample| sample.game % 2 == 0);
    let network = Network::read(&arguments.network)?;
    let before = network.header().wdl_model;
    let after = fit_wdl_model(&fitted).ok_or("too few games for a fit")?;
    println!("{:<36}{:>10}  before   after", "error", "positions");
    for (name, is_in) in CLASSES {
        let class: Vec<&Sample> = measured.iter().filter(|sample| is_in(sample)).collect();
        let [before, after] = [before, after].map(|model| error(&model, &class));
        println!("{name:<36}{:>10}  {before:.4}  {after:.4}", class.len());
    }
    println!("{after:?}");
    let mut header = network.header().clone();
    header.wdl_model = after;
    save(&arguments.network, &network.with_header(header)?.to_bytes())?;
    Ok(())
}
