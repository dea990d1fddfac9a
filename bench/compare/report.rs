//! The table of the results.

use std::io::{self, Write};

use vato_engine::protocol::SetOption;
use vato_tools::stats::Phase;

use crate::arguments::Arguments;
use crate::arithmetic::GeometricMean;
use crate::measurement::{Figures, Measurement, Pair};

/// Writes the results: what was compared, a line for each phase that has positions, one for all of
/// them, and the totals.
///
/// # Errors
///
/// If `output` cannot be written.
pub fn write(
    output: &mut impl Write,
    arguments: &Arguments,
    measurement: &Measurement,
) -> io::Result<()> {
    let [before, after] = &measurement.names;
    let before = engine(before, &arguments.before, &arguments.before_options);
    let after = engine(after, &arguments.after, &arguments.after_options);
    writeln!(output, "before: {before}")?;
    writeln!(output, "after:  {after}")?;
    let depth = match arguments.depth {
        Some(depth) => format!("to depth {depth}"),
        None => format!("as deep as before gets in {} ms", arguments.milliseconds),
    };
    let rounds = arguments.rounds;
    writeln!(
        output,
        "searched {depth}; rounds: {rounds}; ratios: after / before\n"
    )?;
    writeln!(
        output,
        "{:<7}{:>9}{:>7}  {:<16}{:<16}{:<16}branching factor",
        "stones", "positions", "depth", "nodes/s", "time", "nodes",
    )?;
    for phase @ Phase(least, most) in Phase::ALL {
        let pairs: Vec<Pair> = measurement
            .pairs
            .iter()
            .filter(|pair| (least..=most).contains(&pair.stones))
            .copied()
            .collect();
        write_line(output, &phase.to_string(), &pairs)?;
    }
    write_line(output, "all", &measurement.pairs)?;
    let total = |figures: fn(&Pair) -> Figures| {
        let figures = measurement.pairs.iter().map(figures);
        let (nodes, seconds) = figures.fold((0.0, 0.0), |(nodes, seconds), figures| {
            (nodes + figures.nodes, seconds + figures.seconds)
        });
        format!(
            "{nodes:.0} nodes in {seconds:.3} s ({:.0} nodes/s)",
            nodes / seconds
        )
    };
    writeln!(
        output,
        "\nsums of the medians: before {}, after {}",
        total(|pair| pair.before),
        total(|pair| pair.after)
    )
}

/// A line of the table, if it has positions.
fn write_line(output: &mut impl Write, name: &str, pairs: &[Pair]) -> io::Result<()> {
    if pairs.is_empty() {
        return Ok(());
    }
    let depth = pairs.iter().map(|pair| f64::from(pair.depth)).sum::<f64>() / pairs.len() as f64;
    writeln!(
        output,
        "{name:<7}{:>9}{depth:>7.1}  {:<16}{:<16}{:<16}{} -> {}",
        pairs.len(),
        ratio(pairs, |figures| figures.speed),
        ratio(pairs, |figures| figures.seconds),
        ratio(pairs, |figures| figures.nodes),
        branching(pairs, |pair| pair.before),
        branching(pairs, |pair| pair.after),
    )
}

/// The mean ratio of a figure and its standard error.
fn ratio(pairs: &[Pair], figure: fn(&Figures) -> f64) -> String {
    let ratios = pairs
        .iter()
        .map(|pair| figure(&pair.after) / figure(&pair.before));
    match GeometricMean::of(ratios) {
        None => "-".to_owned(),
        Some(GeometricMean {
            value,
            log_error: None,
        }) => format!("{value:.3}"),
        Some(GeometricMean {
            value,
            log_error: Some(error),
        }) => format!("{value:.3} ± {:.1} %", 100.0 * error.exp_m1()),
    }
}

/// The mean branching factor over the positions that have one for both engines.
fn branching(pairs: &[Pair], figures: fn(&Pair) -> Figures) -> String {
    let both = pairs
        .iter()
        .filter(|pair| pair.before.branching.is_some() && pair.after.branching.is_some());
    match GeometricMean::of(both.filter_map(|pair| figures(pair).branching)) {
        None => "-".to_owned(),
        Some(mean) => format!("{:.3}", mean.value),
    }
}

/// An engine in words: its name, its command line and its options.
fn engine(name: &str, command: &str, options: &[SetOption]) -> String {
    let options: String = options
        .iter()
        .map(|option| {
            let value = option.value.as_deref().unwrap_or_default();
            format!(", {}={value}", option.name)
        })
        .collect();
    format!("{name} ({command}{options})")
}
