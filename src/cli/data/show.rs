//! `vato data show`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use vato_engine::notation::diagram;
use vato_tools::training::data::{GameResult, Records, format_record};

use crate::cli::arguments::number;
use crate::cli::failure::{Failure, stdout};
use crate::cli::text::charset;

/// Show records of a file as diagrams
#[derive(Args, Debug)]
pub struct Arguments {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The first record shown, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(1..))]
    from: u64,

    /// How many are shown
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u64>(..))]
    count: u64,

    /// One line each, as vato data convert writes them
    #[arg(long)]
    lines: bool,

    /// Draw the diagrams in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

/// Shows them.
///
/// # Errors
///
/// If the file does not read or is not right.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = stdout();
    let records = Records::open(&arguments.file)?;
    let rules = records.header().parsed_rules()?;
    let from = arguments.from;
    let mut last = 0;
    for (number, record) in (1..).zip(records) {
        let record = record?;
        last = number;
        if number < from {
            continue;
        }
        if number - from >= arguments.count {
            break;
        }
        let line = format_record(&rules, &record);
        if arguments.lines {
            writeln!(out, "{line}")?;
            continue;
        }
        let sample = record.sample();
        let fen = line.split('\t').next().unwrap_or_default();
        writeln!(out, "record {number}: {fen}")?;
        out.write_all(
            diagram(&sample.position(), rules.board, charset(arguments.ascii)).as_bytes(),
        )?;
        writeln!(
            out,
            "score {} for {}, {}, ply {} of game {}{}\n",
            if sample.is_decided() {
                if sample.score > 0 { "won" } else { "lost" }.to_owned()
            } else {
                format!("{:+.2}", f64::from(sample.score) / 100.0)
            },
            sample.side,
            match sample.result {
                Some(GameResult::WhiteWon) => "White won",
                Some(GameResult::Drawn) => "drawn",
                Some(GameResult::BlackWon) => "Black won",
                None => "an aside",
            },
            sample.ply,
            sample.game,
            if sample.is_last { ", its last" } else { "" }
        )?;
    }
    match from > last.max(1) {
        true => Err(Failure::new(format_args!(
            "{}: --from {from} is behind its last record, {last}",
            arguments.file.display()
        ))),
        false => Ok(()),
    }
}
