//! `vato tablebase info`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use vato_engine::counted;
use vato_engine::rules::Rules;
use vato_engine::tablebase::SliceInfo;

use crate::cli::csv::csv_of;
use crate::cli::failure::{Failure, stdout};

/// Show statistics of a folder of tables
///
/// Positions are counted with their symmetric images, for the side to move; bits are of the file's
/// bytes for each of them, outcomes and distances apart.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase info tablebases
  vato tablebase info tablebases --json")]
pub struct Arguments {
    /// The folder [default: where `vato tablebase build` writes the standard game's]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    /// All figures as one JSON object
    #[arg(long)]
    json: bool,

    /// The table of slices as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// All of it.
#[derive(Serialize)]
struct Summary {
    rules: String,
    positions: u64,
    bytes: u64,
    outcome_bits: f64,
    distance_bits: f64,
    slices: Vec<SliceInfo>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (tables, _) = super::open(&super::folder(
        arguments.folder.as_deref(),
        &Rules::STANDARD,
    )?)?;
    let slices = tables.info();
    // File contents are untrusted.
    let sum = |of: fn(&SliceInfo) -> u64| slices.iter().map(of).fold(0, u64::saturating_add);
    let positions = sum(|slice| slice.positions);
    let summary = Summary {
        rules: tables.rules().to_string(),
        positions,
        bytes: sum(|slice| slice.bytes),
        outcome_bits: bits(sum(|slice| slice.outcome_bytes), positions),
        distance_bits: bits(sum(|slice| slice.distance_bytes), positions),
        slices,
    };
    let mut out = stdout();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&summary)?)?;
    } else if arguments.csv {
        out.write_all(csv_of(&table(&summary))?.as_bytes())?;
    } else {
        out.write_all(text(&summary).as_bytes())?;
    }
    Ok(())
}

fn bits(bytes: u64, positions: u64) -> f64 {
    8.0 * bytes as f64 / positions.max(1) as f64
}

fn table(summary: &Summary) -> Table {
    let mut table = Table::new();
    let headings = "slice,positions,win,draw,loss,win %,draw %,loss %,longest,bytes,outcome bits,\
                    distance bits,a position that takes longest";
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(headings.split(','));
    let columns = table.column_iter_mut().count();
    for (number, column) in table.column_iter_mut().enumerate() {
        if number + 1 < columns {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for slice in &summary.slices {
        let share = |count: u64| format!("{:.2}", 100.0 * count as f64 / slice.positions as f64);
        let longest = slice.longest.as_ref();
        table.add_row([
            slice.slice.to_string(),
            slice.positions.to_string(),
            slice.wins.to_string(),
            slice.draws.to_string(),
            slice.losses.to_string(),
            share(slice.wins),
            share(slice.draws),
            share(slice.losses),
            longest.map_or(String::new(), |longest| longest.plies.to_string()),
            slice.bytes.to_string(),
            format!("{:.3}", bits(slice.outcome_bytes, slice.positions)),
            format!("{:.3}", bits(slice.distance_bytes, slice.positions)),
            longest.map_or(String::new(), |longest| longest.fen.clone()),
        ]);
    }
    table
}

fn text(summary: &Summary) -> String {
    let table = table(summary);
    format!(
        "{}\n\n{table}\n\n{} in {} bytes: {:.3} bits for an outcome, {:.3} bits for a \
         distance\n",
        summary.rules,
        counted(summary.positions, "position", "positions"),
        summary.bytes,
        summary.outcome_bits,
        summary.distance_bits
    )
}
