//! The report of `vato train`.

use std::fmt::Write;

use indicatif::HumanCount;
use vato_engine::network::output_bucket;
use vato_engine::plural;
use vato_lab::{Calibration, EpochReport, Losses, Source};

/// The column headings of [`row`].
pub const HEAD: &str = "epoch  learning rate  training  held out     quiet  capturing  seconds";

pub fn row(report: &EpochReport) -> String {
    let losses = &report.held_out;
    format!(
        "{:>5}  {:>13.7}  {:.6}  {}  {}   {}  {:>7.1}",
        report.epoch,
        report.learning_rate,
        report.training,
        loss(losses.all),
        loss(losses.quiet),
        loss(losses.capturing),
        report.seconds
    )
}

fn loss(loss: Option<f64>) -> String {
    loss.map_or_else(|| format!("{:>8}", "-"), |loss| format!("{loss:.6}"))
}

pub fn of_sources(sources: &[Source]) -> String {
    let mut text = String::new();
    for source in sources {
        let left_out = source.positions - source.training - source.held_out;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {} {} to train on, {} held out, {} left out; score scale {:.0} centi-stones{}",
            source.name,
            HumanCount(source.training),
            plural(source.training, "position", "positions"),
            HumanCount(source.held_out),
            HumanCount(left_out),
            source.score_scale,
            if source.is_default_scale {
                " (the default: the results do not tell)"
            } else {
                ""
            }
        );
    }
    text
}

/// The losses of the positions held out by how many stones there are.
pub fn by_stones(losses: &Losses) -> String {
    let of_bucket = losses.buckets.iter().enumerate().map(|(bucket, &value)| {
        let mut stones = (2..=44).filter(|&stones| output_bucket(stones) == bucket);
        let first = stones.next().unwrap_or_default();
        let last = stones.next_back().unwrap_or(first);
        format!("{first}-{last}: {}", loss(value).trim_start())
    });
    format!(
        "held out, by stones: {}",
        of_bucket.collect::<Vec<_>>().join(", ")
    )
}

pub fn of_calibration(calibration: &Calibration) -> String {
    let scale = calibration.scale;
    let of_scale = match calibration.scale_positions {
        Some((positions, first, last)) => format!(
            "fitted to {} positions of plies {first} to {last}",
            HumanCount(positions as u64)
        ),
        None => "that of the scores: the games held out do not tell".to_owned(),
    };
    let model = &calibration.wdl_model;
    let of_model = match calibration.wdl_model_positions {
        Some(positions) => format!("fitted to {} positions", HumanCount(positions as u64)),
        None => "the default: the games held out do not tell".to_owned(),
    };
    format!(
        "scale {scale:.1} centi-stones ({of_scale})\nwin model: margin {:.1} {:+.1} / stones \
         {:+.2} a quiet ply, spread {:.1} ({of_model})\n",
        model.margin, model.margin_per_stone, model.margin_per_quiet_ply, model.spread
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_under_their_names() {
        let report = EpochReport {
            epoch: 12,
            learning_rate: 0.001,
            training: 0.012_345_6,
            held_out: Losses {
                all: Some(0.013),
                quiet: Some(0.014),
                capturing: None,
                buckets: Vec::new(),
            },
            seconds: 3.25,
        };
        let row = row(&report);
        assert_eq!(row.len(), HEAD.len());
        for (name, value) in [
            ("held out", "0.013000"),
            ("quiet", "0.014000"),
            ("training", "0.012346"),
        ] {
            let end = |text: &str, part: &str| text.find(part).map(|start| start + part.len());
            assert_eq!(end(HEAD, name), end(&row, value), "{name}");
        }
    }

    #[test]
    fn heads_are_named_by_their_stones() {
        let losses = Losses {
            all: None,
            quiet: None,
            capturing: None,
            buckets: vec![Some(0.5); vato_engine::network::BUCKETS],
        };
        let text = by_stones(&losses);
        let is_whole = text.contains(" 2-7: 0.5") && text.ends_with("31-44: 0.500000");
        assert!(is_whole, "{text}");
    }
}
